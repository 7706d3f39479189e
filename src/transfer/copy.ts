/**
 * Copies a whole brain from one store to another: every record with its id and times, the served vectors, and keys. The
 * copy is compared record by record, through a digest of what each store reads back.
 */
import { createHash } from 'node:crypto'
import { BrainError } from '../core/errors.ts'
import type { Embedding, Store } from '../store/store.ts'
import type { CopiedRecord, Receiving, RecordPlace } from '../store/transfer.ts'
import { toWire } from './format.ts'

/** Number of records read, with their vectors, and written together. */
const batchSize = 256

export interface CopyOptions {
  readonly from: Store
  readonly to: Store
  readonly signal: AbortSignal
  /** Tells the brain to copy from every other, the same each time. */
  readonly source: string
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
  /** Whether some or all records were there already, from an earlier copy. */
  readonly resumed: boolean
}

/** The records of one project, in batches. */
async function* batchesOf(
  store: Store,
  project: string,
  after?: RecordPlace,
): AsyncGenerator<CopiedRecord[]> {
  let batch: CopiedRecord[] = []
  for await (const one of store.transfer.copies(project, after)) {
    batch.push(one)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Every project that holds anything, or ever did. */
const projectsOf = async (store: Store): Promise<string[]> => (await store.maintenance.projects()).sort()

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

/** Copies the records that an earlier, interrupted copy has not copied. */
async function copyRecords({ from, to, signal, progress }: CopyOptions, receiving: Receiving): Promise<void> {
  const { reached } = receiving
  const [projects, total] = [await projectsOf(from), await from.transfer.count()]
  let done = reached === null ? 0 : await to.transfer.count()
  for (const project of projects.filter((name) => reached === null || name >= reached.project)) {
    const after = project === reached?.project ? reached : undefined
    for await (const batch of batchesOf(from, project, after)) {
      signal.throwIfAborted()
      await receiving.add(project, batch)
      done += batch.length
      progress({ doing: 'copying', done, total })
    }
  }
  for (const project of projects) {
    const successors: [number, number][] = []
    for await (const { record } of from.transfer.copies(project, { type: 'belief', id: 0 })) {
      if (record.type !== 'belief') break
      if (record.supersededBy !== null) successors.push([record.id, record.supersededBy])
    }
    if (successors.length > 0) await receiving.settle(project, successors)
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

/**
 * Copies a brain into an empty store, and goes on with a copy that was interrupted. If all records are there, they are
 * compared and the rest is done. Left behind is what means nothing elsewhere: the tally of calls made on the other store,
 * and the proofs that commands which settle predictions were written by this user on this machine.
 * @throws BrainError `refused` if other records exist, `failed` if what arrived differs from what was read.
 */
export async function copyBrain(options: CopyOptions): Promise<Copied> {
  const { from, to } = options
  const receiving = await to.transfer.receive(options.source)
  if (receiving !== undefined) await copyRecords(options, receiving)
  const [source, target] = [await readContents(from, options), await readContents(to, options)]
  if (source.digest !== target.digest) {
    const wanted = Object.values(source.counts).reduce((sum, n) => sum + n, 0)
    const found = Object.values(target.counts).reduce((sum, n) => sum + n, 0)
    throw receiving === undefined
      ? new BrainError(
          'refused',
          `it holds ${found} records already, or held some, and not those of the brain to copy: copy into an empty one`,
        )
      : new BrainError(
          'failed',
          `${found} records with ${target.vectors} vectors arrived of ${wanted} with ${source.vectors}, or not as they were: ` +
            'somebody wrote while they were copied; stop writing and copy into another empty brain',
        )
  }
  const keys = await copyKeys(options)
  await receiving?.finish()
  return { ...target, keys, resumed: receiving?.reached !== null }
}
