/**
 * The command line: global options, every operation as a command, the commands that are no operations, and
 * what each error becomes for a shell. Only the command asked for is built in full.
 */
import { Command, CommanderError } from 'commander'
import { describeFault } from '../config/file-faults.ts'
import { BrainError } from '../core/errors.ts'
import { version } from '../version.ts'
import { catalogue } from './catalogue.ts'
import { ownCommands, shadowed } from './commands.ts'
import { exitCodes, Relayed } from './exit-codes.ts'
import { Interrupted } from './interrupt.ts'
import { examplesOf, type ListedCommand, listedCommands } from './manual.ts'
import { shapeOperationCommand } from './operation-command.ts'
import { createStyle, visible } from './render/style.ts'
import { type GlobalOptions, type Outcome, Session } from './session.ts'
import { isClosedPipe, print, type Terminal, write } from './terminal.ts'

const entries = new Map(catalogue.map((entry) => [entry.command, entry]))

/** The command of that name, or of that other name it answers to. */
const findCommand = (word: string | undefined): ListedCommand | undefined =>
  listedCommands.find(({ name, aliases = [] }) => word !== undefined && [name, ...aliases].includes(word))

const isCommand = (word: string): boolean => findCommand(word) !== undefined

/** Options of every command, and what each is for. */
const globalOptions: readonly (readonly [flags: string, about: string])[] = [
  ['--dir <directory>', 'the directory that contains .brain/ (else BRAIN_DIR, else the nearest upwards)'],
  ['--global', "the person's own brain, beside those of projects; made on first use"],
  [
    '--store <url>',
    'the database that holds the brain: postgres://user@host/database (else BRAIN_STORE, else the setting store.url)',
  ],
  ['--project <name>', 'the project whose records to use (else BRAIN_PROJECT, else default)'],
  ['--agent <name>', "the caller's name (else BRAIN_AGENT, else default)"],
  ['--json', 'print exactly the HTTP response body, one line; errors as JSON on standard error'],
  ['--no-color', 'no colours (also NO_COLOR)'],
]

const optionNames = globalOptions.map(([flags]) => flags.split(' '))

const isGlobal = (option: string): boolean => optionNames.some(([name]) => name === option)

const takesValue = (option: string): boolean =>
  optionNames.some(([name, value]) => name === option && value !== undefined)

/**
 * The place of the command that a command line asks for: its first word that is no option of ours; after `help`, the
 * next. Behind the last word where it asks for none.
 */
function placeOfCommand(argv: readonly string[]): number {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (word === '--') return at + 1
    if (takesValue(word)) at += 1
    else if (!word.startsWith('-') && word !== 'help') return at
  }
  return argv.length
}

/** The words, with a command's own options distinguished from global ones, which the parser would see first. */
function withOwnOptions(argv: readonly string[], wanted: string | undefined): string[] {
  const shadows = (wanted !== undefined && ownCommands[wanted]?.shadows) || []
  const named = placeOfCommand(argv)
  return argv.map((word, at) => (at > named && shadows.includes(word) ? shadowed(word) : word))
}

/** Meaning of a positional argument, its choices and its default. */
function describePlace(about: string, choices: readonly string[] | undefined, fallback?: unknown): string {
  const parts = [about, choices?.join(', ') ?? '', typeof fallback === 'string' ? `default ${fallback}` : '']
  return parts.filter((part) => part !== '').join('; ')
}

/** `shown` is given the texts of help and version. */
function createRoot(terminal: Terminal, shown: string[]): Command {
  const style = createStyle(terminal.colour)
  const root = new Command('brain')
    .description('Local-first memory for developers and their agents')
    .usage('<command> [options]')
  for (const [flags, about] of globalOptions) root.option(flags, about)
  return root
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 20,
      argumentDescription: ({ description, argChoices }) => describePlace(description, argChoices),
      optionDescription: ({ description, argChoices, defaultValue }) =>
        describePlace(description, argChoices, defaultValue),
      subcommandTerm: (command) => command.name(),
      styleTitle: style.bold,
    })
    .configureOutput({
      writeOut: (text) => shown.push(text),
      // Usage errors are reported once, by `report` below.
      writeErr: () => {},
      getOutHelpWidth: () => terminal.columns ?? 80,
      getOutHasColors: () => terminal.colour,
      getErrHelpWidth: () => terminal.columns ?? 80,
      getErrHasColors: () => terminal.colour,
    })
}

async function shape(command: Command, open: () => Session): Promise<void> {
  const name = command.name()
  const entry = entries.get(name)
  if (entry === undefined) (await ownCommands[name]?.load())?.(command, open)
  else shapeOperationCommand(command, entry, open)
  command.addHelpText('after', () => {
    const examples = examplesOf(name)
    return examples.length === 0 ? '' : ['', 'Examples:', ...examples.map((line) => `  $ ${line}`)].join('\n')
  })
}

