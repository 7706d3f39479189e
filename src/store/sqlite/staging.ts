/**
 * Where an import waits until it is whole: a database of its own beside the brain, so that nobody sees a part, a
 * wrong line changes nothing, and an interrupted import goes on where it stopped. Knows staged rows; their way into
 * the brain is the intake's.
 */
import { dirname, join } from 'node:path'
import type { ModelIdentity } from '../../models/embedder.ts'
import { termsOf } from '../rows/memories.ts'
import { requireVector } from '../search/usable-vectors.ts'
import { bytesOf, toTokens, toVectors } from '../search/vector-bytes.ts'
import { Intake } from '../sql/intake.ts'
import { PresentRecords } from '../sql/present-records.ts'
import {
  addsUpOtherwise,
  createToken,
  isTaken,
  lacksEvents,
  lacksSuccessor,
  leadsNowhere,
  maxKeptId,
  noRecords,
  sameSum,
} from '../staging-rules.ts'
import type { Embedding } from '../store.ts'
import {
  type CommitOptions,
  type ImportedMemory,
  type ImportedRecord,
  referencesOf,
  type SourcePosition,
  type StagedRecord,
  type Staging,
  type Taken,
  type TransferKind,
} from '../transfer.ts'
import { loadDatabase } from './binding.ts'
import { Connection, type Steps } from './connection.ts'
import { isDiskFull, toBrainError } from './faults.ts'
import { insertRow } from './insert.ts'
import { createTaking } from './intake.ts'
import { findTaken, noteTaken } from './last-import.ts'
import { ensureProject, findProject } from './projects.ts'
import { over } from './session.ts'
import { dropStagingFile, openStagingFile, stagingSchema, stagingTables } from './staging-file.ts'
import { createSwitching } from './switching.ts'
import { findModel, insertModel, type VectorTables } from './vectors.ts'

/** Records read at a time, and the bytes that they may have: texts may be long, and their terms as long again. */
const pageSize = 500
const pageBytes = 2_097_152

interface RecordRow {
  line: number
  project: string
  type: TransferKind
  id: number | null
  body: string
  model_id: number | null
}

/** A record as it waits: with the terms of its text, which would cost the brain's lock a third of its time. */
type Body = ImportedRecord & { readonly terms?: string }

const toBody = (record: ImportedRecord): Body =>
  record.type === 'memory' ? { ...record, terms: termsOf(record.text) } : record

interface Parts {
  readonly brain: Connection
  readonly vectors: VectorTables
  readonly file: string | undefined
  readonly stage: Connection
}

export class SqliteStaging implements Staging {
  readonly #brain: Connection
  readonly #vectors: VectorTables
  readonly #file: string | undefined
  readonly #stage: Connection
  readonly #token: string
  /** Ids of the brain's projects, while records are written. */
  readonly #projects = new Map<string, number>()
  readonly resumed: SourcePosition | undefined
  readonly committed: boolean
  /** What it was, if it was committed by a process that died before the staging was gone. */
  readonly #taken: Taken | undefined
  #isFull = false

  private constructor(
    parts: Parts,
    source: { token: string; resumed?: SourcePosition; taken?: Taken | undefined },
  ) {
    this.#brain = parts.brain
    this.#vectors = parts.vectors
    this.#file = parts.file
    this.#stage = parts.stage
    this.#token = source.token
    this.resumed = source.resumed
    this.#taken = source.taken
    this.committed = source.taken !== undefined
  }

  /** Opens the staging area of a brain. @throws BrainError `busy` while another process imports. */
  static open(brain: Connection, vectors: VectorTables, name: string): SqliteStaging {
    const file = brain.file === undefined ? undefined : join(dirname(brain.file), 'import.db')
    const database = file === undefined ? loadDatabase(':memory:') : openStagingFile(file)
    const stage = new Connection(database, { file: undefined, holders: () => [] })
    try {
      return SqliteStaging.#prepare({ brain, vectors, file, stage }, name)
    } catch (error) {
      database.close()
      // What an earlier import left may be what takes the room.
      if (file !== undefined && isDiskFull(toBrainError(error))) dropStagingFile(file)
      throw error
    }
  }

