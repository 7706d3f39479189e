/** A brain in memory with a clock of its own, whose operations are called as every interface calls them. */
import type * as z from 'zod'
import { type Config, defaults } from '../../src/config/config.ts'
import { builtinDirectory } from '../../src/models/builtin-model.ts'
import type { Passage } from '../../src/models/embedder.ts'
import { embedNotes } from '../../src/models/neutral-notes.ts'
import type { EmbedderPool } from '../../src/models/pool.ts'
import { callOperation } from '../../src/operations/call.ts'
import { definitions } from '../../src/operations/index.ts'
import type { Context } from '../../src/operations/operation.ts'
import type { Store } from '../../src/store/store.ts'
import { openInMemory } from '../store/temporary-store.ts'

type Name = keyof typeof definitions
type Output<N extends Name> = z.output<ReturnType<(typeof definitions)[N]['output']>>

export interface SmallBrain {
  readonly store: Store
  /** Milliseconds; tests move it by hand. */
  readonly clock: { now: number }
  /** Switches the embedder off and on, as a network does. */
  readonly embedder: {
    reachable: boolean
    /** How many texts it was given. */
    embedded: number
  }
  call<N extends Name>(name: N, input?: unknown, caller?: Partial<Caller>): Promise<Output<N>>
}

interface Caller {
  readonly project: string
  readonly agent: string
  readonly config: Config
  readonly circumstances: NonNullable<Context['circumstances']>
  readonly files: NonNullable<Context['files']>
}

const dimension = 64

/** Words that mean the same here share an axis; every other word has one by its letters. */
const concepts = [
  'drop delete remove erase',
  'table tables relation',
  'backup copy snapshot',
  'friday weekend',
]

function axisOf(word: string): number {
  const concept = concepts.findIndex((words) => words.split(' ').includes(word))
  if (concept >= 0) return concept
  let hash = 7
  for (const letter of word) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003
  return concepts.length + (hash % (dimension - concepts.length))
}

function toPassage(text: string): Passage {
  const vector = new Float32Array(dimension)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? ['']) {
    const axis = axisOf(word)
    vector[axis] = (vector[axis] ?? 0) + 1
  }
  const length = Math.hypot(...vector)
  return { start: 0, end: text.length, vector: vector.map((one) => one / length), tokens: new Uint16Array() }
}

function createPool(embedder: SmallBrain['embedder']): EmbedderPool {
  const concept = {
    identity: { name: 'concepts', hash: '0', dimension },
    embedTexts: async (texts: readonly string[]) => {
      embedder.embedded += texts.length
      return texts.map((text) => [toPassage(text)])
    },
    embedQuery: async (query: string) => toPassage(query),
    close: async () => {},
  }
  return {
    current: async () => (embedder.reachable ? concept : undefined),
    configured: async () => concept,
    successor: async () => undefined,
    of: async () => (embedder.reachable ? concept : undefined),
    attempt: (work) => work(),
    pieces: async () => undefined,
    reader: async () => undefined,
    nightReader: async () => undefined,
    neutralNotes: (notes) => embedNotes(notes, builtinDirectory()),
    close: async () => {},
  }
}

/** Opens one; it is closed when the test ends. Without `semantic` only keywords are compared. */
export async function openSmallBrain(
  options: { semantic?: boolean; config?: Partial<Config> } = {},
): Promise<SmallBrain> {
  const store = await openInMemory()
  const clock = { now: Date.UTC(2026, 4, 20, 12) }
  const embedder = { reachable: options.semantic ?? false, embedded: 0 }
  const embedders = createPool(embedder)
  return {
    store,
    clock,
    embedder,
    call: async <N extends Name>(name: N, input: unknown = {}, caller: Partial<Caller> = {}) => {
      const context: Context = {
        project: 'mine',
        agent: 'default',
        config: { ...defaults, ...options.config },
        ...caller,
        store,
        embedders,
        now: () => clock.now,
      }
      // The output of the operation of this name.
      return (await callOperation<unknown>(definitions[name], context, input)) as Output<N>
    },
  }
}
