/**
 * The daemon as a service of the user's own: the file that systemd or launchd reads. Knows their formats; whether a
 * service runs is their decision.
 */
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { baseDirectory, type Environment, homeOf } from '../config/user-directories.ts'
import { BrainError } from '../core/errors.ts'

export const serviceManagers = ['systemd', 'launchd'] as const
export type ServiceManager = (typeof serviceManagers)[number]

/** What a service starts. */
export interface ServiceOrder {
  /** What tells the brain from others: the directory that holds `.brain/`, or its database. */
  readonly brain: string
  /** The words that lead to it. */
  readonly words: readonly string[]
  /** Absolute paths of Node and of this program's script. */
  readonly program: readonly [node: string, script: string]
  readonly log: string
  readonly environment: Environment
}

export interface ServiceFile {
  readonly name: string
  readonly path: string
  readonly text: string
  /** What a person runs once the file is there. */
  readonly start: readonly string[]
  /** What a person runs once it is gone. */
  readonly forget: readonly string[]
  /** Further paths that the manager made of it. */
  readonly traces: readonly string[]
}

/** By what a file is known to be ours. */
export const serviceMark = 'made by brain service install'

/** A name for the service of one brain: its own, and enough of a hash to distinguish two of that name. */
function nameOf(brain: string): string {
  const word = basename(brain)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32)
  return ['brain', word, createHash('sha256').update(brain).digest('hex').slice(0, 8)]
    .filter(Boolean)
    .join('-')
}

/** One word of a command line in a unit (systemd.service(5), "Command lines"). */
const unitWord = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('$', '$$$$').replaceAll('%', '%%')}"`

function toUnit({ brain, words, program, environment }: ServiceOrder): ServiceFile {
  const name = nameOf(brain)
  const directory = join(baseDirectory(environment, 'XDG_CONFIG_HOME', '.config'), 'systemd', 'user')
  const command = [...program, 'serve', '--log', 'json', ...words].map(unitWord).join(' ')
  return {
    name,
    path: join(directory, `${name}.service`),
    text: `# ${serviceMark}
[Unit]
Description=brain of ${brain.replaceAll('%', '%%')}

[Service]
Type=exec
ExecStart=${command}
Restart=on-failure
RestartSec=5
TimeoutStopSec=10
UMask=0077
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`,
    start: ['systemctl --user daemon-reload', `systemctl --user enable --now ${name}`],
    forget: [`systemctl --user stop ${name}`, 'systemctl --user daemon-reload'],
    traces: [join(directory, 'default.target.wants', `${name}.service`)],
  }
}

const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function toAgent({ brain, words, program, log, environment }: ServiceOrder): ServiceFile {
  const name = nameOf(brain)
  const path = join(homeOf(environment), 'Library', 'LaunchAgents', `${name}.plist`)
  const command = [...program, 'serve', '--log', 'json', ...words]
  return {
    name,
    path,
    text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${serviceMark} -->
<plist version="1.0">
<dict>
  <key>Label</key><string>${name}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${xmlText(word)}</string>`).join('\n')}
  </array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>Umask</key><integer>63</integer>
  <key>StandardErrorPath</key><string>${xmlText(log)}</string>
</dict>
</plist>
`,
    start: [`launchctl bootstrap gui/$(id -u) '${path.replaceAll("'", "'\\''")}'`],
    forget: [`launchctl bootout gui/$(id -u)/${name}`],
    traces: [],
  }
}

/** The file of a brain's service. @throws BrainError `invalid` for a path that such a file cannot name. */
export function serviceFileOf(manager: ServiceManager, order: ServiceOrder): ServiceFile {
  const odd = [order.brain, ...order.words, ...order.program].find((word) => /\p{Cc}/u.test(word))
  if (odd !== undefined)
    throw new BrainError(
      'invalid',
      'a service cannot name a path with control characters: rename the directory',
    )
  return manager === 'systemd' ? toUnit(order) : toAgent(order)
}
