/**
 * `brain trust`: lets a project's own settings name endpoints and addresses, once the user has seen them, lets a brain of
 * another user be used where it is found, and accepts what lies next to a brain and was not written by this user.
 */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { projectSettingsFile, trustFile } from '../../config/load.ts'
import { brainDirectoryIn } from '../../config/locate.ts'
import { distrustOwner, foreignOwner, nameOfOwner, trustOwner } from '../../config/ownership.ts'
import { readSettingsFile } from '../../config/settings-file.ts'
import { guardedOf, TrustRecord } from '../../config/trust.ts'
import { BrainError } from '../../core/errors.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'

function directoryOf(session: Session, named: string | undefined): string {
  // A fresh clone has a .brain with settings and no brain in it yet.
  const parent = named === undefined ? session.namedDirectory : session.path(named)
  const directory = brainDirectoryIn(parent ?? session.path('.'))
  if (existsSync(directory)) return directory
  if (named === undefined) return session.locateAny()
  throw new BrainError('no-brain', `there is no .brain in ${named}`)
}

async function trust(session: Session, directory: string): Promise<void> {
  const file = projectSettingsFile(directory)
  const { values, content } = readSettingsFile(file)
  const settings = guardedOf(file, values)
  const names = Object.keys(settings)
  if (names.length > 0) new TrustRecord(trustFile(session.terminal.environment)).add(directory, content)
  const uid = foreignOwner(directory, session.user)
  if (uid !== undefined) trustOwner(directory, uid, session.user)
  const owner = uid === undefined ? null : nameOfOwner(uid)
  const { trustFiles } = await import('../../brain.ts')
  const { log, loose } = await trustFiles(directory, session.terminal)
  const { style } = session
  const trusted = style.green('trusted')
  await session.print({ directory, trusted: true, owner, settings, log, loose }, () =>
    [
      ...(owner === null ? [] : [`${trusted} ${visible(directory)}, as long as it belongs to ${owner}`]),
      ...(log ? [`${trusted} the changes in brain.db-wal, which the next command takes in`] : []),
      ...(loose ? [`${trusted} files that others can write, until \`brain trust --revoke\``] : []),
      ...(names.length > 0
        ? [
            `${trusted} ${visible(file)}, as long as it stays as it is:`,
            ...names.map((name) => `  ${name} = ${visible(String(settings[name]))}`),
          ]
        : [`nothing in ${visible(file)} needs trust`]),
    ].join('\n'),
  )
}

async function distrust(session: Session, directory: string): Promise<void> {
  const settings = new TrustRecord(trustFile(session.terminal.environment)).remove(directory)
  const owner = distrustOwner(directory, session.user)
  const { trustFiles } = await import('../../brain.ts')
  const { environment } = session.terminal
  const { loose } = await trustFiles(directory, { environment, revoke: true })
  const nothing = { owner: null, settings: {}, log: false, loose: false }
  await session.print({ directory, trusted: false, ...nothing }, () =>
    settings || owner || loose
      ? `no longer trusts ${visible(directory)}`
      : `${visible(directory)} was not trusted`,
  )
}

export function configureTrust(command: Command, open: () => Session): void {
  command
    .argument('[directory]', 'the directory that holds .brain/ (default: the brain in use)')
    .option('--revoke', 'revoke the trust')
    .action(async (named: string | undefined, options: { revoke?: boolean }) => {
      const session = open()
      const directory = directoryOf(session, named)
      await (options.revoke ? distrust(session, directory) : trust(session, directory))
    })
}
