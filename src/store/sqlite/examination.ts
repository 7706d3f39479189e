/**
 * Consistency checks within a brain: rows with their indexes, keyword entries and vectors, counts with rows. Knows how
 * to repair each from data that is not derived: texts are never touched.
 */
import { counted } from '../../core/counts.ts'
import { healthy, type Unmended } from '../findings.ts'
import type { Connection } from './connection.ts'
import { isUnwritable } from './faults.ts'
import { addFlagTerms } from './flag-terms.ts'
import { createKeywordIndex, hasKeywordIndex, rebuildKeywords, resetFormat } from './projects.ts'

/** A finding, and its repair if that is possible without loss. */
export interface Examined extends Unmended {
  readonly mend?: () => void
}

/** Damage to an index only; the rows it refers to exist. */
const indexDamage =
  /^(row \d+ missing from index|wrong # of entries in index|non-unique entry in index|rowid not at end)/

function readComplaints(connection: Connection): string[] {
  try {
    return connection
      .all<{ integrity_check: string }>('PRAGMA integrity_check(20)')
      .flatMap((row) => row.integrity_check.split('\n'))
      .filter((complaint) => !complaint.startsWith('***'))
  } catch (error) {
    return [(error as Error).message]
  }
}

export function examineDatabase(connection: Connection): Examined {
  const check = 'database'
  const complaints = readComplaints(connection).filter(
    // Keyword indexes have a check of their own.
    (complaint) => complaint !== 'ok' && !/inverted index for FTS5 table/.test(complaint),
  )
  if (complaints.length === 0) return healthy(check, 'every page is sound')
  const detail = `damaged (${complaints.slice(0, 3).join('; ')})`
  if (!complaints.every((complaint) => indexDamage.test(complaint))) {
    return { check, ok: false, detail: `${detail}: restore a backup` }
  }
  return { check, ok: false, detail, mend: () => connection.database.exec('REINDEX') }
}

/** Tables whose rows are useless without the row they refer to. */
const derivedTables = new Set([
  'passage',
  'unembedded',
  'flag_term',
  'dream_source',
  'prediction_term',
  'snapshot',
])

export function examineReferences(connection: Connection): Examined {
  const check = 'references'
  const broken = connection.all<{ table: string; rowid: number | null; parent: string }>(
    'PRAGMA foreign_key_check',
  )
  if (broken.length === 0) return healthy(check, 'every record has its owner')
  const tables = [...new Set(broken.map(({ table }) => table))]
  const detail = `${counted(broken.length, 'record')} of ${tables.join(', ')} ${broken.length === 1 ? 'refers' : 'refer'} to nothing`
  if (!tables.every((table) => derivedTables.has(table))) return { check, ok: false, detail }
  const parents: Record<string, string> = {
    passage: 'memory_id NOT IN (SELECT id FROM memory) OR model_id NOT IN (SELECT id FROM model)',
    unembedded: 'memory_id NOT IN (SELECT id FROM memory)',
    flag_term: 'memory_id NOT IN (SELECT id FROM memory)',
    dream_source: 'memory_id NOT IN (SELECT id FROM memory) OR dream_id NOT IN (SELECT id FROM dream)',
    snapshot: 'model_id NOT IN (SELECT id FROM model)',
    prediction_term: 'prediction_id NOT IN (SELECT id FROM prediction)',
  }
  return {
    check,
    ok: false,
    detail,
    mend: () => {
      for (const table of tables) connection.run(`DELETE FROM ${table} WHERE ${parents[table]}`)
    },
  }
}

interface ProjectRow {
  id: number
  name: string
}

export const listProjects = (connection: Connection): ProjectRow[] =>
  connection.all<{ id: number; name: string }>('SELECT id, name FROM project ORDER BY name')

/** Inside a write: FTS5 takes its integrity check as an insertion. */
export function examineKeywords(connection: Connection, { id, name }: ProjectRow): Examined {
  const check = `keywords of ${name}`
  const mend = (): void => {
    if (hasKeywordIndex(connection, id)) resetFormat(connection, id)
    else createKeywordIndex(connection, id)
    rebuildKeywords(connection, id)
  }
  if (!hasKeywordIndex(connection, id)) return { check, ok: false, detail: 'there is no index', mend }
  try {
    connection.run(`INSERT INTO keyword_${id} (keyword_${id}, rank) VALUES ('integrity-check', 1)`)
    return healthy(check, 'the index agrees with the memories')
  } catch (error) {
    if (isUnwritable(error)) return healthy(check, 'not checked: nothing can be written here')
    return { check, ok: false, detail: 'the index does not agree with the memories', mend }
  }
}

/** Terms of a memory as they are stored: separated by spaces, none for an empty string. */
const termCount = `CASE terms WHEN '' THEN 0 ELSE length(terms) - length(replace(terms, ' ', '')) + 1 END`

/** What a project says of itself, against its rows. */
export function examineCounts(connection: Connection): Examined {
  const check = 'counts'
  const wrong = connection.all<{
    id: number
    name: string
    memories: number
    terms: number
    waiting: number
  }>(
    `WITH held AS (
       SELECT project_id, count(*) AS memories, sum(${termCount}) AS terms FROM memory GROUP BY project_id
     ), behind AS (SELECT project_id, count(*) AS waiting FROM unembedded GROUP BY project_id)
     SELECT project.id, name, coalesce(held.memories, 0) AS memories, coalesce(held.terms, 0) AS terms,
            coalesce(waiting, 0) AS waiting
     FROM project LEFT JOIN held ON held.project_id = project.id LEFT JOIN behind ON behind.project_id = project.id
     WHERE (project.memories, project.terms, project.unembedded) <>
           (coalesce(held.memories, 0), coalesce(held.terms, 0), coalesce(waiting, 0))`,
  )
  if (wrong.length === 0) return healthy(check, 'every project is counted right')
  return {
    check,
    ok: false,
    detail: `memories, terms or waiting ones are miscounted in ${wrong.map(({ name }) => name).join(', ')}`,
    mend: () => {
      for (const { id, memories, terms, waiting } of wrong) {
        connection.run(
          'UPDATE project SET memories = ?, terms = ?, unembedded = ? WHERE id = ?',
          memories,
          terms,
          waiting,
          id,
        )
      }
    },
  }
}

/** The words of flags against the flags themselves. */
export function examineFlagWords(connection: Connection): Examined {
  const check = 'words of flags'
  const flags = connection.all<{ id: number; project_id: number; terms: string }>(
    'SELECT id, project_id, terms FROM memory WHERE caution > 0',
  )
  const wordsOf = (terms: string): Set<string> => new Set(terms === '' ? [] : terms.split(' '))
  const wrong = flags.filter(({ id, terms }) => {
    const stored = connection.all<{ term: string }>('SELECT term FROM flag_term WHERE memory_id = ?', id)
    const words = wordsOf(terms)
    return stored.length !== words.size || stored.some(({ term }) => !words.has(term))
  })
  if (wrong.length === 0) return healthy(check, 'every flag has its words')
  return {
    check,
    ok: false,
    detail: `${counted(wrong.length, 'flag lacks words of its own, or has', 'flags lack words of theirs, or have')} others`,
    mend: () => {
      for (const { id, project_id, terms } of wrong) {
        connection.run('DELETE FROM flag_term WHERE memory_id = ?', id)
        addFlagTerms(connection, { id, projectId: project_id, terms: wordsOf(terms) })
      }
    },
  }
}