export interface ProgramOptions {
  readonly terminal: Terminal
  readonly outcome: Outcome
  /** Collects the output of help and version. */
  readonly shown?: string[]
  /** Commands to build in full, with their arguments, options and actions; the others are names and summaries. */
  readonly full: (name: string) => boolean
}

/** The commands, wired to a terminal. Parsing runs the command asked for, which has to be built in full. */
export async function createProgram({
  terminal,
  outcome,
  full,
  shown = [],
}: ProgramOptions): Promise<Command> {
  const program = createRoot(terminal, shown)
  const open = (): Session => new Session(terminal, program.opts<GlobalOptions>(), outcome)
  const wanted = listedCommands.filter(({ name }) => full(name))
  for (const { name, summary, group, aliases = [] } of wanted.length === 1 ? wanted : listedCommands) {
    const command = program.command(name).description(summary).helpGroup(`${group}:`).aliases(aliases)
    if (full(name)) await shape(command, open)
  }
  program.addHelpCommand(
    new Command('help').argument('[command]').description('Show help for a command').helpGroup('Set up:'),
  )
  program.addHelpText('after', '\nRun `brain help <command>` for its options and examples.')
  return program
}

const destroy = '`brain forget ID` deletes a record for good, `brain expire ID WHEN` hides it from WHEN on'
const past = '`brain show ID` tells the earlier texts of a record, `brain list` the newest records'

/** What people mean by commands of other programs. */
const meant: Readonly<Record<string, string>> = {
  add: '`brain remember "…"` keeps a note',
  delete: destroy,
  find: '`brain recall "…"` finds what was kept',
  history: past,
  log: past,
  rm: destroy,
  undo: '`brain reopen ID` takes back a resolution, `brain untag ID TAG` a tag, `brain unpin ID` a pin, `brain expire ID never` an end; `brain show ID` tells the earlier texts of a record, `brain restore FILE` puts a backup back',
}

/** A usage error in one line: what is wrong, and the nearest that would be right. */
function describeUsage(error: CommanderError): string {
  const [, message = '', similar] =
    /^(?:error: )?(.*?)(?:\n\(Did you mean (?:one of )?(.*)\?\))?$/s.exec(error.message) ?? []
  const [, word = ''] = /^unknown command '(.*)'$/.exec(message) ?? []
  if (Object.hasOwn(meant, word)) return `${message}: ${meant[word]}`
  // Never what destroys: a person in a hurry takes what is offered.
  const offered = similar?.split(', ').filter((word) => findCommand(word)?.destroys !== true) ?? []
  // The sentences of the other interfaces.
  const [, option, argument, choices] =
    /^(?:option '--([\w-]+)|.* is invalid for argument '([\w-]+)').*\. Allowed choices are (.*)\.$/s.exec(
      message,
    ) ?? []
  if (choices !== undefined) return `${toMember(option ?? argument)} must be one of: ${choices}`
  if (error.code !== 'commander.missingArgument') {
    const few = offered.length > 1 ? 'one of ' : ''
    return offered.length === 0 ? message : `${message}; did you mean ${few}${offered.join(', ')}?`
  }
  return `${toMember(/'([^']+)'/.exec(message)?.[1])} is required`
}

/** What the messages of every interface call an argument or option. */
const toMember = (name = 'an argument'): string => name.replaceAll('-', '_')

/** Whether a refused option was meant as text: `-5 degrees`, `- a line of a list`. */
const isDashedText = (message: string): boolean =>
  /^error: unknown option '(-[^-a-zA-Z]|[^']*\s)/.test(message)

interface Failure {
  readonly message: string
  readonly exitCode: number
  /** For people only. */
  readonly hint?: string
}

function toFailure(error: unknown, wanted: string | undefined): Failure {
  if (error instanceof CommanderError) {
    const about = wanted !== undefined && isCommand(wanted) ? `${wanted} --help` : '--help'
    const dashed = isDashedText(error.message)
      ? 'Text that starts with a dash goes after --, options before it. '
      : ''
    const hint = `${dashed}See \`brain ${about}\`.`
    return { message: describeUsage(error), exitCode: exitCodes.invalid, hint }
  }
  if (error instanceof Interrupted) {
    const { message, exitCode, hint } = error
    return { message, exitCode, ...(hint !== undefined && { hint }) }
  }
  if (error instanceof Relayed) return { message: error.message, exitCode: error.exitCode }
  if (error instanceof BrainError) {
    const { message, kind } = error
    // What is missing may be an option, whose name the shared message does not contain.
    const lacks = kind === 'invalid' && / is required\b/.test(message) && wanted !== undefined
    const hint = error.hint ?? (lacks ? `See \`brain ${wanted} --help\`.` : undefined)
    return { message, exitCode: exitCodes[kind], ...(hint !== undefined && { hint }) }
  }
  const fault = describeFault(error)
  if (fault !== undefined) return { message: fault, exitCode: exitCodes.failed }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return {
    message: `unexpected error, please report it: ${message}`,
    exitCode: 1,
    ...(stack && { hint: stack }),
  }
}

