/**
 * The groups of commands in help, the manual page and the reference pages, and the exit codes. The text about a command
 * is part of its definition: an operation's in its file, the others' in `commands.ts`.
 */
import { helpGroups, type HelpGroup as OperationGroup } from '../operations/groups.ts'
import { catalogue } from './catalogue.ts'
import { ownCommands } from './commands.ts'

/** The titles of help's groups, in its order. */
const groups = ['Start', ...helpGroups, 'Serve', 'Move and keep', 'Set up'] as const

export type HelpGroup = OperationGroup | 'Start' | 'Serve' | 'Move and keep' | 'Set up'

export interface ListedCommand {
  readonly name: string
  readonly summary: string
  readonly group: HelpGroup
  readonly examples: readonly string[]
  /** Other names it answers to. */
  readonly aliases?: readonly string[]
  /** Whether it destroys what nobody gets back. */
  readonly destroys?: boolean
}

/** Every command, in the order in which help lists them. */
export const listedCommands: readonly ListedCommand[] = [
  ...catalogue.map(({ command, ...entry }) => ({ name: command, ...entry })),
  ...Object.entries(ownCommands).map(([name, own]) => ({ name, ...own })),
].sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group))

/** Command lines that show a command at work. */
export const examplesOf = (name: string): readonly string[] =>
  listedCommands.find((command) => command.name === name)?.examples ?? []

/** Exit codes and their meaning. */
export const exitCodeMeanings: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'done'],
  ['1', 'failure'],
  ['2', 'bad usage or invalid input'],
  ['3', 'refused: not found, already resolved, of another project'],
  ['4', 'no brain here'],
  ['5', 'the store cannot be used: locked, corrupt, of a newer version, read-only, disk full'],
  ['10, 20', 'assess --exit-code: caution, danger'],
  ['130, 143', 'interrupted by Ctrl-C, by SIGTERM; nothing is left half-written'],
]
