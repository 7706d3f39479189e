/**
 * Projects and their keyword indexes. Every project has an FTS5 table of its own, so that no statistic of one
 * (how common a word is, how long texts are) ever shows in another's results.
 */
import type { Connection } from './connection.ts'

/** The characters besides letters and digits that terms are made of (see core/words.ts). */
const termCharacters = '_./:@#+~-'

export const findProject = (connection: Connection, name: string): number | undefined =>
  connection.first<{ id: number }>('SELECT id FROM project WHERE name = ?', name)?.id

/** Whether the project's keyword index is there. */
export const hasKeywordIndex = (connection: Connection, projectId: number): boolean =>
  connection.first('SELECT 1 FROM sqlite_schema WHERE name = ?', `keyword_${projectId}`) !== undefined

/** What follows CREATE and the type in the schema; a brain's schema is compared with it to the last space. */
const keywordIndexTexts = (projectId: number) => ({
  view: `memory_of_${projectId} AS
      SELECT id, terms FROM memory WHERE project_id = ${projectId}`,
  index: `keyword_${projectId} USING fts5(
      terms, content='memory_of_${projectId}', content_rowid='id',
      tokenize="ascii tokenchars '${termCharacters}'"
    )`,
  terms: `term_${projectId} USING fts5vocab('keyword_${projectId}', 'row')`,
})

/** The schema's entries of a project's keyword index, by name. */
export function keywordIndexEntries(projectId: number): ReadonlyMap<string, string> {
  const { view, index, terms } = keywordIndexTexts(projectId)
  return new Map([
    [`memory_of_${projectId}`, `CREATE VIEW ${view}`],
    [`keyword_${projectId}`, `CREATE VIRTUAL TABLE ${index}`],
    [`term_${projectId}`, `CREATE VIRTUAL TABLE ${terms}`],
  ])
}

/** Makes an empty keyword index for a project. Inside a write. */
export function createKeywordIndex(connection: Connection, projectId: number): void {
  const { view, index, terms } = keywordIndexTexts(projectId)
  connection.database.exec(`
    CREATE VIEW IF NOT EXISTS ${view};
    CREATE VIRTUAL TABLE ${index};
    -- Forgotten terms are removed from the index at once, not marked for a later merge.
    INSERT INTO keyword_${projectId} (keyword_${projectId}, rank) VALUES ('secure-delete', 1);
    CREATE VIRTUAL TABLE IF NOT EXISTS ${terms};
  `)
}

/** The project's id; made with its keyword index when new. Inside a write. */
export function ensureProject(connection: Connection, name: string): number {
  const known = findProject(connection, name)
  if (known !== undefined) return known
  const { id } = connection.run('INSERT INTO project (name) VALUES (?)', name)
  createKeywordIndex(connection, id)
  return id
}

/** One character a byte, so that a word can be cut where FTS5 cuts it: anywhere. */
const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/**
 * Whether the project's keyword index still tells of one of `terms` that no memory holds any more: FTS5 keeps the
 * beginnings of some words as signposts between its pages, and leaves them there when the words go.
 */
export function hasTraces(connection: Connection, projectId: number, terms: Iterable<string>): boolean {
  const signposts = new Set(
    connection
      .all<{ term: Uint8Array }>(`SELECT term FROM keyword_${projectId}_idx`)
      // The first byte tells FTS5's own indexes apart.
      .map(({ term }) => Buffer.from(term).toString('latin1', 1)),
  )
  for (const term of terms) {
    const bytes = toBytes(term)
    for (let end = 1; end <= bytes.length; end += 1) {
      const beginning = bytes.slice(0, end)
      if (!signposts.has(beginning)) continue
      const living = connection.first<{ term: string }>(
        `SELECT term FROM term_${projectId} WHERE term >= CAST(? AS TEXT) ORDER BY term LIMIT 1`,
        Buffer.from(beginning, 'latin1'),
      )
      if (living === undefined || !toBytes(living.term).startsWith(beginning)) return true
    }
  }
  return false
}

/** The formats of FTS5's own tables: 4, and 5 once something was removed at once (fts5Int.h, FTS5_CURRENT_VERSION). */
const formats = '4, 5'

/** Lets FTS5 read its tables again whose format is damaged, for as long as it takes to write them anew. Inside a write. */
export function resetFormat(connection: Connection, projectId: number): void {
  const config = `keyword_${projectId}_config`
  // Tables that belong to a virtual one are otherwise its own to write.
  connection.database.unsafeMode(true)
  try {
    connection.run(
      `INSERT OR REPLACE INTO ${config} (k, v) SELECT 'version', 4
       WHERE NOT EXISTS (SELECT 1 FROM ${config} WHERE k = 'version' AND v IN (${formats}))`,
    )
  } finally {
    connection.database.unsafeMode(false)
  }
}

/** Writes the project's keyword index anew from its memories. Inside a write. */
export function rebuildKeywords(connection: Connection, projectId: number): void {
  connection.run(`INSERT INTO keyword_${projectId} (keyword_${projectId}) VALUES ('rebuild')`)
}
