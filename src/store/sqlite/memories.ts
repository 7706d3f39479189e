/** Memories in SQLite: row, keyword entry and vectors, always together. Knows which tables one memory lives in. */
import { BrainError } from '../../core/errors.ts'
import type { Memory } from '../../core/records.ts'
import type { MemoryLife } from '../memory-life.ts'
import { fromMemory, type MemoryRow, termsOf, toMemory } from '../rows/memories.ts'
import { requireVectors } from '../search/usable-vectors.ts'
import { bytesOf } from '../search/vector-bytes.ts'
import { createMemoryReads } from '../sql/memories.ts'
import { writeTags } from '../sql/memory-life.ts'
import { insertCitations, insertProvenance } from '../sql/provenance.ts'
import type { AddedMemory, Embedding, MemoryStore, NewMemory } from '../store.ts'
import type { Connection } from './connection.ts'
import { addFlagTerms } from './flag-terms.ts'
import { insertRow } from './insert.ts'
import { selectedColumns } from './memory-columns.ts'
import { ensureProject, findProject } from './projects.ts'
import { readServedModel, writeServedModel } from './served-model.ts'
import { createSqlDatabase, over } from './session.ts'
import { partitionOf, type VectorTables } from './vectors.ts'

/** The project's memories of these ids. Inside a read. */
export const readMemories = (connection: Connection, projectId: number, ids: readonly number[]): Memory[] =>
  connection
    .all<MemoryRow>(
      `SELECT ${selectedColumns} FROM json_each(?) AS wanted
       CROSS JOIN memory ON memory.id = wanted.value AND project_id = ?`,
      JSON.stringify(ids),
      projectId,
    )
    .map(toMemory)

interface MemoryVectors {
  readonly id: number
  readonly projectId: number
  readonly flag: boolean
  readonly embedding?: Embedding | undefined
}

/** Writes the vectors of a memory. Returns whether it has vectors of the served model now. */
function writeVectors(connection: Connection, vectors: VectorTables, memory: MemoryVectors): boolean {
  const { id, projectId, embedding } = memory
  if (embedding === undefined || !vectors.available) return false
  const modelId = vectors.ensureModel(embedding.model)
  for (const passage of embedding.passages) {
    const row = connection.run(
      'INSERT INTO passage (memory_id, model_id, start, end, tokens) VALUES (?, ?, ?, ?, ?)',
      id,
      modelId,
      passage.start,
      passage.end,
      bytesOf(passage.tokens),
    )
    const { vector, tokens } = passage
    vectors.insert(modelId, { id: row.id, partition: partitionOf(projectId, memory.flag), vector, tokens })
  }
  return (readServedModel(connection) ?? writeServedModel(connection, modelId)) === modelId
}

/** Puts a memory on the list of those to be healed; what is on it may have its vector. */
export const listUnembedded = (
  connection: Connection,
  { id, projectId }: Pick<MemoryVectors, 'id' | 'projectId'>,
): void =>
  void connection.run('INSERT OR IGNORE INTO unembedded (memory_id, project_id) VALUES (?, ?)', id, projectId)

/** Adds the vectors of a memory that lacked them; lists it as unembedded when they are of another model than the served one. */
export function writeEmbedding(connection: Connection, vectors: VectorTables, memory: MemoryVectors): void {
  if (writeVectors(connection, vectors, memory)) {
    connection.run('DELETE FROM unembedded WHERE memory_id = ?', memory.id)
    return
  }
  // On the way to another model; recall has what it needs of this one.
  const covered = connection.first(
    'SELECT 1 FROM passage WHERE memory_id = ? AND model_id = ?',
    memory.id,
    readServedModel(connection) ?? 0,
  )
  if (covered === undefined) listUnembedded(connection, memory)
}

/** Length of a text, in characters, whose terms take a fraction of a millisecond. */
const shortText = 4_096

/**
 * The same before the lock is taken, so that other writers need not wait for it. Not of a long text: many that come
 * together would hold the event loop, which a commit gives back between any two.
 */
const termsAhead = (text: string): string | undefined => (text.length > shortText ? undefined : termsOf(text))

export interface Insertion {
  /** Absent, the memory is given the next. */
  readonly id?: number
  readonly projectId: number
  readonly memory: NewMemory
  /** Of its text, where they were made before the lock was taken. */
  readonly terms?: string | undefined
}

/** The index entries of a memory: keywords, the words of a flag, and vectors. */
interface Indexing extends Pick<NewMemory, 'caution'> {
  readonly id: number
  readonly embedding?: Embedding | undefined
  readonly projectId: number
  /** As they stand in the memory's row. */
  readonly terms: string
}

