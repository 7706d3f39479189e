/** What tests ask of a store's projects in a word. */
import type { Found } from '../../src/core/records.ts'
import type { ModelIdentity } from '../../src/models/embedder.ts'
import type { Embedding, Store } from '../../src/store/store.ts'

/** A record of the project that was asked. */
export const own = <T>(found: Found<T>): T | undefined => (found === 'elsewhere' ? undefined : found)

/** Forgets memories, whoever asks. */
export const forget = (
  { removal }: Pick<Store, 'removal'>,
  project: string,
  ...ids: (number | undefined)[]
): Promise<void> => removal.forget(project, { kind: 'memory', ids: ids.map((id) => id ?? 0) }, () => {})

/** Gives every memory that lacks a vector of `model` one. */
export async function embedLacking(
  { maintenance, index }: Pick<Store, 'maintenance' | 'index'>,
  model: ModelIdentity,
  embed: (memory: { readonly id: number; readonly text: string }) => Embedding,
): Promise<void> {
  for (const project of await maintenance.projects()) {
    const lacking = await index.withoutVector(project, model, { after: 0, limit: 10_000 })
    await index.addEmbeddings(project, new Map(lacking.map((memory) => [memory.id, embed(memory)])))
  }
}
