/**
 * An operation as a command: arguments and options out of its members, its output printed or rendered. Knows the
 * catalogue; loads the operation itself only when the command runs.
 */
import { Argument, type Command, Option } from 'commander'
import { BrainError } from '../core/errors.ts'
import { maxTextBytes } from '../core/limits.ts'
import { decodeString, type MemberShape } from '../operations/decode.ts'
import { forPeople, variantOf } from '../operations/operation.ts'
import type { CatalogueEntry } from './catalogue.ts'
import { warnOfSecrets } from './given-text.ts'
import { loadOperation, loadView } from './operation-modules.ts'
import { type Progress, withProgress } from './progress.ts'
import type { ShellOptions } from './render/view.ts'
import type { Session } from './session.ts'
import { inputOf, readUpTo, type Terminal } from './terminal.ts'
import { tidyUp } from './tidying.ts'

const kebab = (name: string): string => name.replaceAll('_', '-')
const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Bytes to read beyond the limit: a line end, and one that shows that there is more. */
const lineEnd = 3

/** What a member means and takes, in a line that begins small, as all of help does. */
function describeMember({ about = '', ...shape }: MemberShape, fromInput = false): string {
  const parts = [about.charAt(0).toLowerCase() + about.slice(1)]
  if (fromInput) parts.push('- reads it from standard input')
  if (shape.min !== undefined && shape.max !== undefined) parts.push(`${shape.min} to ${shape.max}`)
  if (shape.fallback !== undefined && shape.fallback !== null) parts.push(`default ${shape.fallback}`)
  return parts.filter((part) => part !== '').join('; ')
}

/** Tells help and completion of the values there are; refusing others is left to the operation, in its own words. */
function withChoices<T extends Argument | Option>(place: T, { values }: MemberShape): T {
  if (values !== undefined) place.argChoices = [...values]
  return place
}

/** Values of a first member that may be left out, which then has to be distinguished from the next: `show belief 3`, `show 3`. */
function leadingValues({ members, positional }: CatalogueEntry): readonly string[] | undefined {
  const [first = ''] = positional
  const shape = members[first]
  return positional.length > 1 && shape?.required === false ? shape.values : undefined
}

function addPositional(command: Command, entry: CatalogueEntry): void {
  const { members, positional } = entry
  const leading = leadingValues(entry) !== undefined
  for (const [at, member] of positional.entries()) {
    const shape = members[member]
    if (shape === undefined) continue
    const takesRest = shape.type === 'string' || shape.list === true
    const rest = at === positional.length - 1 && takesRest ? '...' : ''
    const name = `${kebab(member)}${rest}`
    const argument = new Argument(
      shape.required && !leading ? `<${name}>` : `[${name}]`,
      describeMember(shape, rest !== '' && shape.required && shape.list !== true),
    )
    command.addArgument(withChoices(argument, shape))
  }
  if (entry.rest !== undefined) command.addArgument(new Argument(`[${entry.rest[0]}...]`, entry.rest[1]))
}

/** How the value of an option is called. */
const placeholderOf = (member: string, { type }: MemberShape): string =>
  type === 'string' ? 'text' : type === 'enum' ? kebab(member) : type

/** Usage names the options that there must be, among those that may be left out. */
function describeUsage({ members, positional, flags, supplied }: CatalogueEntry, usage: string): string {
  const required = Object.entries(members)
    .filter(
      ([member, shape]) => shape.required && !positional.includes(member) && supplied[member] === undefined,
    )
    .map(([member, shape]) => {
      const choices = flags[member]?.map((flag) => `--${flag}`)
      return choices?.join('|') ?? `--${kebab(member)} <${placeholderOf(member, shape)}>`
    })
  return usage.replace('[options]', ['[options]', ...required].join(' '))
}

/** Every word of an option that may stand several times. */
const collect = (word: string, before: string[] | undefined): string[] => [...(before ?? []), word]

