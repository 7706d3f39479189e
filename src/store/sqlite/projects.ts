/**
 * Projects and their keyword indexes. Every project has an FTS5 table of its own, so that no statistic of one
 * (how common a word is, how long texts are) ever shows in another's results.
 */
import type { Connection } from './connection.ts'

/** The characters besides letters and digits that terms are made of (see core/words.ts). */
const termCharacters = '_./:@#+~-'

export const findProject = (connection: Connection, name: string): number | undefined =>
  connection.first<{ id: number }>('SELECT id FROM project WHERE name = ?', name)?.id

/** The project's id; made with its keyword index when new. Inside a write. */
export function ensureProject(connection: Connection, name: string): number {
  const known = findProject(connection, name)
  if (known !== undefined) return known
  const { id } = connection.run('INSERT INTO project (name) VALUES (?)', name)
  connection.database.exec(`
    CREATE VIEW memory_of_${id} AS SELECT id, terms FROM memory WHERE project_id = ${id};
    CREATE VIRTUAL TABLE keyword_${id} USING fts5(
      terms, content='memory_of_${id}', content_rowid='id',
      tokenize="ascii tokenchars '${termCharacters}'"
    );
    -- Forgotten terms are removed from the index at once, not marked for a later merge.
    INSERT INTO keyword_${id} (keyword_${id}, rank) VALUES ('secure-delete', 1);
    CREATE VIRTUAL TABLE term_${id} USING fts5vocab('keyword_${id}', 'row');
  `)
  return id
}
