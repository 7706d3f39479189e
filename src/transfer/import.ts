/**
 * Imports records: an export, or notes one per line as JSON or plain text. Reads, checks, embeds and stages in
 * batches, then commits everything together. Knows nothing about files or terminals.
 */
import { createHash, type Hash } from 'node:crypto'
import { milliseconds } from '../clock.ts'
import { BrainError } from '../core/errors.ts'
import { embedAll } from '../operations/embedding.ts'
import type { Context } from '../operations/operation.ts'
import type {
  ImportedMemory,
  ImportedRecord,
  RecordCounts,
  StagedRecord,
  Staging,
} from '../store/transfer.ts'
import { nameOfText, readKnownTexts } from './known-texts.ts'
import { LineReader, type NoteFormat, type Read } from './line-reader.ts'
import { type Line, readLines } from './lines.ts'

/** Records checked, embedded and staged together, and the characters they may have. */
const batchRecords = 256
const batchCharacters = 262_144

/**
 * Milliseconds that an import spends on vectors, enough for some 2,500 short notes. The rest are added without, are
 * found by keyword, and wait as if no embedder had answered.
 */
const embeddingShare = 10_000
/**
 * Texts embedded between two looks at the clock, and the characters they may have: some 2,500 word pieces, a quarter of
 * a second of two threads.
 */
const sliceTexts = 96
const sliceCharacters = 16_384
/** Slices under way at once: whoever is done with one finds the next already there. */
const slicesAtOnce = 2

export interface ImportSource {
  /** Identifies the source, so that an interrupted import of it is resumed. Absent if it cannot be read twice. */
  readonly name?: string
  /** Reads it from its beginning; gives up waiting for more, and throws, when the signal aborts. */
  readonly open: (signal: AbortSignal) => AsyncIterable<Uint8Array>
}

export interface ImportProgress {
  readonly phase: 'reading' | 'writing'
  /** Bytes while reading, records while writing. */
  readonly done: number
  /** Records to write; unknown while reading. */
  readonly total?: number
  readonly records: number
}

export interface ImportOptions {
  readonly context: Context
  readonly source: ImportSource
  readonly format: NoteFormat
  /** Whether the caller named the project, so that an export of all projects is refused. */
  readonly projectNamed: boolean
  readonly signal: AbortSignal
  readonly progress: (progress: ImportProgress) => void
  /** Milliseconds to spend on vectors; ten seconds when absent. */
  readonly embeddingShare?: number
  /**
   * Whether the source is another program's, and gives only what is not here: the texts of notes need not be looked for, and
   * dates in the future are no slips that could be corrected.
   */
  readonly fresh?: boolean
}

export interface Imported {
  readonly counts: RecordCounts
  /** Records that were here already, and were left as they are. */
  readonly known: number
  /** Those of them that say more in the source, or another text under the same origin. */
  readonly differing: number
  /** Records of the source that are dated more than a day ahead of the clock. */
  readonly fromFuture: number
  readonly projects: readonly string[]
  /** Lines that an interrupted import had already read. */
  readonly resumedAt: number
}

interface Batch {
  readonly records: (Read & { readonly line: number })[]
  characters: number
}

/** Computes vectors until its time is used up, but for flags however long it takes: a gut-check must not miss any. */
class Embedding {
  readonly #context: Context
  #left: number

  constructor(context: Context, share: number) {
    this.#context = context
    this.#left = share
  }

  /**
   * Records with vectors of those `memories` among them that it makes any for. @throws the signal's reason between two
   * slices.
   */
  async embed(
    records: Batch['records'],
    memories: readonly ImportedMemory[],
    signal: AbortSignal,
  ): Promise<StagedRecord[]> {
    const embeddings = new Map<ImportedRecord, StagedRecord['embedding']>()
    const slices = slicesOf(memories)
    const until = milliseconds() + this.#left
    const embedSlices = async (): Promise<void> => {
      for (const slice of slices) {
        signal.throwIfAborted()
        const wanted = slice.filter(({ caution }) => caution > 0 || milliseconds() < until)
        if (wanted.length === 0) continue
        const made = await embedAll(
          this.#context,
          wanted.map(({ text }) => text),
        )
        for (const [at, memory] of wanted.entries()) embeddings.set(memory, made[at])
      }
    }
    await Promise.all(Array.from({ length: slicesAtOnce }, embedSlices))
    this.#left = until - milliseconds()
    return records.map(({ line, project, record }) => {
      const embedding = embeddings.get(record)
      return { line, project, record, ...(embedding && { embedding }) }
    })
  }
}

/** Memories in runs that take a fraction of a second each. */
function* slicesOf(memories: readonly ImportedMemory[]): Generator<ImportedMemory[]> {
  let slice: ImportedMemory[] = []
  let characters = 0
  for (const memory of memories) {
    if (
      slice.length >= sliceTexts ||
      (slice.length > 0 && characters + memory.text.length > sliceCharacters)
    ) {
      yield slice
      slice = []
      characters = 0
    }
    slice.push(memory)
    characters += memory.text.length
  }
  if (slice.length > 0) yield slice
}

