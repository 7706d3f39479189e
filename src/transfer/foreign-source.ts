/**
 * Another tool's files as notes: finds the files, recognises their formats, and yields notes without secrets, each
 * once, as they are read. Knows files and formats; storing the notes is the import's job.
 */
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { cannotRead, isFileFault } from '../config/file-faults.ts'
import { BrainError } from '../core/errors.ts'
import { toLine } from '../core/excerpt.ts'
import { maxNameLength } from '../core/limits.ts'
import { firstMoment, lastMoment } from '../core/moments.ts'
import { maxTagLength, maxTags } from '../operations/schemas.ts'
import type { ForeignDatabase } from '../store/foreign.ts'
import { cleanText } from './cleaning.ts'
import { withFile } from './foreign-file.ts'
import {
  type ForeignFile,
  type ForeignFormat,
  type ForeignNote,
  textOf,
  tryJson,
} from './formats/foreign-note.ts'
import { foreignFormats, recogniseFormat } from './formats/index.ts'
import { nameOfOrigin, nameOfText } from './known-texts.ts'
import { partsOf } from './long-texts.ts'

/** Directories without people's notes. */
const passedOver = new Set(['node_modules', 'vendor', 'dist', 'build', 'target'])

/** Whether a file of this name may be of a format that is known. */
const mayBeForeign = (name: string): boolean =>
  foreignFormats.some(({ files }) => files.some((pattern) => pattern.test(name)))

/** The regular files below a directory, by name; hidden files and links are skipped. */
function* listFiles(directory: string): Generator<string> {
  const entries = readdirSync(directory, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') && !mayBeForeign(entry.name)) continue
    const path = join(directory, entry.name)
    if (entry.isDirectory() && !passedOver.has(entry.name)) yield* listFiles(path)
    else if (entry.isFile() && mayBeForeign(entry.name)) yield path
  }
}

/** @throws BrainError `invalid` for a name that is no format's. */
export function findFormat(name: string): ForeignFormat {
  const format = foreignFormats.find((one) => one.name === name)
  if (format !== undefined) return format
  throw new BrainError(
    'invalid',
    `format must be one of: ${foreignFormats.map((one) => one.name).join(', ')}`,
  )
}

/** Notes of a source, and statistics collected while reading. */
export class ForeignSource {
  /** Number of notes by format. */
  readonly formats = new Map<string, number>()
  /** Exports of ours in the folder, by their names there: they are imported one by one. */
  readonly exports: string[] = []
  /** Files of notes a line, likewise. */
  readonly noteFiles: string[] = []
  /** Brains, as `brain backup` writes them: they are restored. */
  readonly backups: string[] = []
  /** Files of unrecognised format. */
  readonly unrecognised: string[] = []
  /** Number of records left out, by kind: no notes can be made of them. */
  readonly leftOut = new Map<string, number>()
  /** Kinds of secrets that were removed. */
  readonly redacted = new Set<string>()
  /** Notes that said the same as an earlier one. */
  repeated = 0
  /** Notes that exist already. */
  known = 0
  /** Notes that are too long for one memory, and the parts that they become. */
  long = 0
  parts = 0
  /** Bytes of the source, where that is known, and how many of them were read. */
  readonly bytes: number | undefined
  done = 0
  readonly #given: () => AsyncIterable<ForeignNote> | Iterable<ForeignNote>

  /** `given` is called with the source itself, to say there what it finds. */
  constructor(
    given: (source: ForeignSource) => AsyncIterable<ForeignNote> | Iterable<ForeignNote>,
    bytes?: number,
  ) {
    this.#given = () => given(this)
    this.bytes = bytes
  }

  count(format: string): void {
    this.formats.set(format, (this.formats.get(format) ?? 0) + 1)
  }

  leave(kind: string): void {
    this.leftOut.set(kind, (this.leftOut.get(kind) ?? 0) + 1)
  }

  /** Notes in the shape in which they are kept, once: those whose text's name is in `here` are counted as known. */
  async *notes(here: ReadonlySet<string>): AsyncGenerator<ForeignNote, void, undefined> {
    const seen = new Set<string>()
    for await (const note of this.#given()) {
      const { text, kinds } = cleanText(note.text)
      for (const kind of kinds) this.redacted.add(kind)
      if (text === '') continue
      for (const part of this.#split({ ...note, text, tags: tagsOf(note) })) {
        const name = nameOfText(part.text)
        if (seen.has(name)) this.repeated += 1
        else if (here.has(name) || (part.id !== undefined && here.has(nameOfOrigin(part.id)))) this.known += 1
        else yield part
        seen.add(name)
      }
    }
  }

  /** A note in parts that a memory may have; each further one is called by its number, too. */
  #split(note: ForeignNote): ForeignNote[] {
    const parts = partsOf(note.text)
    if (parts.length === 1) return [note]
    this.long += 1
    this.parts += parts.length
    return parts.map((text, at) => {
      if (at === 0) return { ...note, text }
      const number = `part ${at + 1}`
      const id = note.id && asName(`${note.id} ${number}`)
      return { ...note, text, id, origin: `${note.origin} (${number})` }
    })
  }
}

