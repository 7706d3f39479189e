/** An operation as a command: arguments and options out of its members, its output printed or rendered. */
import { Command, Option } from 'commander'
import { decodeString, type MemberShape, shapeOf } from '../operations/decode.ts'
import type { Operation } from '../operations/operation.ts'
import { extensionOf } from './extensions.ts'
import { createStyle } from './render/style.ts'
import type { Session } from './session.ts'
import { readAll, type Terminal } from './terminal.ts'

const kebab = (name: string): string => name.replaceAll('_', '-')

interface Shape {
  readonly members: ReadonlyMap<string, MemberShape>
  readonly positional: readonly string[]
}

function addPositional(command: Command, { members, positional }: Shape): void {
  for (const [at, member] of positional.entries()) {
    const shape = members.get(member)
    const rest = at === positional.length - 1 && shape?.type === 'string' ? '...' : ''
    const name = `${kebab(member)}${rest}`
    const choices = shape?.values ? shape.values.join(', ') : ''
    command.argument(shape?.required ? `<${name}>` : `[${name}]`, choices)
  }
}

function addOptions(command: Command, operation: Operation, { members, positional }: Shape): void {
  for (const [member, shape] of members) {
    if (positional.includes(member)) continue
    const flags = operation.command.flags?.[member]
    if (flags !== undefined) {
      for (const flag of flags) command.option(`--${flag}`, `${member}: ${flag}`)
      continue
    }
    const about =
      shape.values?.join(', ') ?? (shape.fallback === undefined ? '' : `default ${shape.fallback}`)
    const option = new Option(`--${kebab(member)} <${shape.type === 'string' ? 'text' : shape.type}>`, about)
    command.addOption(option)
  }
}

/** `-` stands for standard input; other words are joined as a shell would have kept them. */
async function readText(words: readonly string[], terminal: Terminal): Promise<string> {
  if (words.length !== 1 || words[0] !== '-') return words.join(' ')
  return (await readAll(terminal.stdin)).replace(/\r?\n$/, '')
}

async function readInput(command: Command, operation: Operation, call: { shape: Shape; terminal: Terminal }) {
  const { members, positional } = call.shape
  const options = command.opts<Record<string, string | boolean | undefined>>()
  const input: Record<string, unknown> = {}
  for (const [at, member] of positional.entries()) {
    const given = command.processedArgs[at] as string | string[] | undefined
    const shape = members.get(member)
    if (given === undefined || shape === undefined) continue
    const value = Array.isArray(given) ? await readText(given, call.terminal) : given
    input[member] = decodeString(shape, value)
  }
  for (const [member, shape] of members) {
    if (positional.includes(member)) continue
    const flags = operation.command.flags?.[member]
    if (flags !== undefined) {
      const chosen = flags.filter((flag) => options[flag] === true)
      if (chosen.length > 0) input[member] = chosen.length === 1 ? chosen[0] : chosen.join(',')
      continue
    }
    const value = options[member.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (typeof value !== 'string') continue
    input[member] =
      shape.type === 'string' ? await readText([value], call.terminal) : decodeString(shape, value)
  }
  return input
}

/** The command of an operation. `open` gives the session once the global options are known. */
export function createOperationCommand(operation: Operation, open: () => Session): Command {
  const command = new Command(operation.command.name ?? kebab(operation.name)).description(operation.summary)
  const shape: Shape = {
    members: new Map(Object.entries(operation.members).map(([member, schema]) => [member, shapeOf(schema)])),
    positional: operation.command.positional ?? [],
  }
  addPositional(command, shape)
  addOptions(command, operation, shape)
  const extension = extensionOf(operation.name)
  for (const [flags, about] of extension?.options ?? []) command.option(flags, about)
  command.action(async () => {
    const session = open()
    const input = await readInput(command, operation, { shape, terminal: session.terminal })
    const { output, config } = await session.withBrain(operation.name, async (brain, caller) => ({
      output: await (extension?.instead?.(brain.context(caller), input, command.opts()) ??
        brain.call(operation, caller, input)),
      config: brain.config,
    }))
    const { render } = await import('./render/index.ts')
    const style = createStyle(session.terminal.colour)
    await session.print(output, () => render(operation.name, output, { style, config }))
    // The output is that of the very operation the extension belongs to.
    await extension?.after?.(output as never, command.opts(), session)
  })
  return command
}
