/**
 * Vectors of projects in memory: read once for the first question, then kept in step by what was written and removed
 * since, whoever did it. A cache and nothing else: what it holds stands in the database, and it is dropped when a
 * connection is lost.
 */
import { totalmem } from 'node:os'
import process from 'node:process'
import { msPerHour } from '../../core/durations.ts'
import { RowWindows } from '../search/row-window.ts'
import { toInt8s, toTokens } from '../search/vector-bytes.ts'
import type { Database } from './connection.ts'
import type { KnownModel } from './models.ts'
import { type PassageRow, ProjectVectors } from './project-vectors.ts'
import { isAsRecent, type Snapshot } from './snapshot.ts'
import type { Transaction, Value } from './transaction.ts'

/**
 * Bytes of vectors that are kept at most, those asked for last; a single project may be larger. To read a project again
 * takes some hundred times as long as to search it, so that what is there to be used is used.
 */
const maxBytes = Math.max(
  512 * 2 ** 20,
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 8,
)

/** Milliseconds after which everything is read again: the database lists for a day what was removed. */
const maxIdle = 6 * msPerHour

/** Passages read at a time. */
const batchRows = 5_000

interface Kept {
  readonly vectors: ProjectVectors
  /** What the transaction that read all of it saw. */
  readonly loaded: Snapshot
  /** The lowest transaction of which we may not know all that it wrote. */
  seen: bigint
  /** When we last looked. */
  followed: number
}

interface Columns {
  readonly id: number
  readonly memory_id: number
  readonly flag: boolean
  readonly tokens: Buffer
  readonly vector: Buffer
}

const columns = 'id, memory_id, flag, tokens, vector'

const toPassage = ({ id, memory_id, flag, tokens, vector }: Columns): PassageRow => ({
  id,
  memoryId: memory_id,
  flag,
  tokens: toTokens(tokens),
  vector: toInt8s(vector),
})

/** Passages of the project by their own condition, with word pieces and vectors. Inside a read. */
export const readPassages = async (
  transaction: Transaction,
  condition: string,
  values: readonly Value[],
): Promise<PassageRow[]> =>
  (
    await transaction.all<Columns>(`SELECT ${columns} FROM passage WHERE project_id = $1 AND ${condition}`, [
      transaction.projectId,
      ...values,
    ])
  ).map(toPassage)

interface Batch {
  readonly ids: number[] | null
  readonly memoryIds: number[]
  readonly flags: number[]
  /** Bytes of each one's word pieces, which stand one after the other, as the vectors do. */
  readonly lengths: number[]
  readonly tokens: Buffer
  readonly vectors: Buffer
}

/** The next passages by their ids; in one row, as the driver takes ten times as long for a row each. */
async function readBatch(
  transaction: Transaction,
  { id: modelId, dimension }: KnownModel,
  after: number,
): Promise<PassageRow[]> {
  const batch = await transaction.first<Batch>(
    `SELECT array_agg(id) AS ids, array_agg(memory_id) AS "memoryIds", array_agg(flag::int) AS flags,
       array_agg(octet_length(tokens)) AS lengths, string_agg(tokens, '') AS tokens, string_agg(vector, '') AS vectors
     FROM (SELECT ${columns} FROM passage WHERE project_id = $1 AND model_id = $2 AND id > $3
           ORDER BY id LIMIT ${batchRows}) AS next`,
    [transaction.projectId, modelId, after],
  )
  if (batch?.ids == null) return []
  const { ids, memoryIds, flags, lengths, tokens, vectors } = batch
  let end = 0
  return ids.map((id, at) => {
    const start = end
    end += lengths[at] ?? 0
    return {
      id,
      memoryId: memoryIds[at] ?? 0,
      flag: flags[at] === 1,
      tokens: toTokens(tokens.subarray(start, end)),
      vector: toInt8s(vectors.subarray(at * dimension, (at + 1) * dimension)),
    }
  })
}