/** A command that only holds others, and was given none of them. */
function missingCommand(program: Command, wanted: string): Failure {
  const holder = program.commands.find((command) => command.name() === wanted)
  const choices = holder?.commands.map((command) => command.name()).join(', ')
  const message = `${wanted} needs one of: ${choices}`
  return { message, exitCode: exitCodes.invalid, hint: `See \`brain ${wanted} --help\`.` }
}

async function report(
  { message, hint, exitCode }: Failure,
  terminal: Terminal,
  json: boolean,
): Promise<number> {
  const forPeople = `brain: ${visible(message)}\n${hint === undefined ? '' : `${visible(hint)}\n`}`
  try {
    // In JSON what is shown means what was hidden.
    await write(terminal.stderr, json ? `${visible(JSON.stringify({ error: message }))}\n` : forPeople)
  } catch (error) {
    if (!isClosedPipe(error)) throw error
  }
  return exitCode
}

async function tell(text: string, terminal: Terminal): Promise<number> {
  try {
    await print(terminal, text)
  } catch (error) {
    if (!isClosedPipe(error)) throw error
  }
  return 0
}

/** Whether a word is no option, one of every command, or a limit that both lists of open predictions have. */
function isOfOpenList(word: string, at: number, argv: readonly string[]): boolean {
  if (!word.startsWith('--')) return true
  const [name = '', value = argv[at + 1]] = word.split('=')
  return isGlobal(name) || (name === '--limit' && Number(value) >= 1 && Number(value) <= 50)
}

/**
 * Three operations have the names of others before them, as people write them: `recall feedback 12 --right`, which no question
 * looks like, `dream feedback 12 keep` and `calibration --recall`. Programs that ask for `predictions` with nothing
 * more are answered as the specification has it, which knows open ones alone, and at most fifty.
 */
function spellOut(argv: readonly string[]): readonly string[] {
  const start = placeOfCommand(argv)
  const [command, word = '', id = '', verdict = ''] = argv.slice(start)
  const spelt = (name: string): string[] => argv.toSpliced(start, 2, name)
  const said = ['--right', '--wrong', '--verdict'].some((flag) => argv.includes(flag))
  if (command === 'recall' && word === 'feedback' && /^\d+$/.test(id)) {
    if (said) return spelt('recall-feedback')
    // As `dream feedback` takes its word.
    if (/^(?:right|wrong)$/.test(verdict))
      return argv.toSpliced(start, 4, 'recall-feedback', id, `--${verdict}`)
  }
  if (command === 'dream' && word === 'feedback') return spelt('dream-feedback')
  if (command === 'calibration' && argv.includes('--recall'))
    return argv.with(start, 'recall-calibration').filter((word) => word !== '--recall')
  if (command === 'predictions' && argv.includes('--json') && argv.every(isOfOpenList))
    return argv.with(start, 'predictions-open')
  return argv
}

/** Runs one command line (without node and script). Returns the exit code. */
export async function runCli(asked: readonly string[], given: Terminal): Promise<number> {
  // Help takes one word; for a command within a command it is asked as that command's own.
  const nested = asked[0] === 'help' && asked.length > 2 && !asked.some((word) => word.startsWith('-'))
  const argv = spellOut(nested ? [...asked.slice(1), '--help'] : asked)
  const words = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
  // The streams of a process are getters that cost time: the terminal is extended, never copied.
  const terminal: Terminal = words.includes('--no-color')
    ? Object.create(given, { colour: { value: false } })
    : given
  const outcome: Outcome = { exitCode: 0 }
  const word = argv[placeOfCommand(argv)]
  const wanted = findCommand(word)?.name ?? word
  const shown: string[] = []
  const program = await createProgram({ terminal, outcome, full: (name) => name === wanted, shown })
  try {
    await program.parseAsync(withOwnOptions(argv, wanted), { from: 'user' })
    return outcome.exitCode
  } catch (error) {
    // A reader that went away ends the command quietly.
    if (isClosedPipe(error)) return 0
    // Help and version end parsing.
    if (error instanceof CommanderError && error.exitCode === 0) {
      return tell(shown.join(''), terminal).catch((fault) =>
        report(toFailure(fault, wanted), terminal, words.includes('--json')),
      )
    }
    const lacking = error instanceof CommanderError && error.code === 'commander.help'
    // Nothing asked for: how the brain stands, or how to make one.
    if (lacking && wanted === undefined && !words.includes('help')) return runCli([...argv, 'status'], given)
    // `help nope` is refused as `nope` is, with what it may have meant.
    if (lacking && wanted !== undefined && !isCommand(wanted)) {
      return runCli(words.includes('--json') ? ['--json', wanted] : [wanted], given)
    }
    // Help on help is the help there is.
    if (lacking && wanted === undefined && words.includes('help')) {
      return tell(program.helpInformation(), terminal)
    }
    const failure =
      lacking && wanted !== undefined ? missingCommand(program, wanted) : toFailure(error, wanted)
    return report(failure, terminal, words.includes('--json'))
  }
}
