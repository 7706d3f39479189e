/** `brain import`: takes an export or bulk notes in, all of them or none. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { type Command, Option } from 'commander'
import { yieldToEventLoop } from '../../clock.ts'
import { cannotRead } from '../../config/file-faults.ts'
import { count, counted } from '../../core/counts.ts'
import { BrainError } from '../../core/errors.ts'
import type { Context } from '../../operations/operation.ts'
import { noRecords } from '../../store/staging-rules.ts'
import type { ForeignSource } from '../../transfer/foreign-source.ts'
import { forecastFormatNames } from '../../transfer/formats/forecast-names.ts'
import type { ForeignNote } from '../../transfer/formats/foreign-note.ts'
import { foreignFormatNames } from '../../transfer/formats/names.ts'
import type { Imported, ImportProgress, ImportSource } from '../../transfer/import.ts'
import type { NoteFormat } from '../../transfer/line-reader.ts'
import type { previewRecords } from '../../transfer/preview.ts'
import { quoteWord } from '../completion/shell-case.ts'
import { interruptible } from '../interrupt.ts'
import { type Progress, withProgress } from '../progress.ts'
import { type Style, visible } from '../render/style.ts'
import type { Session } from '../session.ts'

/** Formats of our own, read line by line; the others are another tool's. */
const ownFormats = ['auto', 'jsonl', 'text'] as const

interface Options {
  readonly format: string
  readonly git?: boolean
  readonly dryRun?: boolean
}

interface Input {
  readonly source: ImportSource
  /** Absent for what has no size. */
  readonly bytes?: number
}

async function findInput(session: Session, named: string): Promise<Input> {
  if (named === '-') return { source: { open: (signal) => addAbortSignal(signal, session.terminal.stdin) } }
  const { openSource } = await import('../../transfer/files.ts')
  return openSource(session.path(named))
}

const words = {
  memory: ['memory', 'memories'],
  version: ['earlier text', 'earlier texts'],
  dream: ['dream', 'dreams'],
  belief: ['belief', 'beliefs'],
  evidence: ['event of evidence', 'events of evidence'],
  prediction: ['prediction', 'predictions'],
  observation: ['observation', 'observations'],
} as const satisfies Record<keyof Imported['counts'], readonly [string, string]>

function describeCounts(counts: Imported['counts']): string {
  const parts = Object.entries(words).flatMap(([kind, [one, many]]) => {
    const records = counts[kind as keyof typeof words]
    return records === 0 ? [] : [counted(records, one, many)]
  })
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

function renderImported({ counts, known, projects, resumedAt }: Imported, style: Style): string {
  const into = projects.length === 0 ? '' : ` into ${projects.map(visible).join(', ')}`
  const resumed =
    resumedAt === 0 ? '' : style.dim(` (went on after line ${count(resumedAt)} of an interrupted import)`)
  const here = known === 0 ? '' : `; ${count(known)} ${known === 1 ? 'was' : 'were'} here already`
  return `${style.green('imported')} ${describeCounts(counts)}${into}${here}${resumed}`
}

/** What was left out though it is not all here. */
const describeDiffering = (records: number): string =>
  `${counted(records, 'record', 'records')} here already ${records === 1 ? 'says' : 'say'} more in this source, or another text under the same origin: left as ${records === 1 ? 'it is' : 'they are'} here; another --project takes all of it in, and a note with another origin comes in as its own`

const isOwn = (format: string): format is NoteFormat => ownFormats.some((own) => own === format)

/** Whether a file holds another tool's notes, judged by its beginning, which is read once. */
async function isOthers(session: Session, named: string, { format, git }: Options): Promise<boolean> {
  if (format !== 'auto' || git === true || named === '-') return false
  const path = session.path(named)
  // What is wrong with it is reported where it is read.
  if ((await stat(path).catch(() => undefined))?.isFile() !== true) return false
  const { isForeign } = await import('../../transfer/foreign-source.ts')
  return isForeign(path)
}

/** Notes of another tool; undefined where the file is an export of ours, or is declared to be one. */
async function readOthers(
  session: Session,
  named: string,
  {
    format,
    git,
    foreign,
    directory,
  }: Pick<Options, 'format' | 'git'> & { foreign: boolean; directory: string },
): Promise<ForeignSource | undefined> {
  if (git === true) {
    const { openHistory } = await import('../../transfer/git-history.ts')
    return openHistory(session.path(named))
  }
  if (named === '-' || format === 'jsonl' || format === 'text') return undefined
  const { findFormat, openForeign } = await import('../../transfer/foreign-source.ts')
  const path = session.path(named)
  const found = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error)
  })
  const { openForeignDatabase } = await import('../../brain.ts')
  const openDatabase = (file: string) => openForeignDatabase(file, directory)
  if (format !== 'auto') return openForeign(path, { openDatabase, format: findFormat(format) })
  if (found.isDirectory()) return openForeign(path, { openDatabase })
  return foreign ? openForeign(path, { openDatabase }) : undefined
}

const samples = 10

/** Notes spread evenly over as many as there are, without holding more than a few. */
class Samples {
  #kept: ForeignNote[] = []
  #step = 1
  seen = 0
  flags = 0