export class VectorCache {
  readonly #database: Database
  readonly #kept = new Map<string, Kept>()
  readonly #loading = new Map<string, Promise<void>>()
  readonly #windows = new RowWindows()
  #losses = 0

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * All vectors of the transaction's project, up to date with what it sees; undefined where they were read by one that saw more,
   * and this one is to be run again. Searched at once: what comes later may be of others.
   */
  async get(
    transaction: Transaction,
    model: KnownModel,
    snapshot: Snapshot,
  ): Promise<ProjectVectors | undefined> {
    if (this.#losses !== this.#database.losses) {
      this.#losses = this.#database.losses
      this.#kept.clear()
    }
    const name = `${transaction.projectId} ${model.id}`
    // Many questions may be the first ones.
    while (this.#loading.has(name)) await this.#loading.get(name)
    const known = this.#kept.get(name)
    // A server whose counter starts again is another server.
    const lapsed = known !== undefined && Date.now() - known.followed > maxIdle
    if (known === undefined || lapsed || known.vectors.isWorn || snapshot.xmax < known.loaded.xmin)
      return this.#loadAlone(name, () => this.#load(transaction, model, snapshot))
    if (!isAsRecent(snapshot, known.loaded)) return undefined
    await this.#follow(transaction, model, { ...known, snapshot })
    known.followed = Date.now()
    known.vectors.settle(snapshot)
    if (snapshot.xmin > known.seen) known.seen = snapshot.xmin
    this.#kept.delete(name)
    this.#kept.set(name, known)
    return known.vectors
  }

  async #loadAlone(name: string, load: () => Promise<ProjectVectors>): Promise<ProjectVectors> {
    const loading = load()
    this.#loading.set(
      name,
      loading.then(
        () => {},
        () => {},
      ),
    )
    try {
      return await loading
    } finally {
      this.#loading.delete(name)
    }
  }

  async #load(transaction: Transaction, model: KnownModel, snapshot: Snapshot): Promise<ProjectVectors> {
    const vectors = new ProjectVectors(this.#windows.of(model.dimension), model.dimension)
    for (let after = 0; ; ) {
      const rows = await readBatch(transaction, model, after)
      for (const row of rows) vectors.add(row)
      after = rows.at(-1)?.id ?? 0
      if (rows.length < batchRows) break
    }
    this.#kept.set(`${transaction.projectId} ${model.id}`, {
      vectors,
      loaded: snapshot,
      seen: snapshot.xmin,
      followed: Date.now(),
    })
    this.#drop()
    return vectors
  }

  /** Those asked for longest ago go first. */
  #drop(): void {
    let bytes = [...this.#kept.values()].reduce((sum, { vectors }) => sum + vectors.bytes, 0)
    for (const [name, { vectors }] of this.#kept) {
      if (bytes <= maxBytes || this.#kept.size === 1) return
      this.#kept.delete(name)
      bytes -= vectors.bytes
    }
  }

  /** Takes in what was written and removed since; of what is known already nothing but its number is read. */
  async #follow(
    transaction: Transaction,
    model: KnownModel,
    { vectors, seen, snapshot }: Pick<Kept, 'vectors' | 'seen'> & { readonly snapshot: Snapshot },
  ): Promise<void> {
    // What this server cannot have written yet came with a backup of another, and was read with all the rest.
    const since = 'written >= $3::xid8 AND written < $4::xid8'
    const changed = await transaction.first<{ added: number[]; gone: number[]; goneBy: string[] }>(
      `SELECT ARRAY(SELECT id FROM passage WHERE project_id = $1 AND model_id = $2 AND ${since}) AS added,
         ARRAY(SELECT passage_id FROM removed_passage WHERE project_id = $1 AND ${since}
               ORDER BY written, passage_id) AS gone,
         ARRAY(SELECT written::text FROM removed_passage WHERE project_id = $1 AND ${since}
               ORDER BY written, passage_id) AS "goneBy"`,
      [transaction.projectId, model.id, String(seen), String(snapshot.xmax)],
    )
    const unknown = (changed?.added ?? []).filter((id) => !vectors.has(id))
    if (unknown.length > 0) {
      const rows = await transaction.all<Columns & { written: string }>(
        `SELECT ${columns}, written::text AS written FROM passage
         WHERE project_id = $1 AND id = ANY($2::bigint[]) ORDER BY id`,
        [transaction.projectId, unknown],
      )
      for (const row of rows) vectors.add(toPassage(row), BigInt(row.written))
    }
    for (const [at, id] of (changed?.gone ?? []).entries())
      vectors.remove(id, BigInt(changed?.goneBy[at] ?? 0))
  }
}
