/**
 * Flags that others forget, end, make milder or put in other words: whoever relied on one is to hear of it. Compares what
 * they were before with what they are; what changes them is not known here.
 */
import type { Memory } from '../../core/records.ts'
import type { Context } from '../../operations/operation.ts'
import { timestampOrNull } from '../../operations/schemas.ts'

/** A flag as it is told. */
interface Warning {
  readonly text: string
  readonly caution: number
  readonly expires_at: string | null
}

export interface EasedFlag extends Warning {
  readonly id: number
  /** What it is now; null where it is forgotten. */
  readonly now: Warning | null
}

const toWarning = ({ text, caution, expiresAt }: Memory): Warning => ({
  text,
  caution,
  expires_at: timestampOrNull(expiresAt),
})

const endOf = ({ expiresAt = Number.POSITIVE_INFINITY }: Memory): number => expiresAt

/** Whether a flag warns of less than before, for less long, or in words that nobody here has read. */
const isEased = (before: Memory, now: Memory): boolean =>
  now.caution < before.caution || endOf(now) < endOf(before) || now.text !== before.text

export class FlagWatch {
  readonly #context: Context
  readonly #before = new Map<number, Memory>()
  /** Those that others merged, and what they live on in. */
  readonly #merged = new Map<number, number>()

  constructor(context: Context) {
    this.#context = context
  }

  /** Remembers which of some memories warn, and how. */
  async note(ids: readonly number[]): Promise<void> {
    const { store, project, now } = this.#context
    for (const memory of await store.memories.findMany(project, ids))
      if (memory.caution > 0 && endOf(memory) > now()) this.#before.set(memory.id, memory)
  }

  /** One of them lives on in another memory: that one is to warn as it did. */
  noteMerged(id: number, into: number): void {
    this.#merged.set(id, into)
  }

  /** Those of them that are not what they were, by their ids. */
  async eased(): Promise<EasedFlag[]> {
    const { store, project } = this.#context
    const idOf = (id: number): number => this.#merged.get(id) ?? id
    const found = await store.memories.findMany(project, [...this.#before.keys()].map(idOf))
    const after = new Map(found.map((memory) => [memory.id, memory]))
    return [...this.#before.values()]
      .sort((one, other) => one.id - other.id)
      .flatMap((before) => {
        const id = idOf(before.id)
        const now = after.get(id)
        if (now !== undefined && !isEased(before, now)) return []
        return { id, ...toWarning(before), now: now === undefined ? null : toWarning(now) }
      })
  }
}
