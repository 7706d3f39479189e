/** `brain export`: the records of a project, or of all, as JSON Lines or in a form that others read. */

import { type Command, Option } from 'commander'
import { requireOutsideBrains } from '../../config/output-files.ts'
import { counted } from '../../core/counts.ts'
import { BrainError } from '../../core/errors.ts'
import {
  type ForecastFormatName,
  forecastFormatNames,
  isForecastFormat,
} from '../../transfer/formats/forecast-names.ts'
import { interruptible } from '../interrupt.ts'
import { withProgress } from '../progress.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

const formats = ['jsonl', 'markdown', 'memory-json', 'csv'] as const

interface Options {
  readonly format: (typeof formats)[number] | ForecastFormatName
  readonly output?: string
  readonly all?: boolean
}

type Put = (text: string) => Promise<void>

/** @throws BrainError `invalid` for options that do not go together. */
function requireSuitable({ format, output, all }: Options): void {
  if (format === 'markdown' && output === undefined)
    throw new BrainError('invalid', 'Markdown goes into a folder, a page a month: name one with --output')
  if (format === 'memory-json' && all === true)
    throw new BrainError('invalid', 'memory.json knows no projects: export them one by one with --project')
}

async function runExport(session: Session, options: Options): Promise<void> {
  const { terminal } = session
  const { format } = options
  if (options.output !== undefined) requireOutsideBrains(session.path(options.output))
  if (isForecastFormat(format)) {
    const { exportForecasts } = await import('./export-forecasts.ts')
    return exportForecasts(session, { ...options, format })
  }
  requireSuitable(options)
  if (options.output !== undefined && format !== 'markdown') {
    const { requireReplaceableExport } = await import('../../transfer/own-exports.ts')
    requireReplaceableExport(session.path(options.output))
  }
  const [{ exportLines }, { fillFile }] = await Promise.all([
    import('../../transfer/export.ts'),
    import('../../transfer/files.ts'),
  ])
  const { records, left } = await session.withBrain('export', (brain, { project }) =>
    interruptible(terminal, async (signal) => {
      const named = options.all ? {} : { project }
      const total = await brain.store.transfer.count(named.project)
      let records = 0
      await withProgress(terminal, async (progress) => {
        const tell = (done: number): void => {
          records = done
          progress.update({ doing: 'exporting', done, total, yield: counted(done, 'record') })
        }
        const exported = { store: brain.store, ...named, signal, progress: tell }
        const fill = async (put: Put): Promise<void> => {
          const { csvForm, memoryJsonForm } = await import('../../transfer/readable/index.ts')
          const form = { 'memory-json': memoryJsonForm, csv: csvForm(named.project), jsonl: undefined }
          if (format === 'markdown') return
          for await (const piece of exportLines(exported, form[format])) await put(piece)
        }
        if (options.output === undefined)
          await fill((text) => write(terminal.stdout, terminal.interactive ? visible(text) : text))
        else if (format === 'markdown') {
          const { exportFolder } = await import('../../transfer/readable/folder.ts')
          await exportFolder(session.path(options.output), exported)
        } else await fillFile(session.path(options.output), fill)
      })
      return { records, left: total - records }
    }),
  )
  if (left > 0 && format === 'memory-json') {
    session.warn(
      `${counted(left, 'record that is no memory has', 'records that are no memories have')} no place in memory.json and ${left === 1 ? 'is' : 'are'} left out`,
    )
  }
  if (options.output === undefined) return
  const file = session.path(options.output)
  await session.print({ file, records }, () => `exported ${counted(records, 'record')} to ${visible(file)}`)
}

export function configureExport(command: Command, open: () => Session): void {
  command
    .addOption(
      new Option(
        '--format <format>',
        'jsonl holds everything; markdown is a folder, a page a month; memory-json holds memories; csv is for spreadsheets; the others are for forecasting sites',
      )
        .choices([...formats, ...forecastFormatNames])
        .default('jsonl'),
    )
    .option(
      '--output <file>',
      'write into this file, or folder of Markdown, instead of standard output; replaces only an empty file or an earlier export',
    )
    .option('--all', 'every project, not only the one in use; never keys')
    .action((options: Options) => runExport(open(), options))
}
