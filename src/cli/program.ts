/**
 * The command line: global options, every operation as a command, the commands that are no operations, and
 * what each error becomes for a shell.
 */
import { Command, CommanderError } from 'commander'
import { BrainError } from '../core/errors.ts'
import { operations } from '../operations/index.ts'
import { version } from '../version.ts'
import { addDream } from './commands/dream.ts'
import { addInit } from './commands/init.ts'
import { addKey } from './commands/key.ts'
import { addMcp } from './commands/mcp.ts'
import { addServe } from './commands/serve.ts'
import { exitCodes } from './exit-codes.ts'
import { createOperationCommand } from './operation-command.ts'
import { type GlobalOptions, type Outcome, Session } from './session.ts'
import { type Terminal, write } from './terminal.ts'

/** All commands, wired to a terminal. Parsing it runs the command asked for. */
export function createProgram(terminal: Terminal, outcome: Outcome = { exitCode: 0 }): Command {
  const program = new Command('brain')
    .description('Local-first memory for developers and their agents')
    .version(version)
    .option(
      '--dir <directory>',
      'the directory that holds .brain/ (else BRAIN_DIR, else the nearest upwards)',
    )
    .option('--project <name>', 'the project whose records to use (else BRAIN_PROJECT, else default)')
    .option('--agent <name>', "the caller's name (else BRAIN_AGENT, else default)")
    .option('--json', 'print exactly the HTTP response body, one line')
    .option('--no-color', 'no colours')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      // Usage errors are told once, by `report` below.
      writeErr: () => {},
    })
  const open = (): Session => {
    const options = program.opts<GlobalOptions>()
    const colour = terminal.colour && options.color !== false
    return new Session({ ...terminal, colour }, options, outcome)
  }
  addInit(program, open)
  for (const operation of operations) program.addCommand(createOperationCommand(operation, open))
  addDream(program, open)
  addServe(program, open)
  addMcp(program, open)
  addKey(program, open)
  for (const command of program.commands) command.copyInheritedSettings(program)
  return program
}

async function report(error: unknown, terminal: Terminal, json: boolean): Promise<number> {
  if (error instanceof CommanderError) {
    // Help and version end parsing with exit code 0.
    if (error.exitCode === 0) return 0
    const message = error.message.replace(/^error: /, '')
    await write(terminal.stderr, json ? `${JSON.stringify({ error: message })}\n` : `brain: ${message}\n`)
    return 2
  }
  if (!(error instanceof BrainError)) throw error
  await write(
    terminal.stderr,
    json ? `${JSON.stringify({ error: error.message })}\n` : `brain: ${error.message}\n`,
  )
  return exitCodes[error.kind]
}

/** Runs one command line (without node and script). Returns the exit code; bugs are thrown. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  const outcome: Outcome = { exitCode: 0 }
  const program = createProgram(terminal, outcome)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return outcome.exitCode
  } catch (error) {
    return report(error, terminal, argv.includes('--json'))
  }
}
