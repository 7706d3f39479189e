/** `brain store`: makes a database ready to hold brains, and copies a brain from a file into one, or back. */

import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import type { Brain } from '../../brain.ts'
import { checkSetting } from '../../config/config.ts'
import { brainDirectoryIn } from '../../config/locate.ts'
import { readStorePassword } from '../../config/store-address.ts'
import { counted } from '../../core/counts.ts'
import { BrainError } from '../../core/errors.ts'
import { isDatabase } from '../../core/store-address.ts'
import type { Copied } from '../../transfer/copy.ts'
import { interruptible } from '../interrupt.ts'
import { withProgress } from '../progress.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

interface InitOptions {
  readonly yes?: boolean
  readonly role?: string
  readonly owner?: string
}

/** A role's name as PostgreSQL takes it without quotes. @throws BrainError `invalid`. */
function checkRole(option: string, name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name)) return name
  throw new BrainError('invalid', `${option} must be a name of small letters, digits and _`)
}

async function init(session: Session, given: string, options: InitOptions): Promise<void> {
  const url = String(checkSetting('store.url', given))
  const role = checkRole('--role', options.role ?? 'brain')
  const owner = checkRole('--owner', options.owner ?? 'brain_owner')
  if (role === owner)
    throw new BrainError('invalid', '--role and --owner must be two: what daemons are owns nothing')
  const { prepareDatabase } = await import('../../brain.ts')
  const password = readStorePassword(await session.settings(), session.terminal.environment)
  const preparation = await prepareDatabase(url, { password, role, owner })
  try {
    const { plan } = preparation
    const { style } = session
    if (!session.options.json) {
      await write(
        session.terminal.stderr,
        `${style.bold('This will')}\n${plan.map((step) => `  ${visible(step)}\n`).join('')}`,
      )
    }
    if (options.yes !== true) {
      if (!session.mayAsk) throw new BrainError('invalid', 'nothing was done: say --yes to do it')
      const { confirm } = await import('../missing.ts')
      await confirm(session.terminal, 'Do it?')
    }
    await preparation.run()
    await session.print({ url, role, owner, done: plan }, () =>
      [
        `${style.green('ready')} for brains, which sign in as ${role}`,
        `  give it a password:  psql ${visible(url)} -c '\\password ${role}'`,
        `  use it from here:    brain config set store.url ${visible(asRole(url, role))} --user`,
      ].join('\n'),
    )
  } finally {
    await preparation.close()
  }
}

const asRole = (url: string, role: string): string => {
  const address = new URL(url)
  address.username = role
  return address.href
}

/** Opens one end of a copy: a database, a directory that holds `.brain`, or that itself. */
async function openEnd(session: Session, named: string, { receives }: { receives: boolean }): Promise<Brain> {
  const { openBrain } = await import('../../brain.ts')
  const { environment } = session.terminal
  const common = {
    label: 'brain store copy',
    as: 'command',
    warn: session.warn,
    environment,
    receives,
  } as const
  const settings = await session.settings()
  if (isDatabase(named)) {
    const url = String(checkSetting('store.url', named))
    // Settings next to it name no database.
    const directory = session.settingsDirectory()
    return openBrain({ ...common, directory, config: { ...settings, 'store.url': url } })
  }
  const path = session.path(named)
  const directory = basename(path) === '.brain' ? path : brainDirectoryIn(path)
  if (!receives && !existsSync(join(directory, 'brain.db')))
    throw new BrainError(
      'no-brain',
      `no brain in ${path}: name the directory that holds .brain, or a database`,
    )
  return openBrain({ ...common, directory, create: receives, config: { ...settings, 'store.url': null } })
}

function renderCopied({ counts, vectors, keys, digest, resumed }: Copied, to: string): string {
  const records = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const how = resumed
    ? 'were there in part or whole; the rest copied, and all compared'
    : 'copied and compared'
  return `${counted(records, 'record')}, ${counted(vectors, 'vector')} and ${counted(keys, 'key')} ${how}: ${visible(to)} holds the same (${digest.slice(0, 16)})`
}

async function copy(session: Session, from: string, to: string): Promise<void> {
  const { copyBrain } = await import('../../transfer/copy.ts')
  const source = await openEnd(session, from, { receives: false })
  try {
    const target = await openEnd(session, to, { receives: true })
    try {
      if (source.identity() === target.identity())
        throw new BrainError('invalid', 'both are one brain: name two')
      const copied = await interruptible(session.terminal, (signal) =>
        withProgress(session.terminal, (progress) =>
          copyBrain({
            from: source.store,
            to: target.store,
            source: source.identity(),
            signal,
            progress: ({ doing, done, total }) =>
              progress.update({ doing, done, total, yield: counted(done, 'record') }),
          }),
        ),
      )
      await session.print({ from, to, ...copied }, () => renderCopied(copied, to))
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

export function configureStore(store: Command, open: () => Session): void {
  store
    .command('init')
    .description(
      'Make a PostgreSQL database ready for brains, as its administrator: roles, schema and rights',
    )
    .argument('<url>', 'postgres://ADMINISTRATOR@host/database; the password from PGPASSWORD or ~/.pgpass')
    .option('--role <name>', 'the role that daemons and commands sign in as (default brain)')
    .option('--owner <name>', 'the role that owns the schema, which nobody signs in as (default brain_owner)')
    .option('--yes', 'do not ask')
    .action((url: string, options: InitOptions) => init(open(), url, options))

  store
    .command('copy')
    .description(
      'Copy a whole brain into an empty one, and compare every record; run again, it goes on where it was interrupted',
    )
    .argument('<from>', 'the directory that holds .brain, or postgres://user@host/database')
    .argument('<to>', 'the same for the copy, which must hold nothing')
    .action((from: string, to: string) => copy(open(), from, to))
}
