/** `brain service`: the daemon of this brain as a service that starts with the user's session. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Command, Option } from 'commander'
import { daemonLogIn } from '../../config/daemon-note.ts'
import { cannotWrite } from '../../config/file-faults.ts'
import { BrainError, codeOf } from '../../core/errors.ts'
import { makeDirectories } from '../../make-directories.ts'
import { findScript } from '../own-script.ts'
import { visible } from '../render/style.ts'
import {
  type ServiceFile,
  type ServiceManager,
  serviceFileOf,
  serviceManagers,
  serviceMark,
} from '../service-files.ts'
import type { Session } from '../session.ts'
import { wordsTo } from './serve-detached.ts'

interface Options {
  readonly manager?: ServiceManager
  readonly print?: boolean
}

/** What starts services on this system. @throws BrainError `invalid` where that is nobody we know. */
function managerOf({ manager }: Options): ServiceManager {
  if (manager !== undefined) return manager
  if (process.platform === 'linux') return 'systemd'
  if (process.platform === 'darwin') return 'launchd'
  throw new BrainError(
    'invalid',
    'services are made for systemd and launchd: here, let the system start `brain serve --detach` when you log in, or choose with --manager',
  )
}

async function fileFor(session: Session, options: Options): Promise<ServiceFile> {
  const { directory, database } = session.place
  // Others may read such a file, and an address with a password is refused.
  await session.config(directory)
  return serviceFileOf(managerOf(options), {
    brain: database ?? dirname(directory),
    words: wordsTo(session, directory),
    program: [process.execPath, findScript()],
    log: daemonLogIn(directory),
    environment: session.terminal.environment,
  })
}

/** The text of a service's file; undefined where there is none. @throws BrainError `refused` for one of other making. */
function readOwn(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    if (text.includes(serviceMark)) return text
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw cannotWrite(path, error)
  }
  throw new BrainError('refused', `${path} was not made by brain: move it away`)
}

const commands = (lines: readonly string[]): string => lines.map((line) => `  ${visible(line)}`).join('\n')

async function install(session: Session, options: Options): Promise<void> {
  const { name, path, text, start } = await fileFor(session, options)
  if (options.print) return session.print({ name, path, text }, () => text.trimEnd())
  const changed = readOwn(path) !== text
  try {
    makeDirectories(dirname(path))
    if (changed) writeFileSync(path, text, { mode: 0o644 })
  } catch (error) {
    throw cannotWrite(path, error)
  }
  await session.print({ name, path, changed, start }, () =>
    [
      changed ? `wrote ${visible(path)}` : `${visible(path)} stands there already`,
      'To start it now and whenever you log in:',
      commands(start),
    ].join('\n'),
  )
}

async function remove(session: Session, options: Options): Promise<void> {
  const { name, path, forget, traces } = await fileFor(session, options)
  if (readOwn(path) === undefined)
    throw new BrainError('refused', `no service of this brain: there is no ${path}`)
  try {
    for (const one of [path, ...traces]) rmSync(one, { force: true })
  } catch (error) {
    throw cannotWrite(path, error)
  }
  await session.print({ name, path, forget }, () =>
    [`removed ${visible(path)}`, 'To end it now:', commands(forget)].join('\n'),
  )
}

export function configureService(command: Command, open: () => Session): void {
  const manager = () =>
    new Option('--manager <name>', 'who starts it (default: what this system has)').choices(serviceManagers)
  command
    .command('install')
    .description('Write the file of a service that serves this brain whenever you are logged in')
    .addOption(manager())
    .option('--print', 'print the file instead of writing it')
    .action((options: Options) => install(open(), options))
  command
    .command('remove')
    .description('Remove that file')
    .addOption(manager())
    .action((options: Options) => remove(open(), options))
}