/** What a note of a format is called. */
export const originOf = (format: string, id: string): string =>
  asName(toLine(`${format}:${id}`.toWellFormed()))

/** Something as a name may be: of a longer one the end, which may tell versions apart, is a hash. */
function asName(whole: string): string {
  const points = [...whole]
  if (points.length <= maxNameLength) return whole
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 16)
  return `${points.slice(0, maxNameLength - hash.length - 1).join('')}#${hash}`
}

/** The tags of a note as a memory may have them. */
function tagsOf({ tags = [] }: ForeignNote): string[] {
  const plain = tags.map((tag) =>
    [...toLine(tag.toWellFormed().replaceAll(',', ' '))].slice(0, maxTagLength).join('').trim(),
  )
  return [...new Set(plain)].filter((tag) => tag !== '').slice(0, maxTags)
}

/** Whether a file is an export of ours. */
const isExport = ({ beginning }: ForeignFile): boolean => beginning.startsWith('{"type":"brain"')

/** Whether a file holds notes a line, which an import of the file alone reads. */
const isNoteFile = ({ path, beginning }: ForeignFile): boolean => {
  const [first = ''] = beginning.split('\n', 1)
  return /\.te?xt$/i.test(path) || textOf(tryJson(first), 'text') !== undefined
}

/** Where a file of a folder that no format reads is named. */
function placeOf(file: ForeignFile, source: ForeignSource): string[] {
  if (file.isBrain) return source.backups
  if (file.isDatabase) return source.unrecognised
  if (isExport(file)) return source.exports
  return isNoteFile(file) ? source.noteFiles : source.unrecognised
}

const refusalOf = (name: string, { isBrain }: ForeignFile): string =>
  isBrain
    ? `${name} is a brain: \`brain restore FILE\` puts a backup in the place of the brain that is here`
    : `${name} is of no tool that is known here: see --format in --help`

export interface ForeignOptions {
  readonly format?: ForeignFormat
  /** Opens a copy of another program's database. */
  readonly openDatabase: (path: string) => Promise<ForeignDatabase>
}

/** The notes of a file or of all files below a directory. @throws BrainError naming the file that cannot be read. */
export function openForeign(path: string, { format, openDatabase }: ForeignOptions): ForeignSource {
  try {
    const whole = statSync(path).isDirectory()
    const files = whole ? [...listFiles(path)] : [path]
    const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
    const read = async function* (source: ForeignSource) {
      for (const file of files) {
        const name = whole ? relative(path, file) : basename(file)
        yield* withFile(file, { name, openDatabase }, function* (found) {
          // A text may be called by the name of a format that its own does not tell; a database is what it is.
          const known =
            found.isDatabase && format?.recognises(found) === false
              ? undefined
              : (format ?? recogniseFormat(found))
          if (known === undefined && !whole) throw new BrainError('invalid', refusalOf(name, found))
          if (known === undefined) placeOf(found, source).push(name)
          else {
            source.formats.set(known.name, source.formats.get(known.name) ?? 0)
            for (const note of known.read(found, (kind) => source.leave(kind))) {
              source.count(known.name)
              yield note.id === undefined ? note : { ...note, id: originOf(known.name, note.id) }
            }
          }
        })
        source.done += statSync(file, { throwIfNoEntry: false })?.size ?? 0
      }
    }
    return new ForeignSource(read, bytes)
  } catch (error) {
    throw isFileFault(error) ? cannotRead(path, error) : error
  }
}

/**
 * Whether a file is of another tool, by its beginning; an export of ours, and notes a line, are read elsewhere.
 * @throws BrainError naming the file that cannot be read.
 */
export async function isForeign(path: string): Promise<boolean> {
  const name = basename(path)
  const look = withFile(path, { name }, (file) => [
    // A database is one by any name.
    file.isDatabase || (mayBeForeign(name) && !isExport(file) && recogniseFormat(file) !== undefined),
  ])
  for await (const foreign of look) return foreign
  return false
}

/** A time as a line says it. A repository can date a commit in a year that no date has. */
const instantOf = (time: number | undefined): string | undefined =>
  time !== undefined && time >= firstMoment && time <= lastMoment ? new Date(time).toISOString() : undefined

/** Notes as the lines that an import reads. */
export async function* toLines(notes: AsyncIterable<ForeignNote>): AsyncGenerator<Uint8Array> {
  for await (const { text, id, agent, caution, createdAt, expiresAt, tags = [], commit } of notes) {
    const line = {
      text,
      ...(caution !== undefined && caution > 0 && { caution }),
      ...(agent !== undefined && { agent }),
      created_at: instantOf(createdAt),
      expires_at: instantOf(expiresAt),
      ...(tags.length > 0 && { tags }),
      ...(id !== undefined && { origin: id }),
      ...(commit !== undefined && { commit }),
    }
    yield Buffer.from(`${JSON.stringify(line)}\n`)
  }
}