  /** The staging area for the import called `name`: as it was left, or empty. */
  static #prepare(parts: Parts, name: string): SqliteStaging {
    const { brain, stage } = parts
    const known = SqliteStaging.#read(stage)
    if (known !== undefined && known.name === name) {
      const { lines, bytes, digest, token } = known
      const resumed = lines > 0 && { resumed: { lines, bytes, digest } }
      return new SqliteStaging(parts, { token, ...resumed, taken: findTaken(brain, token) })
    }
    const token = createToken()
    SqliteStaging.#clear(stage)
    stage.run('INSERT INTO source VALUES (?, ?, 0, 0, ?)', name, token, '')
    return new SqliteStaging(parts, { token })
  }

  static #read(stage: Connection): (SourcePosition & { name: string; token: string }) | undefined {
    if (stage.first("SELECT 1 FROM sqlite_schema WHERE name = 'source'") === undefined) return undefined
    return stage.first('SELECT * FROM source')
  }

  static #clear(stage: Connection): void {
    for (const table of stagingTables) {
      stage.database.exec(`DROP TABLE IF EXISTS ${table}`)
    }
    stage.database.exec(stagingSchema)
  }

  projects(): Promise<string[]> {
    return this.#stage.read(() =>
      this.#stage
        .all<{ project: string }>('SELECT DISTINCT project FROM record ORDER BY project')
        .map(({ project }) => project),
    )
  }

  known(memories: readonly { project: string; record: ImportedMemory }[]): Promise<boolean[]> {
    return this.#brain.read(() => {
      const present = over(this.#brain, 0, PresentRecords.read)
      return memories.map(({ project, record }) => {
        const projectId = findProject(this.#brain, project) ?? 0
        return over(this.#brain, projectId, (session) => present.find(session, record)) !== undefined
      })
    })
  }

  add(records: readonly StagedRecord[], position: SourcePosition): Promise<void> {
    return this.#noticeFull(
      this.#stage.write(() => {
        for (const record of records) this.#insert(record)
        const { lines, bytes, digest } = position
        this.#stage.run('UPDATE source SET lines = ?, bytes = ?, digest = ?', lines, bytes, digest)
      }),
    )
  }

  async #noticeFull<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.#isFull ||= isDiskFull(error)
      throw error
    }
  }

  #find(type: string, id: number): { project: string; new_id: number | null } | undefined {
    return this.#stage.first('SELECT project, new_id FROM record WHERE type = ? AND id = ?', type, id)
  }

  #insert({ line, project, record, embedding }: StagedRecord): void {
    if (record.id !== null && this.#find(record.type, record.id) !== undefined) {
      throw isTaken(line, { kind: record.type, id: record.id })
    }
    const successor = record.type === 'belief' ? record.supersededBy : null
    for (const { kind, id } of referencesOf(record)) {
      // A belief's successor comes after it.
      if (id !== successor && this.#find(kind, id)?.project !== project) {
        throw leadsNowhere(line, { kind, id })
      }
    }
    insertRow(this.#stage, 'record', {
      line,
      project,
      type: record.type,
      id: record.id,
      refers: record.type === 'evidence' ? record.beliefId : successor,
      body: JSON.stringify(toBody(record)),
      model_id: embedding === undefined ? null : this.#model(embedding.model),
    })
    for (const passage of embedding?.passages ?? []) {
      requireVector(passage.vector, embedding?.model.dimension ?? 0)
      insertRow(this.#stage, 'passage', {
        line,
        start: passage.start,
        end: passage.end,
        tokens: bytesOf(passage.tokens),
        vector: bytesOf(passage.vector),
      })
    }
  }

  #model(model: ModelIdentity): number {
    return findModel(this.#stage, model) ?? insertModel(this.#stage, model)
  }

  /** @throws BrainError `invalid` naming a line that leads nowhere or lacks what belongs to it. */
  #requireWhole(): void {
    const lost = this.#stage.first<{ line: number; refers: number }>(
      `SELECT line, refers FROM record AS old WHERE type = 'belief' AND refers IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM record WHERE type = 'belief' AND id = old.refers AND project = old.project) LIMIT 1`,
    )
    if (lost !== undefined) throw lacksSuccessor(lost.line, lost.refers)
    const torn = this.#stage.first<{ line: number; id: number; count: number; events: number }>(
      `SELECT line, id, count, events FROM (
         SELECT line, id, json_extract(body, '$.evidenceCount') AS count,
           (SELECT count(*) FROM record AS event WHERE event.type = 'evidence' AND event.refers = belief.id) AS events
         FROM record AS belief WHERE type = 'belief') WHERE count <> events LIMIT 1`,
    )
    if (torn !== undefined) {
      throw lacksEvents(torn.line, torn)
    }
    const wild = this.#stage.first<{ line: number; id: number; ratio: number; sum: number }>(
      `SELECT line, id, ratio, sum FROM (
         SELECT line, id, json_extract(body, '$.logRatio') AS ratio,
           (SELECT total(json_extract(body, '$.logLikelihood')) FROM record AS event
            WHERE event.type = 'evidence' AND event.refers = belief.id) AS sum
         FROM record AS belief WHERE type = 'belief') WHERE abs(ratio - sum) > ${sameSum} LIMIT 1`,
    )
    if (wild !== undefined) {
      throw addsUpOtherwise(wild.line, wild)
    }
  }

  async commit({ progress, signal }: CommitOptions): Promise<Taken> {
    this.#requireWhole()
    const total = this.#stage.first<{ n: number }>('SELECT count(*) AS n FROM record')?.n ?? 0
    if (this.#taken !== undefined) {
      await this.discard()
      return this.#taken
    }
    const taken = { counts: noRecords(), known: 0, differing: 0 }
    const write = () => this.#write(taken, { signal, progress: (done) => progress(done, total) })
    // Ids given in a transaction that is rolled back are forgotten with it.
    await this.#noticeFull(this.#brain.exclusive(() => this.#stage.within(write)))
    await this.discard()
    // What makes search quick, in short commits of its own; what is not done now is done later.
    const { compact } = createSwitching(this.#brain, this.#vectors)
    while (await compact().catch(() => false));
    return taken
  }

  /** Writes all that is staged, and counts in `taken` what it was. Inside a write of the brain and the staging area. */
  *#write(
    taken: { readonly counts: Record<TransferKind, number>; known: number; differing: number },
    { progress, signal }: { readonly progress: (done: number) => void; readonly signal: AbortSignal },
  ): Steps {
    this.#projects.clear()
    const intake = this.#createIntake()
    let done = 0
    for (const page of this.#pages()) {
      signal.throwIfAborted()
      for (const row of page) {
        if (this.#take(intake, row)) taken.known += 1
        else taken.counts[row.type] += 1
      }
      done += page.length
      yield () => progress(done)
    }
    taken.differing = intake.differing
    this.#settle(intake, taken)
  }

  #createIntake(): Intake {
    const present = over(this.#brain, 0, PresentRecords.read)
    const keepIds =
      present.untouched &&
      this.#stage.first('SELECT 1 FROM record WHERE id IS NULL OR id > ? LIMIT 1', maxKeptId) === undefined
    return new Intake({
      present: keepIds ? undefined : present,
      token: this.#token,
      idOf: (type, id) => this.#find(type, id)?.new_id ?? undefined,
    })
  }

  /** The last line of the page after a line: as many records as fit, and at least one. */
  #pageEnd(after: number): number | undefined {
    const sizes = this.#stage.all<{ line: number; bytes: number }>(
      `SELECT line, octet_length(body) AS bytes FROM record WHERE line > ? ORDER BY line LIMIT ${pageSize}`,
      after,
    )
    let bytes = 0
    const fitting = sizes.filter((size, at) => {
      bytes += size.bytes
      return at === 0 || bytes <= pageBytes
    })
    return fitting.at(-1)?.line
  }

  *#pages(): Generator<RecordRow[]> {
    let after = 0
    for (;;) {
      const end = this.#pageEnd(after)
      if (end === undefined) return
      yield this.#stage.all<RecordRow>(
        'SELECT line, project, type, id, body, model_id FROM record WHERE line > ? AND line <= ? ORDER BY line',
        after,
        end,
      )
      after = end
    }
  }

  #projectOf(name: string): number {
    const known = this.#projects.get(name) ?? ensureProject(this.#brain, name)
    this.#projects.set(name, known)
    return known
  }

  /** Returns whether it was here already. */
  #take(intake: Intake, row: RecordRow): boolean {
    // Written by #insert and by nobody else.
    const { terms, ...record } = JSON.parse(row.body) as Body
    const arriving = { record, embedding: this.#embedding(row), terms }
    const { id, known } = over(this.#brain, this.#projectOf(row.project), (session) =>
      createTaking(this.#brain, this.#vectors)(session, intake, arriving),
    )
    if (row.id !== null) this.#stage.run('UPDATE record SET new_id = ? WHERE line = ?', id, row.line)
    return known
  }

  #embedding({ line, model_id }: RecordRow): Embedding | undefined {
    if (model_id === null) return undefined
    const model = this.#stage.first<{ name: string; hash: string; dimension: number }>(
      'SELECT name, hash, dimension FROM model WHERE id = ?',
      model_id,
    )
    if (model === undefined) return undefined
    const passages = this.#stage
      .all<{ start: number; end: number; tokens: Uint8Array; vector: Uint8Array }>(
        'SELECT start, end, tokens, vector FROM passage WHERE line = ? ORDER BY rowid',
        line,
      )
      .map(({ start, end, tokens, vector }) => ({
        start,
        end,
        tokens: toTokens(tokens),
        vector: toVectors(vector),
      }))
    return { model, passages }
  }

  #settle(intake: Intake, taken: Taken): void {
    const replaced = this.#stage.all<{ project: string; id: number; refers: number }>(
      "SELECT project, id, refers FROM record WHERE type = 'belief' AND refers IS NOT NULL",
    )
    for (const { project, id, refers } of replaced)
      over(this.#brain, this.#projectOf(project), (session) => intake.settleSuccessor(session, id, refers))
    over(this.#brain, 0, (session) => intake.settleIds(session))
    // Should this process die before the staging is gone, nobody takes it in a second time, and who goes on says what it was.
    noteTaken(this.#brain, this.#token, taken)
  }

  async discard(): Promise<void> {
    await this.#stage.close()
    try {
      if (this.#file !== undefined) dropStagingFile(this.#file)
    } catch {
      // What cannot be removed now is known to the next import as done, or as somebody else's.
    }
  }

  /** Leaves what is staged for the next time; where the disk is full it goes, since it takes the room that is missing. */
  close(): Promise<void> {
    return this.#isFull ? this.discard() : this.#stage.close()
  }
}
