/**
 * What the command line knows of every operation without loading it: its names and the shapes of its members.
 * Pure data: the build puts the value in the place of its computation, so that help and completion load no schema.
 */
import type { MemberShape } from '../operations/decode.ts'
import type { HelpGroup } from '../operations/groups.ts'
import { operations } from '../operations/index.ts'
import { shapeOf } from '../operations/shapes.ts'

export interface CatalogueEntry {
  /** The operation's name. */
  readonly operation: string
  /** The command's name. */
  readonly command: string
  readonly summary: string
  readonly group: HelpGroup
  readonly examples: readonly string[]
  /** Members by name, in the order of validation. */
  readonly members: Readonly<Record<string, MemberShape>>
  readonly aliases: readonly string[]
  readonly destroys: boolean
  readonly positional: readonly string[]
  readonly flags: Readonly<Record<string, readonly string[]>>
  /** Members by the options that are called otherwise. */
  readonly names: Readonly<Record<string, string>>
  /** Required members that the command finds out where they are left out, and from what. */
  readonly supplied: Readonly<Record<string, string>>
  /** What words after -- are called and are, where there may be some. */
  readonly rest: readonly [name: string, about: string] | undefined
  /** Options that never reach the operation, and those that ask for one of its variants, by their names. */
  readonly options: readonly (readonly [flags: string, about: string])[]
  readonly variants: readonly string[]
}

export const catalogue: readonly CatalogueEntry[] = operations.map(
  ({ name, summary, help, members, command, variants = {} }): CatalogueEntry => ({
    operation: name,
    command: command.name ?? name.replaceAll('_', '-'),
    summary,
    group: help.group,
    examples: help.examples,
    members: Object.fromEntries(Object.entries(members).map(([member, schema]) => [member, shapeOf(schema)])),
    aliases: command.aliases ?? [],
    destroys: command.destroys ?? false,
    positional: command.positional ?? [],
    flags: command.flags ?? {},
    names: command.names ?? {},
    supplied: command.supplied ?? {},
    rest: command.rest,
    options: [
      ...Object.entries(variants).map(([variant, { about }]) => [`--${variant}`, about] as const),
      ...(command.options ?? []),
    ],
    variants: Object.keys(variants),
  }),
)
