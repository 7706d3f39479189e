/** Files of other tools, and what an import reads in them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { openForeign as openDatabase } from '../../src/store/sqlite/foreign.ts'
import { openForeign } from '../../src/transfer/foreign-source.ts'
import type { ForeignNote } from '../../src/transfer/formats/foreign-note.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

/** Writes files below a directory. */
export function put(directory: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}

/** A database made by SQL. */
export function putDatabase(directory: string, name: string, sql: string): string {
  const path = join(directory, name)
  const database = loadDatabase(path)
  database.exec(sql)
  database.close()
  return path
}

export interface Found {
  readonly formats: readonly string[]
  readonly notes: readonly ForeignNote[]
  readonly exports: readonly string[]
  readonly unrecognised: readonly string[]
}

/** What an import of a path finds in it. */
export async function readPath(path: string): Promise<Found> {
  const copies = temporaryDirectory()
  const source = openForeign(path, { openDatabase: async (file) => openDatabase(file, copies) })
  const notes: ForeignNote[] = []
  for await (const note of source.notes(new Set())) notes.push(note)
  const { formats, exports, unrecognised } = source
  return { formats: [...formats.keys()], notes, exports, unrecognised }
}

/** What an import of a file of this name and content finds in it. */
export async function readFile(name: string, content: unknown): Promise<Found> {
  const directory = temporaryDirectory()
  put(directory, { [name]: typeof content === 'string' ? content : JSON.stringify(content) })
  return readPath(join(directory, name))
}

export const textsOf = async (name: string, content: unknown): Promise<string[]> =>
  (await readFile(name, content)).notes.map(({ text }) => text)

export const lines = (...values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join('\n')
