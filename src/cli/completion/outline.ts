/** The program as completion sees it: names, options, what may follow each. Out of the commands' own definitions. */
import type { Command } from 'commander'

/** What may stand in a place: one of some words, a file, or nothing that is known. */
export interface Place {
  readonly words: readonly string[]
  readonly file: boolean
}

export interface OptionOutline {
  /** `--limit`; options have no other names but `-h` and `-V`. */
  readonly name: string
  readonly about: string
  /** Absent for a flag. */
  readonly value?: Place
}

export interface CommandOutline {
  readonly name: string
  readonly about: string
  readonly options: readonly OptionOutline[]
  readonly arguments: readonly Place[]
  readonly commands: readonly CommandOutline[]
}

const isFile = (placeholder: string): boolean => /^(file|directory)\b/.test(placeholder)

function outlineOf(command: Command): CommandOutline {
  const help = command.createHelp()
  return {
    name: command.name(),
    about: command.description(),
    options: help.visibleOptions(command).map((option) => ({
      name: option.long ?? option.flags,
      about: option.description,
      ...((option.required || option.optional) && {
        value: { words: option.argChoices ?? [], file: isFile(/<(.*)>/.exec(option.flags)?.[1] ?? '') },
      }),
    })),
    arguments: command.registeredArguments.map((argument) => ({
      words: argument.argChoices ?? [],
      file: isFile(argument.name()),
    })),
    commands: help
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help')
      .map(outlineOf),
  }
}

/** The outline of a program whose commands are all built in full. */
export const outlineProgram = (program: Command): CommandOutline => outlineOf(program)

/** Options that take a value. */
export const valueOptions = ({ options }: CommandOutline): (OptionOutline & { readonly value: Place })[] =>
  options.flatMap((option) => (option.value === undefined ? [] : [{ ...option, value: option.value }]))

/** Every command with the words that lead to it: `['key', 'create']`. The program itself has none. */
export function* eachCommand(
  command: CommandOutline,
  path: readonly string[] = [],
): Generator<{ readonly path: readonly string[]; readonly command: CommandOutline }> {
  yield { path, command }
  for (const child of command.commands) yield* eachCommand(child, [...path, child.name])
}