/** Writes a memory's index entries, inside a write. Returns whether it has vectors of the served model. */
export function indexMemory(connection: Connection, vectors: VectorTables, indexing: Indexing): boolean {
  const { id, projectId, caution, embedding, terms } = indexing
  const words = terms === '' ? [] : terms.split(' ')
  connection.run(`INSERT INTO keyword_${projectId} (rowid, terms) VALUES (?, ?)`, id, terms)
  const flag = caution > 0
  if (flag) addFlagTerms(connection, { id, projectId, terms: words })
  connection.run(
    'UPDATE project SET memories = memories + 1, terms = terms + ? WHERE id = ?',
    words.length,
    projectId,
  )
  const passages = { id, projectId, flag, embedding }
  const semantic = writeVectors(connection, vectors, passages)
  if (!semantic) listUnembedded(connection, passages)
  return semantic
}

/** A memory as its indexes know it. */
export interface Indexed {
  readonly id: number
  readonly projectId: number
  readonly terms: string
}

/** Of a memory that is there. Inside a read or a write. */
export const readIndexed = (connection: Connection, id: number): Indexed =>
  connection.first<Indexed>('SELECT id, project_id AS projectId, terms FROM memory WHERE id = ?', id) ?? {
    id,
    projectId: 0,
    terms: '',
  }

/** Removes a memory's vectors and keyword entry, inside a write; rows that refer to it are removed with it. */
export function unindexMemory(
  connection: Connection,
  vectors: VectorTables,
  { id, projectId, terms }: Indexed,
): void {
  const passages = connection.all<{ id: number; model_id: number }>(
    'SELECT id, model_id FROM passage WHERE memory_id = ?',
    id,
  )
  if (passages.length > 0 && !vectors.available) {
    throw new BrainError('storage', 'sqlite-vec is needed to take vectors away: run this where it loads')
  }
  for (const passage of passages) vectors.delete(passage.model_id, passage.id)
  connection.run(
    `INSERT INTO keyword_${projectId} (keyword_${projectId}, rowid, terms) VALUES ('delete', ?, ?)`,
    id,
    terms,
  )
  connection.run(
    'UPDATE project SET memories = memories - 1, terms = terms - ? WHERE id = ?',
    terms === '' ? 0 : terms.split(' ').length,
    projectId,
  )
}

/** Row, keyword entry, words of a flag and vectors, inside a write. */
export function insertMemory(
  connection: Connection,
  vectors: VectorTables,
  insertion: Insertion,
): AddedMemory {
  const { id: given, projectId, memory, terms = termsOf(memory.text) } = insertion
  const { embedding, tags = [], circumstances, citations, ...kept } = memory
  const row = { id: given ?? null, project_id: projectId, terms, ...fromMemory(memory) }
  const { id } = insertRow(connection, 'memory', row)
  over(connection, projectId, function* (session) {
    if (tags.length > 0) yield* writeTags(session, id, tags)
    // Its agent stands in the row itself.
    yield* insertProvenance(session, { kind: 'memory', id }, { ...circumstances, agent: null })
    yield* insertCitations(session, { kind: 'memory', id }, citations)
  })
  const { caution } = memory
  const semantic = indexMemory(connection, vectors, { id, projectId, caution, embedding, terms })
  return { ...kept, id, ...(tags.length > 0 && { tags }), semantic }
}

export function createMemoryStore(
  connection: Connection,
  vectors: VectorTables,
): Omit<MemoryStore, keyof MemoryLife> {
  const checkVectors = (memories: readonly NewMemory[]): void => {
    for (const { embedding } of memories) requireVectors(embedding)
  }

  const addMany = async (project: string, memories: readonly NewMemory[]): Promise<AddedMemory[]> => {
    checkVectors(memories)
    const terms = memories.map(({ text }) => termsAhead(text))
    return connection.write(() => {
      const projectId = ensureProject(connection, project)
      return memories.map((memory, at) =>
        insertMemory(connection, vectors, { projectId, memory, terms: terms[at] }),
      )
    })
  }

  return {
    ...createMemoryReads(createSqlDatabase(connection)),
    addMany,

    add: async (project, memory) => {
      checkVectors([memory])
      const terms = termsAhead(memory.text)
      return connection.write(
        () => {
          const projectId = ensureProject(connection, project)
          return insertMemory(connection, vectors, { projectId, memory, terms })
        },
        { repeatable: true },
      )
    },

    findMany: (project, ids) =>
      connection.read(() => readMemories(connection, findProject(connection, project) ?? 0, ids)),

    count: (project) =>
      connection.read(
        () =>
          connection.first<{ memories: number }>('SELECT memories FROM project WHERE name = ?', project)
            ?.memories ?? 0,
      ),
  }
}
