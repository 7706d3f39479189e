/**
 * Copies a whole brain from one store to another: every record with its id and times, the served vectors, keys, and
 * feedback on flags and dreams. The copy is compared record by record, through a digest of what each store reads back.
 */
import { createHash } from 'node:crypto'
import { BrainError } from '../core/errors.ts'
import type { Embedding, Store } from '../store/store.ts'
import type { CopiedRecord, StagedRecord } from '../store/transfer.ts'
import { toWire } from './format.ts'

/** Number of records read, with their vectors, and staged together. */
const batchSize = 256

export interface CopyOptions {
  readonly from: Store
  readonly to: Store
  readonly signal: AbortSignal
  readonly progress: (step: { doing: string; done: number; total: number }) => void
}

/** A summary that identifies a store's content. */
export interface Contents {
  /** By kind. */
  readonly counts: Readonly<Record<string, number>>
  readonly vectors: number
  /** Digest of every record and vector, hexadecimal. */
  readonly digest: string
}

export interface Copied extends Contents {
  readonly keys: number
  /** Whether the records were there already, from a copy that was interrupted later. */
  readonly resumed: boolean
}

/** The records of one project, in batches. */
async function* batchesOf(store: Store, project: string): AsyncGenerator<CopiedRecord[]> {
  let batch: CopiedRecord[] = []
  for await (const one of store.transfer.copies(project)) {
    batch.push(one)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Every project that holds anything, or ever did. */
const projectsOf = async (store: Store): Promise<string[]> =>
  (await store.projects.list()).map(({ name }) => name).sort()

/** A vector as bytes, the same from every store: its components are whole numbers. */
const vectorText = ({ model, passages }: Embedding): string =>
  JSON.stringify([
    model.name,
    model.hash,
    passages.map(({ start, end, tokens, vector }) => [start, end, [...tokens], [...vector]]),
  ])

/** Reads all of a store. */
async function readContents(
  store: Store,
  { signal, progress }: Pick<CopyOptions, 'signal' | 'progress'>,
): Promise<Contents> {
  const hash = createHash('sha256')
  const counts: Record<string, number> = {}
  const total = await store.transfer.count()
  let vectors = 0
  let done = 0
  for (const project of await projectsOf(store)) {
    let named = false
    for await (const batch of batchesOf(store, project)) {
      signal.throwIfAborted()
      if (!named) hash.update(`project ${JSON.stringify(project)}\n`)
      named = true
      for (const { record, embedding } of batch) {
        counts[record.type] = (counts[record.type] ?? 0) + 1
        hash.update(`${JSON.stringify(toWire(record))}\n`)
        if (embedding === undefined) continue
        vectors += embedding.passages.length
        hash.update(`${vectorText(embedding)}\n`)
      }
      done += batch.length
      progress({ doing: 'comparing', done, total })
    }
  }
  return { counts, vectors, digest: hash.digest('hex') }
}

async function copyRecords({ from, to, signal, progress }: CopyOptions): Promise<void> {
  // Of an interrupted copy nothing is gone on with: what it read may have changed since.
  const staging = await to.transfer.stage(`copy ${Math.random()}`)
  try {
    const total = await from.transfer.count()
    let line = 0
    for (const project of await projectsOf(from)) {
      for await (const batch of batchesOf(from, project)) {
        signal.throwIfAborted()
        const staged = batch.map((one): StagedRecord => {
          line += 1
          return { line, project, ...one }
        })
        await staging.add(staged, { lines: line, bytes: 0, digest: '' })
        progress({ doing: 'reading', done: line, total })
      }
    }
    await staging.commit({
      signal,
      progress: (done) => progress({ doing: 'writing', done, total }),
    })
  } catch (error) {
    await staging.discard()
    throw error
  }
}

/** Copies keys with the hashes of their secrets; existing ones stay as they are. */
async function copyKeys({ from, to }: CopyOptions): Promise<number> {
  const keys = await from.keys.list()
  for (const { id } of keys) {
    const key = await from.keys.find(id)
    if (key === undefined || (await to.keys.find(id)) !== undefined) continue
    const { revokedAt, lastUsedAt, ...kept } = key
    await to.keys.add(kept)
    if (lastUsedAt !== null) await to.keys.touch(id, lastUsedAt)
    if (revokedAt !== null) await to.keys.revoke(id, revokedAt)
  }
  return keys.length
}

/** Copies people's feedback on flags and dreams. */
async function copyWords({ from, to }: CopyOptions, now: number): Promise<void> {
  for (const project of await projectsOf(from)) {
    const [flags, dreams]: [number[], number[]] = [[], []]
    for await (const record of from.transfer.records(project)) {
      if (record.type === 'memory' && record.caution > 0) flags.push(record.id)
      if (record.type === 'dream') dreams.push(record.id)
    }
    for (const id of flags) {
      const said = await from.exemptions.list(project, [id])
      for (const exemption of said.toReversed()) await to.exemptions.add(project, { ...exemption, now })
    }
    for (const { dreamId: id, feedback } of await from.dreams.explain(project, dreams))
      if (feedback !== null) await to.dreams.rate(project, { id, verdict: feedback, now })
  }
}

/**
 * Copies a brain into an empty store. If an earlier copy got as far as the records, these are compared and the rest is
 * done.
 * @throws BrainError `refused` if other records exist, `failed` if what arrived differs from what was read.
 */
export async function copyBrain(options: CopyOptions, now: number): Promise<Copied> {
  const { from, to } = options
  const resumed = (await to.transfer.count()) > 0
  if (!resumed) await copyRecords(options)
  const [source, target] = [await readContents(from, options), await readContents(to, options)]
  if (source.digest !== target.digest) {
    const wanted = Object.values(source.counts).reduce((sum, n) => sum + n, 0)
    const found = Object.values(target.counts).reduce((sum, n) => sum + n, 0)
    throw resumed
      ? new BrainError(
          'refused',
          `there are ${found} records already, and not those of the brain to copy: copy into an empty one`,
        )
      : new BrainError(
          'failed',
          `${found} records with ${target.vectors} vectors arrived of ${wanted} with ${source.vectors}, or not as they were: ` +
            'somebody wrote while they were copied; stop writing, empty the copy and copy again',
        )
  }
  const keys = await copyKeys(options)
  await copyWords(options, now)
  return { ...target, keys, resumed }
}
