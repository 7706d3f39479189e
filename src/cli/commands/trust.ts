/** `brain trust`: lets a project's own settings name endpoints and addresses, once the user has seen them. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { projectSettingsFile, trustFile } from '../../config/load.ts'
import { brainDirectoryIn } from '../../config/locate.ts'
import { readSettingsFile } from '../../config/settings-file.ts'
import { guardedOf, TrustRecord } from '../../config/trust.ts'
import { BrainError } from '../../core/errors.ts'
import { createStyle, visible } from '../render/style.ts'
import type { Session } from '../session.ts'

function directoryOf(session: Session, named: string | undefined): string {
  // A fresh clone has a .brain with settings and no brain in it yet.
  const parent = named === undefined ? session.namedDirectory : session.path(named)
  const directory = brainDirectoryIn(parent ?? session.path('.'))
  if (existsSync(directory)) return directory
  if (named === undefined) return session.locate()
  throw new BrainError('no-brain', `there is no .brain in ${named}`)
}

async function trust(session: Session, directory: string): Promise<void> {
  const file = projectSettingsFile(directory)
  const { values, content } = readSettingsFile(file)
  const settings = guardedOf(values)
  const names = Object.keys(settings)
  if (names.length > 0) new TrustRecord(trustFile(session.terminal.environment)).add(directory, content)
  const style = createStyle(session.terminal.colour)
  await session.print({ directory, trusted: true, settings }, () =>
    names.length === 0
      ? `nothing in ${visible(file)} needs trust`
      : [
          `${style.green('trusted')} ${visible(file)}, as long as it stays as it is:`,
          ...names.map((name) => `  ${name} = ${visible(String(settings[name]))}`),
        ].join('\n'),
  )
}

async function distrust(session: Session, directory: string): Promise<void> {
  const known = new TrustRecord(trustFile(session.terminal.environment)).remove(directory)
  await session.print({ directory, trusted: false, settings: {} }, () =>
    known ? `no longer trusts ${visible(directory)}` : `${visible(directory)} was not trusted`,
  )
}

export function shapeTrust(command: Command, open: () => Session): void {
  command
    .argument('[directory]', 'the directory that holds .brain/ (default: the brain in use)')
    .option('--revoke', 'trust it no longer')
    .action(async (named: string | undefined, options: { revoke?: boolean }) => {
      const session = open()
      const directory = directoryOf(session, named)
      await (options.revoke ? distrust(session, directory) : trust(session, directory))
    })
}
