/** `brain import`: takes an export or bulk notes in, all of them or none. */
import { addAbortSignal } from 'node:stream'
import { type Command, Option } from 'commander'
import type { Imported, ImportProgress, ImportSource } from '../../transfer/import.ts'
import type { NoteFormat } from '../../transfer/line-reader.ts'
import { interruptible } from '../interrupt.ts'
import { startProgress } from '../progress.ts'
import { createStyle, type Style, visible } from '../render/style.ts'
import type { Session } from '../session.ts'

interface Options {
  readonly format: NoteFormat
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

const plural = (count: number, [one, many]: readonly [string, string]): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

const words = {
  memory: ['memory', 'memories'],
  dream: ['dream', 'dreams'],
  belief: ['belief', 'beliefs'],
  evidence: ['event of evidence', 'events of evidence'],
  prediction: ['prediction', 'predictions'],
  observation: ['observation', 'observations'],
} as const satisfies Record<keyof Imported['counts'], readonly [string, string]>

function renderImported({ counts, projects, resumedAt }: Imported, style: Style): string {
  const parts = Object.entries(words).flatMap(([kind, word]) => {
    const count = counts[kind as keyof typeof words]
    return count === 0 ? [] : [plural(count, word)]
  })
  const into = projects.length === 0 ? '' : ` into ${projects.map(visible).join(', ')}`
  const resumed =
    resumedAt === 0
      ? ''
      : style.dim(` (went on after line ${resumedAt.toLocaleString('en')} of an interrupted import)`)
  return `${style.green('imported')} ${parts.length === 0 ? 'nothing' : parts.join(', ')}${into}${resumed}`
}

async function runImport(session: Session, named: string, { format }: Options): Promise<void> {
  const { terminal } = session
  const { source, bytes } = await findInput(session, named)
  const typed = named === '-' && terminal.answering
  const { importRecords } = await import('../../transfer/import.ts')
  const imported = await session.withBrain('import', (brain, caller) =>
    interruptible(terminal, async (signal) => {
      // A line of progress would be drawn over what is being typed.
      const progress = typed ? undefined : startProgress(terminal)
      if (typed) terminal.stderr.write('Type the notes, one a line, then Ctrl-D on a line of its own.\n')
      const tell = ({ phase, done, total, records }: ImportProgress): void =>
        progress?.update({
          doing: phase === 'reading' ? 'reading and embedding' : 'writing',
          done,
          total: total ?? bytes,
          yield: `${records.toLocaleString('en')} records`,
        })
      try {
        return await importRecords({
          context: brain.context(caller),
          source,
          format,
          projectNamed: session.options.project !== undefined,
          signal,
          progress: tell,
        })
      } finally {
        progress?.end()
      }
    }),
  )
  const { counts, projects, resumedAt } = imported
  await session.print({ imported: counts, projects, resumed_at: resumedAt }, () =>
    renderImported(imported, createStyle(terminal.colour)),
  )
}

export function shapeImport(command: Command, open: () => Session): void {
  command
    .argument('<file>', 'an export, or notes one a line: {"text": …} or plain text; - reads standard input')
    .addOption(
      new Option('--format <format>', 'how notes are given; auto looks at the first line')
        .choices(['auto', 'jsonl', 'text'])
        .default('auto'),
    )
    .action((file: string, options: Options) => runImport(open(), file, options))
}