/** Reads a source from its beginning into a staging area, or from where an interrupted import got to. */
class Import {
  readonly #options: ImportOptions
  readonly #staging: Staging
  readonly #reader: LineReader
  readonly #embedding: Embedding
  readonly #hash: Hash = createHash('sha256')
  #batch: Batch = { records: [], characters: 0 }
  #position = { lines: 0, bytes: 0 }
  #records = 0
  /** Whether a source that was committed holds more by now. */
  #grown = false
  /** Names of the texts that are here, once a note without a time asked for them. */
  #texts: ReadonlySet<string> | undefined
  /** Notes that were here already. */
  known = 0

  constructor(options: ImportOptions, staging: Staging) {
    const { context, format, projectNamed, fresh = false } = options
    const { project, agent } = context
    this.#options = options
    this.#staging = staging
    this.#reader = new LineReader({
      format,
      project,
      projectNamed,
      agent,
      anyDate: fresh,
      name: options.source.name,
    })
    this.#embedding = new Embedding(context, options.embeddingShare ?? embeddingShare)
  }

  get fromFuture(): number {
    return this.#reader.fromFuture
  }

  /** Returns false if the staged records are from different content. */
  async read(): Promise<boolean> {
    const { source, signal } = this.#options
    const resumed = this.#staging.resumed
    for await (const lines of readLines(source.open(signal))) {
      signal.throwIfAborted()
      for (const line of lines) {
        const known = resumed !== undefined && line.number <= resumed.lines
        this.#consume(line, known)
        if (known && line.number === resumed.lines && this.#digest() !== resumed.digest) return false
        if (this.#batch.records.length >= batchRecords || this.#batch.characters >= batchCharacters) {
          await this.#flush()
        }
      }
      this.#tell()
    }
    if (this.#position.lines < (resumed?.lines ?? 0)) return false
    this.#reader.end()
    await this.#flush()
    return !this.#grown
  }

  #consume(line: Line, known: boolean): void {
    this.#hash.update(line.raw)
    this.#position = { lines: line.number, bytes: this.#position.bytes + line.raw.length }
    const read = this.#reader.read(line, this.#options.context.now())
    if (read === undefined) return
    this.#records += 1
    if (known) return
    this.#batch.records.push({ line: line.number, ...read })
    this.#batch.characters += line.bytes.length
  }

  #digest(): string {
    return this.#hash.copy().digest('hex')
  }

  async #flush(): Promise<void> {
    const batch = this.#batch
    if (batch.records.length === 0) return
    this.#batch = { records: [], characters: 0 }
    if (this.#staging.committed) {
      this.#grown = true
      return
    }
    const position = { ...this.#position, digest: this.#digest() }
    const records = await this.#leaveOutKnown(batch.records)
    const memories = records.flatMap(({ project, record }) =>
      record.type === 'memory' ? [{ project, record }] : [],
    )
    // A vector of what is here already would be made for nothing.
    const known = await this.#staging.known(memories)
    const fresh = memories.flatMap(({ record }, at) => (known[at] ? [] : [record]))
    await this.#staging.add(await this.#embedding.embed(records, fresh, this.#options.signal), position)
    this.#tell()
  }

  /** Without notes that say no time and whose text is here: a time of their own would make them others each time. */
  async #leaveOutKnown(records: Batch['records']): Promise<Batch['records']> {
    const { context, fresh } = this.#options
    if (fresh === true || records.every(({ timed }) => timed)) return records
    this.#texts ??= await readKnownTexts(context.store, context.project)
    const names = this.#texts
    const left = records.filter(
      ({ timed, record }) => timed || record.type !== 'memory' || !names.has(nameOfText(record.text)),
    )
    this.known += records.length - left.length
    return left
  }

  #tell(): void {
    this.#options.progress({ phase: 'reading', done: this.#position.bytes, records: this.#records })
  }
}

/**
 * Imports a source, all or nothing. If interrupted, it keeps what was staged for the next time.
 * @throws BrainError `invalid` naming the line that is wrong; nothing is changed then.
 */
export async function importRecords(options: ImportOptions): Promise<Imported> {
  const { context, source, signal, progress } = options
  const { project } = context
  // What it would become is part of what it is: the same file into another project is another import.
  const name = `${source.name ?? `once ${Math.random()}`} ${options.format} ${project}`
  let staging = await context.store.transfer.stage(name)
  try {
    let reading = new Import(options, staging)
    if (!(await reading.read())) {
      await staging.discard()
      staging = await context.store.transfer.stage(name)
      reading = new Import(options, staging)
      await reading.read()
    }
    const resumedAt = staging.resumed?.lines ?? 0
    const projects = await staging.projects()
    const { counts, known, differing } = await staging.commit({
      signal,
      progress: (done, total) => progress({ phase: 'writing', done, total, records: total }),
    })
    return {
      counts,
      known: known + reading.known,
      differing,
      fromFuture: reading.fromFuture,
      projects,
      resumedAt,
    }
  } catch (error) {
    // A wrong line stays wrong; anything else may go better next time.
    const hopeless = error instanceof BrainError && error.kind === 'invalid'
    await (hopeless || source.name === undefined ? staging.discard() : staging.close())
    throw error
  }
}
