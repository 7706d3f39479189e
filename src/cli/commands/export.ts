/** `brain export`: the records of a project, or of all, as JSON Lines. */
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Command } from 'commander'
import { cannotWrite, isFileFault } from '../../config/file-faults.ts'
import { BrainError } from '../../core/errors.ts'
import { interruptible } from '../interrupt.ts'
import { startProgress } from '../progress.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

interface Options {
  readonly output?: string
  readonly all?: boolean
}

type Put = (text: string) => Promise<void>

/** Fills a file that appears under its name only when it is whole. A device or a pipe is written to as it is. */
async function fillFile(file: string, fill: (put: Put) => Promise<void>): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory())
    throw new BrainError('failed', `cannot write ${file}: it is a directory: name a file`)
  const whole = found === undefined || found.isFile()
  const draft = whole ? join(dirname(file), `.${basename(file)}.${process.pid}.draft`) : file
  try {
    // Of a process that had our number and died; what is opened is new, and no link that leads elsewhere.
    if (whole) await rm(draft, { force: true })
    const handle = await open(draft, whole ? 'wx' : 'w', 0o600)
    try {
      await fill((text) => handle.appendFile(text))
      if (whole) await handle.sync()
    } finally {
      await handle.close()
    }
    if (whole) await rename(draft, file)
  } catch (error) {
    // What could not be made need not go, and where it cannot go is no other fault.
    if (whole) await rm(draft, { force: true }).catch(() => {})
    throw isFileFault(error) ? cannotWrite(file, error) : error
  }
}

async function runExport(session: Session, options: Options): Promise<void> {
  const { terminal } = session
  const { exportLines } = await import('../../transfer/export.ts')
  const records = await session.withBrain('export', (brain, { project }) =>
    interruptible(terminal, async (signal) => {
      const named = options.all ? {} : { project }
      const total = await brain.store.transfer.count(named.project)
      const progress = startProgress(terminal)
      let records = 0
      const fill = async (put: Put): Promise<void> => {
        const lines = exportLines({
          store: brain.store,
          ...named,
          signal,
          progress: (done) => {
            records = done
            progress.update({
              doing: 'exporting',
              done,
              total,
              yield: `${done.toLocaleString('en')} records`,
            })
          },
        })
        for await (const piece of lines) await put(piece)
      }
      try {
        if (options.output === undefined) await fill((text) => write(terminal.stdout, text))
        else await fillFile(session.path(options.output), fill)
      } finally {
        progress.end()
      }
      return records
    }),
  )
  if (options.output === undefined) return
  const file = session.path(options.output)
  await session.print(
    { file, records },
    () => `exported ${records.toLocaleString('en')} records to ${visible(file)}`,
  )
}

export function shapeExport(command: Command, open: () => Session): void {
  command
    .option('--output <file>', 'write into this file instead of standard output')
    .option('--all', 'every project, not only the one in use; never keys')
    .action((options: Options) => runExport(open(), options))
}
