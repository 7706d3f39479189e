import { defaults } from '../../src/config/config.ts'
import type { NightContext } from '../../src/dreams/collect.ts'
import type { Embedder } from '../../src/models/embedder.ts'
import { createEmbedderPool, type EmbedderPool } from '../../src/models/pool.ts'
import type { Store } from '../../src/store/store.ts'

const keywordPool = (): EmbedderPool =>
  createEmbedderPool({ config: { ...defaults, embedder: 'none' }, warn: () => {}, environment: {} })

/** Vectors out of letter counts: alike texts are near, and nothing has to be downloaded or trained. */
export const letterEmbedder: Embedder = {
  identity: { name: 'letters', hash: '00', dimension: 32 },
  embedTexts: async (texts) =>
    texts.map((text) => [{ start: 0, end: text.length, vector: letters(text), tokens: new Uint16Array() }]),
  embedQuery: async (text) => ({
    start: 0,
    end: text.length,
    vector: letters(text),
    tokens: new Uint16Array(),
  }),
  close: async () => {},
}

function letters(text: string): Float32Array {
  const counts = new Float32Array(32)
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) % 32
    counts[at] = (counts[at] ?? 0) + 1
  }
  const length = Math.hypot(...counts) || 1
  return counts.map((count) => count / length)
}

export const poolOf = (embedder: Embedder): EmbedderPool => ({
  ...keywordPool(),
  current: async () => embedder,
  of: async () => embedder,
})

export const contextOf = (store: Store, project = 'mine', embedders = keywordPool()): NightContext => ({
  store,
  embedders,
  project,
})

export const march = (day: number, hour = 9): number => Date.UTC(2025, 2, day, hour)

export const night = { now: march(28), seed: 1, timeZone: 'UTC', limit: 5 } as const

type Line = readonly [day: number, text: string, caution?: number]

/** Two notes that make a bridge, by two who may not know of each other's, and some that make nothing. */
export const telling: readonly Line[] = [
  [2, 'The nightly export writes 40 GB of temporary files to db-07'],
  [3, 'Ordered replacement cartridges for the label printer upstairs'],
  [4, 'Grandfather grows tomatoes behind the garage'],
  [5, 'Violin rehearsal moved into the chapel'],
  [6, 'Hedgehog spotted under the terrace'],
  [7, 'Booked a vet for the rabbit'],
  [11, 'Pager at 02:40, the disk of db-07 stood at 97 %'],
]

export async function remember(context: NightContext, lines: readonly Line[]): Promise<number[]> {
  const embedder = await context.embedders.current()
  const memories = await context.store.memories.addMany(
    context.project,
    await Promise.all(
      lines.map(async ([day, text, caution = 0]) => {
        const [passages] = (await embedder?.embedTexts([text])) ?? []
        return {
          text,
          caution,
          agent: day % 2 === 0 ? 'a' : 'b',
          createdAt: march(day),
          ...(embedder && passages && { embedding: { model: embedder.identity, passages } }),
        }
      }),
    ),
  )
  return memories.map(({ id }) => id)
}
