/** Brains in memory with the built-in encoder, to ask questions of. */
import { defaults } from '../../src/config/config.ts'
import { createEmbedderPool, type EmbedderPool } from '../../src/models/pool.ts'
import { type Found, search } from '../../src/search/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'

export interface Note {
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface Brain {
  ask(question: string): Promise<Found>
  /** Places of the notes that answer a question, best first. */
  places(question: string): Promise<number[]>
  /** The place of the note that has an id; -1 where none has. */
  placeOf(id: number): number
  close(): Promise<void>
}

export interface Brains {
  /** A brain of some notes at a moment. */
  brainOf(notes: readonly Note[], now: number): Promise<Brain>
  close(): Promise<void>
}

/** Brains with an encoder of their own: files of tests share what they have loaded, and each closes what it opened. */
export function openBrains(): Brains {
  const embedders = createEmbedderPool({
    config: defaults,
    environment: {},
    warn: (message) => {
      throw new Error(message)
    },
  })
  return { brainOf: (notes, now) => brainOf(embedders, notes, now), close: () => embedders.close() }
}

async function brainOf(embedders: EmbedderPool, notes: readonly Note[], now: number): Promise<Brain> {
  const options = { durability: 'normal', create: true, label: 'test', warn: () => {} } as const
  const store = await openSqliteStore(':memory:', options)
  const embedder = await embedders.configured()
  const passages = await embedder.embedTexts(notes.map(({ text }) => text))
  const memories = await store.memories.addMany(
    'test',
    notes.map(({ text, at }, place) => ({
      text,
      caution: 0,
      agent: 'default',
      createdAt: at,
      embedding: { model: embedder.identity, passages: passages[place] ?? [] },
    })),
  )
  const places = new Map(memories.map(({ id }, place) => [id, place]))
  const placeOf = (id: number): number => places.get(id) ?? -1
  const ask = (question: string) => search({ project: 'test', store, embedders, now: () => now }, question)
  return {
    ask,
    places: async (question) => (await ask(question)).ranked.map(({ id }) => placeOf(id)),
    placeOf,
    close: () => store.close(),
  }
}
