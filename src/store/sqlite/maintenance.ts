/**
 * Checks, repairs and copies of a brain. Knows the order of the checks and which of them may write; what each examines
 * is in its own file.
 */
import { BrainError } from '../../core/errors.ts'
import { healthy, toFinding } from '../findings.ts'
import type { Finding, MaintenanceStore } from '../store.ts'
import type { Connection } from './connection.ts'
import { copyInto } from './copy.ts'
import {
  type Examined,
  examineCounts,
  examineDatabase,
  examineFlagWords,
  examineKeywords,
  examineReferences,
  listProjects,
} from './examination.ts'
import { isDamage, toBrainError } from './faults.ts'
import { examineLeftovers, examinePermissions } from './housekeeping.ts'
import { isRewritingDue, rewritePages } from './rewriting.ts'
import { createSwitching } from './switching.ts'
import { examineVectors } from './vector-examination.ts'
import type { VectorTables } from './vectors.ts'

const rethrow = (error: unknown): never => {
  throw toBrainError(error)
}

type Step = () => Promise<Examined>

/** Work left by an interrupted forgetting; the repair does it after everything else. */
const unfinished: Examined = {
  check: 'forgotten texts',
  ok: false,
  detail: 'pages may still hold pieces of what was forgotten',
  mend: () => {},
}

/** Maintenance of the brain in `file`; undefined for one in memory, which has no files to look after. */
export function createMaintenanceStore(
  connection: Connection,
  vectors: VectorTables,
  file: string | undefined,
): MaintenanceStore {
  const switching = createSwitching(connection, vectors)

  const reading =
    (examine: () => Examined): Step =>
    () =>
      connection.read(examine)

  /** In the order of a repair: what later checks rely on comes first. */
  async function steps(): Promise<Step[]> {
    const projects = await connection.read(() => listProjects(connection))
    const ofVectors = await connection.read(() => examineVectors(connection, vectors))
    const forgetting = await connection.read(() => isRewritingDue(connection))
    const ofFiles = file === undefined ? [] : [examinePermissions, examineLeftovers]
    return [
      reading(() => examineDatabase(connection)),
      reading(() => examineReferences(connection)),
      ...projects.map((project) => () => {
        const examine = (): Examined => examineKeywords(connection, project)
        return connection.writable ? connection.write(examine) : connection.read(examine)
      }),
      reading(() => examineFlagWords(connection)),
      ...ofVectors.map(reading),
      reading(() => examineCounts(connection)),
      ...(forgetting ? [async () => unfinished] : []),
      ...ofFiles.map((examine) => async () => examine(file ?? '')),
    ]
  }

  async function check(): Promise<Finding[]> {
    const findings: Finding[] = []
    for (const step of await steps()) findings.push(toFinding(await step()))
    return findings
  }

  return {
    check,

    repair: async () => {
      // What stands in the way of it is among the findings below.
      const clear = async (): Promise<void> => {
        while (connection.writable && (await switching.clearRetired().catch(() => false)));
      }
      await clear()
      for (const step of await steps()) {
        const { ok, mend } = await step()
        if (ok || mend === undefined) continue
        await connection.write(mend).catch((error: unknown) => {
          // A mend that other damage stands in the way of stays a finding; a full disk ends the repair.
          if (error instanceof BrainError && !isDamage(error.cause)) throw error
        })
      }
      // A table of vectors that was made anew leaves the damaged one behind.
      await clear()
      while (await switching.compact().catch(() => false));
      // Also what a forgetting could not finish.
      if (connection.writable) await rewritePages(connection).catch(() => {})
      const emptied = await connection.scrub()
      const log = emptied
        ? healthy('write-ahead log', 'empty')
        : { check: 'write-ahead log', ok: false, detail: 'other processes are reading it: try again later' }
      return [...(await check()), toFinding(log)]
    },

    size: () =>
      connection.read(
        () =>
          connection.first<{ bytes: number }>(
            'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
          )?.bytes ?? 0,
      ),

    backup: (target, progress) => copyInto(target, connection.database, progress).catch(rethrow),

    projects: () => connection.read(() => listProjects(connection).map(({ name }) => name)),
  }
}
