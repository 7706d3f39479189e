/** `brain export --format` of a forecasting site: the predictions of a project in its form. */

import { join } from 'node:path'
import { counted } from '../../core/counts.ts'
import { BrainError } from '../../core/errors.ts'
import { makeDirectories } from '../../make-directories.ts'
import type { ForecastFormatName } from '../../transfer/formats/forecast-names.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

interface Options {
  readonly format: ForecastFormatName
  readonly output?: string
  readonly all?: boolean
}

/** @throws BrainError `invalid` for options that do not go together. */
export async function exportForecasts(session: Session, { format, output, all }: Options): Promise<void> {
  if (all === true)
    throw new BrainError('invalid', `${format} knows no projects: export them one by one with --project`)
  const [{ writeForSite }, { fillFile }, { requireReplaceableExport }] = await Promise.all([
    import('../../transfer/foreign-predictions.ts'),
    import('../../transfer/files.ts'),
    import('../../transfer/own-exports.ts'),
  ])
  const { files, records } = await session.withBrain('export', ({ store }, { project }) =>
    writeForSite(store, project, format),
  )
  const [only, ...others] = files.values()
  if (output === undefined) {
    if (others.length > 0)
      throw new BrainError('invalid', `${format} has several files: name a folder with --output`)
    const { terminal } = session
    return write(terminal.stdout, terminal.interactive ? visible(only ?? '') : (only ?? ''))
  }
  const target = session.path(output)
  if (others.length > 0) makeDirectories(target)
  const placed = [...files].map(
    ([name, text]) => [others.length > 0 ? join(target, name) : target, text] as const,
  )
  for (const [file] of placed) requireReplaceableExport(file)
  for (const [file, text] of placed) await fillFile(file, (put) => put(text))
  await session.print(
    { file: target, records },
    () => `exported ${counted(records, 'prediction')} to ${visible(target)}`,
  )
}
