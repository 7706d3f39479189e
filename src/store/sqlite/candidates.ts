/**
 * What search asks of SQLite, each of it answered at once, in one read. Knows whether rows of vectors lie in memory, up to date
 * with that read; in which order is asked stands in `store/search/candidates.ts`.
 */
import type { ModelIdentity } from '../../models/embedder.ts'
import type { CandidateStore } from '../candidates.ts'
import { type CandidateReads, createCandidateStore as createStore } from '../search/candidates.ts'
import { readExemptions } from '../sql/exemptions.ts'
import { runAtOnce, type Steps } from '../sql/session.ts'
import type { Connection } from './connection.ts'
import { countFlags, readFlagTerms, readGravestFlags } from './flag-terms.ts'
import { findMatching, readTermStatistics, readTermsFrom } from './keywords.ts'
import type { LiveIndex } from './live-index.ts'
import { readMemories } from './memories.ts'
import { ComparedVectors, type Found } from './nearest.ts'
import { findProject } from './projects.ts'
import { readEnds } from './samples.ts'
import { readFlags, readSelection } from './selection.ts'
import { readServedIdentity } from './served-model.ts'
import { over } from './session.ts'
import type { VectorModel } from './snapshots.ts'
import type { VectorTables } from './vectors.ts'

export interface CandidateOptions {
  readonly vectors: VectorTables
  /** In-memory vectors, in a process that lives; a command that runs once reads them where they lie. */
  readonly live: LiveIndex | undefined
}

const readTexts = (connection: Connection, projectId: number, ids: readonly number[]) =>
  new Map(
    connection
      .all<{ id: number; text: string; created_at: number }>(
        `SELECT memory.id, text, created_at FROM json_each(?) AS wanted
         CROSS JOIN memory ON memory.id = wanted.value WHERE project_id = ?`,
        JSON.stringify(ids),
        projectId,
      )
      .map(({ id, text, created_at }) => [id, { text, createdAt: created_at }]),
  )

export function createCandidateStore(
  connection: Connection,
  { vectors, live }: CandidateOptions,
): CandidateStore {
  const findModel = (model: ModelIdentity): VectorModel | undefined => {
    const id = vectors.findModel(model)
    return id === undefined ? undefined : { id, dimension: model.dimension }
  }

  const readsOf = (project: string, projectId: number, found: Found | undefined): CandidateReads => ({
    vectors: (query) => found && new ComparedVectors({ connection, vectors }, found, query),
    served: () => readServedIdentity(connection),
    statistics: (terms) => readTermStatistics(connection, project, terms),
    termsFrom: (prefix) => readTermsFrom(connection, project, prefix),
    selection: (filter) => readSelection(connection, projectId, filter),
    matches: (query) => findMatching(connection, projectId, query),
    ends: () => readEnds(connection, projectId),
    texts: (ids) => readTexts(connection, projectId, ids),
    flags: () => readFlags(connection, projectId),
    countFlags: (now) => countFlags(connection, projectId, now),
    flagTerms: (asked) => readFlagTerms(connection, projectId, asked),
    gravestFlags: (asked) => readGravestFlags(connection, projectId, asked),
    memories: (ids) => readMemories(connection, projectId, ids),
    exemptions: (flagIds) => over(connection, projectId, (session) => readExemptions(session, flagIds)),
  })

  async function read<T>(
    project: string,
    asked: ModelIdentity | undefined,
    work: (reads: CandidateReads) => Steps<T>,
  ): Promise<T> {
    for (;;) {
      const wanted = live && asked && findModel(asked)
      const rows = wanted && (await live.rows(wanted))
      const made = await connection.read(() => {
        const model = asked && findModel(asked)
        // Somebody wrote, or replaced the model's table, since the rows were brought up to date.
        if (rows !== undefined && !(model?.id === wanted?.id && live?.isCurrent(rows))) return undefined
        const projectId = findProject(connection, project)
        const found = model && projectId !== undefined ? { projectId, model, rows } : undefined
        return { value: runAtOnce(work(readsOf(project, projectId ?? 0, found))) }
      })
      if (made !== undefined) return made.value
    }
  }

  return createStore(read)
}