/** The option of a member that is none of the bare flags. */
function toOption(member: string, shape: MemberShape, { flags, names, supplied }: CatalogueEntry): Option {
  const told = supplied[member] === undefined ? 'required' : `else ${supplied[member]}`
  const about =
    shape.required && flags[member] === undefined
      ? `${describeMember(shape)}; ${told}`
      : describeMember(shape)
  const name = kebab(names[member] ?? member)
  if (shape.type === 'boolean') return new Option(`--${name}`, about)
  const option = new Option(`--${name} <${placeholderOf(member, shape)}>`, about)
  return shape.list === true ? option.argParser(collect) : withChoices(option, shape)
}

function addOptions(command: Command, entry: CatalogueEntry): void {
  const { members, positional, flags } = entry
  for (const [member, shape] of Object.entries(members)) {
    if (positional.includes(member)) continue
    for (const flag of flags[member] ?? []) command.option(`--${flag}`, `${kebab(member)} is ${flag}`)
    command.addOption(toOption(member, shape, entry))
  }
}

/** Reads texts given as `-` from standard input, of which there is one. */
class StandardInput {
  readonly #terminal: Terminal
  #taken = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** The words as a shell would have kept them, or standard input without its last line end for `-`. */
  async resolve(
    member: string,
    { bytes: most = maxTextBytes }: MemberShape,
    words: readonly string[],
  ): Promise<string> {
    if (words.length !== 1 || words[0] !== '-') return words.join(' ')
    if (this.#taken)
      throw new BrainError('invalid', `${member} is a second -: standard input can be read once`)
    this.#taken = true
    if (this.#terminal.answering)
      this.#terminal.stderr.write('Type the text, then Ctrl-D on a line of its own.\n')
    const { bytes, complete } = await readUpTo(inputOf(this.#terminal), most + lineEnd)
    if (!complete) throw new BrainError('invalid', `${member} must be at most ${most} bytes`)
    try {
      const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
      return decoder.decode(bytes).replace(/\r?\n$/, '')
    } catch (error) {
      throw new BrainError('invalid', `${member} must be well-formed Unicode`, { cause: error })
    }
  }
}

/** As in a query, and a negative integer besides: its refusal then names the bounds. */
const decodeArgument = (shape: MemberShape, word: string): unknown =>
  shape.type === 'integer' && /^-\d+$/.test(word) ? Number(word) : decodeString(shape, word)

/** Ids after the first have no name on a command line: a wrong one is told as it was typed. */
function requireIds(words: readonly string[]): void {
  const wrong = words.flatMap((word) => word.split(',')).find((id) => !/^\d*[1-9]\d*$/.test(id.trim()))
  if (wrong !== undefined)
    throw new BrainError(
      'invalid',
      `${JSON.stringify(wrong)} is no id: an id is a positive integer, such as 12`,
    )
}

/** The words given for each positional member, in its place: the last takes all that are left. */
function placeWords(command: Command, entry: CatalogueEntry): (readonly string[] | undefined)[] {
  const { members, positional } = entry
  const given = (command.processedArgs as (string | string[] | undefined)[])
    .slice(0, positional.length)
    .flat()
  const words = given.filter((word) => word !== undefined)
  const leading = leadingValues(entry)
  const [, second = ''] = positional
  const [word = ''] = words
  const isSecond = words.length < 2 || (members[second]?.type === 'integer' && /^\d+$/.test(word))
  const places =
    leading !== undefined && isSecond && !leading.includes(word) ? positional.slice(1) : positional
  return positional.map((member) => {
    const at = places.indexOf(member)
    const own = at === -1 ? [] : words.slice(at, at === places.length - 1 ? undefined : at + 1)
    return own.length === 0 ? undefined : own
  })
}

async function readInput(command: Command, entry: CatalogueEntry, terminal: Terminal) {
  const options = command.opts<Record<string, string | boolean | string[] | undefined>>()
  const stdin = new StandardInput(terminal)
  const places = placeWords(command, entry)
  const input: Record<string, unknown> = {}
  for (const [member, shape] of Object.entries(entry.members)) {
    const at = entry.positional.indexOf(member)
    const flags = entry.flags[member]
    if (flags !== undefined) {
      const named = options[camel(member)]
      const chosen = [
        ...flags.filter((flag) => options[flag] === true),
        ...(typeof named === 'string' ? [named] : []),
      ]
      if (chosen.length > 1) {
        const choices = [...flags, kebab(member)].map((name) => `--${name}`)
        throw new BrainError('invalid', `${member} is given twice: name one of ${choices.join(', ')}`)
      }
      if (chosen.length > 0) input[member] = chosen[0]
      continue
    }
    // No words at all are a member that was not given; an empty word is one that was.
    const given = at >= 0 ? places[at] : options[camel((entry.names[member] ?? member).replaceAll('-', '_'))]
    if (given === undefined || given === false) continue
    if (given === true) {
      if (shape.type === 'boolean') input[member] = true
      continue
    }
    const words = typeof given === 'string' ? [given] : given
    if (shape.type === 'integer' && shape.list === true) requireIds(words)
    const alone = shape.type === 'string' && shape.list !== true
    const joined = words.join(shape.list === true ? ',' : ' ')
    input[member] = alone ? await stdin.resolve(member, shape, words) : decodeArgument(shape, joined)
  }
  return input
}

/** The words after -- that are none of the operation's. */
const restOf = (command: Command, { positional, rest }: CatalogueEntry): string[] =>
  // Commander gives a list for an argument that takes all that are left.
  rest === undefined ? [] : ((command.processedArgs[positional.length] as string[] | undefined) ?? [])

/** Asks a person for the required members that the command line left out. */
async function askForMissing(
  terminal: Terminal,
  { members }: CatalogueEntry,
  input: Record<string, unknown>,
): Promise<void> {
  for (const [member, shape] of Object.entries(members)) {
    if (!shape.required || input[member] !== undefined) continue
    const { askFor } = await import('./missing.ts')
    input[member] = decodeArgument(shape, await askFor(terminal, member, shape))
  }
}

/** Makes `command` the command of an operation. `open` gives the session once the global options are known. */
export function shapeOperationCommand(command: Command, entry: CatalogueEntry, open: () => Session): void {
  addPositional(command, entry)
  addOptions(command, entry)
  for (const [flags, about] of entry.options) command.option(flags, about)
  command.usage(describeUsage(entry, command.usage()))
  command.action(async () => {
    const session = open()
    // Nobody types a text that then has nowhere to go.
    session.locate()
    const given = await readInput(command, entry, session.terminal)
    const options: ShellOptions = { ...command.opts(), rest: restOf(command, entry) }
    const [operation, view] = await Promise.all([loadOperation(entry.operation), loadView(entry.operation)])
    const observed = await view.observe?.(given, options, session)
    const input = { ...(observed?.input ?? given) }
    // A query names what else there would have to be an id for.
    if (session.mayAsk && options.query === undefined) await askForMissing(session.terminal, entry, input)
    const complete = (await view.complete?.(input, session, options)) ?? input
    const variant = entry.variants.find((name) => options[name] === true)
    const plain = session.options.json === true ? operation : forPeople(operation)
    const wanted = variant === undefined ? plain : variantOf(operation, variant)
    const { output, config } = await session
      .withBrain(entry.command, async (brain, caller) => {
        await tidyUp(session, brain.context(caller), operation)
        await session.tellNewProject(brain, caller)
        const prepared = (await view.prepare?.(complete, { brain, caller, session, options })) ?? complete
        const shown = view.showsProgress === true
        const work = ({ update }: Progress) =>
          brain.call(wanted, { ...caller, ...(shown && { onProgress: update }) }, prepared)
        // The very operation that the view belongs to.
        const output = (await withProgress(session.terminal, work, shown)) as never
        return { output, config: brain.config }
      })
      .catch(async (error: unknown) => {
        await view.failed?.(input, complete, session)
        throw error
      })
    if (operation.effect === 'write') await warnOfSecrets(complete, session)
    const told = { config, input: complete, options }
    if (observed?.said !== undefined) session.say(observed.said)
    await session.print(output, () => view.render(output, session.style, told))
    if (observed?.exitCode !== undefined) session.outcome.exitCode = observed.exitCode
    await view.after?.(output, told, session)
  })
}