  add(note: ForeignNote): void {
    if (this.seen % this.#step === 0) this.#kept.push(note)
    this.seen += 1
    if ((note.caution ?? 0) > 0) this.flags += 1
    if (this.#kept.length < samples * 2) return
    this.#kept = this.#kept.filter((_, at) => at % 2 === 0)
    this.#step *= 2
  }

  get list(): readonly ForeignNote[] {
    return this.#kept.slice(0, samples)
  }

  describeFlags(): string[] {
    if (this.flags === 0) return []
    return [
      `${counted(this.flags, 'memory', 'memories')} of them ${this.flags === 1 ? 'warns, as a flag' : 'warn, as flags'}`,
    ]
  }
}

/** What was found, when it was read. */
function describeOthers(others: ForeignSource, named: string): string[] {
  const { formats, repeated, known, redacted, leftOut, exports, noteFiles, backups, unrecognised } = others
  const { long, parts: longParts } = others
  const command = (verb: string, name: string) => `brain ${verb} ${visible(quoteWord(join(named, name)))}`
  const counts = [...formats].map(([name, notes]) => `${name} ${count(notes)}`)
  const parts = [
    ...(repeated > 0 ? [`${counted(repeated, 'note says', 'notes say')} what an earlier one says`] : []),
    ...(known > 0 ? [`${counted(known, 'note is', 'notes are')} here already`] : []),
    ...(long > 0
      ? [
          `${counted(long, 'note is', 'notes are')} too long for one memory, and cut into ${count(longParts)} parts`,
        ]
      : []),
    ...(leftOut.size > 0
      ? [
          `left out, as these pages do not say all of them: ${[...leftOut].map(([kind, records]) => `${kind} ${count(records)}`).join(', ')}; import what \`brain export --output FILE\` writes to keep them`,
        ]
      : []),
    ...exports.map(
      (name) =>
        `${visible(name)} is an export of brain, which is imported by itself: ${command('import', name)}`,
    ),
    ...noteFiles.map(
      (name) => `${visible(name)} has a note a line, and is imported by itself: ${command('import', name)}`,
    ),
    ...backups.map(
      (name) =>
        `${visible(name)} is a brain, which takes the place of the one that is here: ${command('restore', name)}`,
    ),
    ...(redacted.size > 0 ? [`taken out: ${[...redacted].join(', ')}`] : []),
    ...(unrecognised.length > 0
      ? [
          `not recognised: ${unrecognised.slice(0, 5).map(visible).join(', ')}${unrecognised.length > 5 ? ' …' : ''}`,
        ]
      : []),
  ]
  return [`notes found: ${counts.length === 0 ? 'none' : counts.join(', ')}`, ...parts]
}

interface Preview {
  readonly named: string
  readonly others: ForeignSource
  readonly here: ReadonlySet<string>
  readonly signal: AbortSignal
}

async function previewOthers(session: Session, { named, others, here, signal }: Preview): Promise<void> {
  const shown = new Samples()
  await withProgress(session.terminal, async (progress) => {
    for await (const note of others.notes(here)) {
      shown.add(note)
      if (shown.seen % 256 !== 0) continue
      signal.throwIfAborted()
      progress.update({ doing: 'reading', done: others.done, total: others.bytes })
      await yieldToEventLoop()
    }
  })
  const { known, repeated, formats, leftOut, exports, noteFiles, backups, unrecognised } = others
  const output = {
    would_import: shown.seen,
    flags: shown.flags,
    known,
    repeated,
    cut: others.long,
    formats: Object.fromEntries(formats),
    left_out: Object.fromEntries(leftOut),
    exports,
    note_files: noteFiles,
    backups,
    unrecognised,
    samples: shown.list,
  }
  const told = [
    `would import ${counted(shown.seen, ...words.memory)}`,
    ...shown.describeFlags(),
    ...describeOthers(others, named),
  ]
  await printPreview(session, output, told)
}

/** What an import would do, with samples. */
async function printPreview(
  session: Session,
  output: Record<string, unknown> & { readonly samples: readonly ForeignNote[] },
  told: readonly string[],
): Promise<void> {
  const { excerptOf } = await import('../../core/excerpt.ts')
  const shown = output.samples.map(
    ({ text, origin }) => `  ${visible(origin)}\n    ${visible(excerptOf(text, 160))}`,
  )
  await session.print(output, () => [...told, ...shown].join('\n'))
}

async function previewOwn(session: Session, records: ReturnType<typeof previewRecords>): Promise<void> {
  const shown = new Samples()
  const counts = noRecords()
  let known = 0
  let differing = 0
  for await (const { record, line, known: here, differs } of records) {
    if (differs) differing += 1
    if (here) known += 1
    else counts[record.type] += 1
    if (here || record.type !== 'memory') continue
    const { text, caution, agent, createdAt } = record
    shown.add({ text, caution, agent, createdAt, origin: `line ${line}` })
  }
  const { memory, ...others } = counts
  const rest = Object.values(others).reduce((sum, one) => sum + one, 0)
  const output = {
    would_import: memory + rest,
    flags: shown.flags,
    known,
    differing,
    counts,
    samples: shown.list,
  }
  await printPreview(session, output, [
    `would import ${describeCounts(counts)}`,
    ...shown.describeFlags(),
    ...(known > 0 ? [`${counted(known, 'memory is', 'memories are')} here already`] : []),
    ...(differing > 0 ? [describeDiffering(differing)] : []),
    ...(rest > 0
      ? ['records that are no memories may be here already; an import leaves those as they are']
      : []),
  ])
}

/** What of it waits for a vector, and who sees to that. */
async function describeWaiting(context: Context, projects: readonly string[]): Promise<string | undefined> {
  if (context.config.embedder === 'none') return undefined
  const backlogs = await Promise.all(projects.map((project) => context.store.index.backlog(project)))
  const waiting = backlogs.reduce((sum, one) => sum + one, 0)
  if (waiting === 0) return undefined
  return `${counted(waiting, ...words.memory)} ${waiting === 1 ? 'waits for its vector and is' : 'wait for their vectors and are'} found by their words meanwhile: \`brain reindex\` embeds all of them now; else \`brain serve\` does in the background, and every command some`
}

async function runImport(session: Session, named: string, options: Options): Promise<void> {
  const { terminal } = session
  const foreign = await isOthers(session, named, options)
  const { importForecasts } = await import('./import-forecasts.ts')
  if (!foreign && (await importForecasts(session, named, options))) return
  const typed = named === '-' && terminal.answering
  const [{ importRecords }, { toLines }, { withSmallHeap }, { readKnownTexts }] = await Promise.all([
    import('../../transfer/import.ts'),
    import('../../transfer/foreign-source.ts'),
    import('../../heap.ts'),
    import('../../transfer/known-texts.ts'),
  ])
  const hint = named === '-' ? undefined : 'The same command goes on where it stopped.'
  const done = await session.withBrain('import', (brain, caller) =>
    interruptible(
      terminal,
      async (signal) => {
        const context = brain.context(caller)
        const others = await readOthers(session, named, { ...options, foreign, directory: brain.directory })
        if (others === undefined && !isOwn(options.format))
          throw new BrainError('invalid', `${options.format} is read from a file`)
        const here = others && (await readKnownTexts(context.store, context.project))
        if (others && here && options.dryRun === true) {
          await previewOthers(session, { named, others, here, signal })
          return undefined
        }
        const { source, bytes } =
          others && here
            ? { source: { open: () => toLines(others.notes(here)) }, bytes: others.bytes }
            : await findInput(session, named)
        if (typed) terminal.stderr.write('Type the notes, one a line, then Ctrl-D on a line of its own.\n')
        const given = {
          context,
          source,
          format: isOwn(options.format) && others === undefined ? options.format : 'jsonl',
          projectNamed: session.options.project !== undefined,
          signal,
        } as const
        if (options.dryRun === true) {
          const { previewRecords } = await import('../../transfer/preview.ts')
          await previewOwn(session, previewRecords(given))
          return undefined
        }
        const tell = ({ update }: Progress, { phase, done, total, records }: ImportProgress): void =>
          update({
            doing: phase === 'reading' ? 'reading and embedding' : 'writing',
            done: phase === 'reading' && others ? others.done : done,
            total: total ?? bytes,
            yield: `${count(records)} records`,
          })
        const work = (progress: Progress) =>
          withSmallHeap(() =>
            importRecords({
              ...given,
              progress: (step) => tell(progress, step),
              fresh: others !== undefined,
            }),
          )
        // A line of progress would be drawn over what is being typed.
        const imported = await withProgress(terminal, work, !typed)
        return { imported, others, waiting: await describeWaiting(context, imported.projects) }
      },
      hint,
    ),
  )
  if (done === undefined) return
  const { imported, others, waiting } = done
  for (const line of others === undefined ? [] : describeOthers(others, named)) session.warn(line)
  const { counts, projects, resumedAt } = imported
  const known = imported.known + (others?.known ?? 0)
  const { differing } = imported
  await session.print({ imported: counts, known, differing, projects, resumed_at: resumedAt }, () =>
    renderImported({ ...imported, known }, session.style),
  )
  if (differing > 0) session.warn(describeDiffering(differing))
  if (imported.fromFuture > 0)
    session.warn(
      `${counted(imported.fromFuture, 'record is', 'records are')} dated more than a day ahead of this machine's clock, and listed first by \`brain list\` until then`,
    )
  if (waiting !== undefined) session.warn(waiting)
}

export function configureImport(command: Command, open: () => Session): void {
  command
    .argument(
      '<file>',
      'an export; notes one a line: {"text": …} or plain text; another tool\'s file, or a folder of them; - reads standard input',
    )
    .addOption(
      new Option('--format <format>', 'how notes are given; auto looks at the content')
        .choices([...ownFormats, ...foreignFormatNames, ...forecastFormatNames])
        .default('auto'),
    )
    .option(
      '--git',
      'import the history of the repository: commits and versions as memories, reverted changes as flags',
    )
    .option('--dry-run', 'change nothing; show what would be imported, with ten samples')
    .action((file: string, options: Options) => runImport(open(), file, options))
}
