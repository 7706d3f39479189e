/**
 * What an operation is: one value that every interface loops over. Knows the shape of the definition and
 * of the context an operation runs in; refuses to know which interface calls.
 */
import type * as z from 'zod/mini'
import type { CheckSeal } from '../config/check-seal.ts'
import type { CitedFiles } from '../config/cited-files.ts'
import type { Config } from '../config/config.ts'
import type { Kind } from '../core/errors.ts'
import type { Circumstances } from '../core/records.ts'
import type { EmbedderPool } from '../models/pool.ts'
import type { Store } from '../store/store.ts'
import { type HelpGroup, helpGroups } from './groups.ts'

/** Members of an input in the order of the specification, which is the order of validation. */
export type Members = Record<string, z.ZodMiniType>

export type InputOf<M extends Members> = z.output<z.ZodMiniObject<M>>

/** Everything an operation may use. One per call: project and agent belong to the caller. */
export interface Context {
  readonly project: string
  readonly agent: string
  readonly store: Store
  readonly embedders: EmbedderPool
  readonly config: Config
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** What the caller tells of where it is called from, kept with what is recorded. */
  readonly circumstances?: () => Partial<Circumstances>
  /** Proves that a check was written by this user here; absent where the caller may be anybody. */
  readonly seal?: CheckSeal
  /** Whether this is the brain that goes with the person from project to project. */
  readonly own?: boolean
  /** That brain beside this one, where there is one; absent where nobody may read it. */
  readonly personal?: () => Promise<Context | undefined>
  /** Told how far work has got that may take seconds. */
  readonly onProgress?: (step: { doing: string; done: number; total: number }) => void
  /** What stands at cited places, each file read once; absent where the caller's files are not at hand. */
  readonly files?: () => CitedFiles
  /** Whether what is looked for are a command's words, names and paths: no times are read in it. */
  readonly timeless?: boolean
}

/** How a person or a script gives the input on the command line. */
export interface CommandShape {
  /** kebab-case; the operation's name in kebab-case when absent. */
  readonly name?: string
  /** Other names that people try. */
  readonly aliases?: readonly string[]
  /** Whether it destroys what nobody gets back: never suggested in the place of a mistyped name. */
  readonly destroys?: boolean
  /** Members given by position, in order; a last one of type text takes the rest of the words. */
  readonly positional?: readonly string[]
  /** Enum members given as bare flags: `{ kind: ['supporting', 'refuting'] }` makes --supporting, --refuting. */
  readonly flags?: Readonly<Record<string, readonly string[]>>
  /** Options called otherwise than their members: `{ tags: 'tag' }` makes --tag, of which a list takes several. */
  readonly names?: Readonly<Record<string, string>>
  /** Words after -- that never reach the operation: what they are called, and what they are. */
  readonly rest?: readonly [name: string, about: string]
  /** Options that concern the shell or a file and never reach the operation: as commander takes them, and what they do. */
  readonly options?: readonly (readonly [flags: string, about: string])[]
}

/** Where help lists the operation, and command lines that show it at work. */
export interface Help {
  readonly group: HelpGroup
  /** Its place in the group, from 1. */
  readonly place: number
  readonly examples: readonly string[]
}

/** Where HTTP serves an operation. A `:member` in the path is an input member. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: `/v1/${string}`
}

/** Another way to an output of the same shape, for people: `brain recall --explain`, and the page. No tool offers it. */
export interface Variant<M extends Members, O> {
  /** What the option of that name does. */
  readonly about: string
  /** Absent: not served over HTTP. */
  readonly route?: Route
  readonly run: (context: Context, input: InputOf<M>) => Promise<O>
}

export interface Definition<M extends Members, O> {
  /** snake_case; the tool's name, and in camelCase the library's method. */
  readonly name: string
  /** One sentence, in the imperative: help, OpenAPI summary and tool description. */
  readonly summary: string
  /** For a model that chooses among tools: when to call it, what tells it from its neighbours, how to read the answer. */
  readonly guidance?: string
  /** Whether a second call with the same input changes nothing more; a read never does. */
  readonly idempotent?: true
  /** Whether it takes away or replaces what was there. */
  readonly destructive?: true
  readonly help: Help
  /** What it refuses beside invalid input, with X for an id: the sentences by the kind of error. */
  readonly errors?: Readonly<Partial<Record<Kind, readonly string[]>>>
  readonly members: M
  /** Made when it is asked for: a command never does. */
  readonly output: () => z.ZodMiniType<O>
  /** Absent: not served over HTTP. */
  readonly route?: Route
  /** Whether it changes the brain; not the same as the HTTP method. */
  readonly effect: 'read' | 'write'
  /** Whether MCP offers it. */
  readonly tool: boolean
  /** Whether long texts reach a model whole: only where they are what it asked for. */
  readonly whole?: true
  /** Members, given and answered, that MCP's standard list does not spell out: it is read into a model's context. */
  readonly unlisted?: readonly string[]
  readonly command: CommandShape
  /** Whether a call counts as activity of the project; `state` alone does not. */
  readonly counted?: false
  readonly run: (context: Context, input: InputOf<M>) => Promise<O>
  /** The same with what people are told besides, in members that the output may have; JSON goes without. */
  readonly forPeople?: (context: Context, input: InputOf<M>) => Promise<NoInfer<O>>
  /** By the names of the options that ask for them. */
  readonly variants?: Readonly<Record<string, Variant<M, NoInfer<O>>>>
}

type ErasedRun = (context: Context, input: never) => Promise<unknown>

/** Any operation, its types erased: what the loops see. */
export interface Operation extends Omit<Definition<Members, unknown>, 'run' | 'forPeople' | 'variants'> {
  readonly run: ErasedRun
  readonly forPeople?: ErasedRun
  readonly variants?: Readonly<
    Record<string, { readonly about: string; readonly route?: Route; readonly run: ErasedRun }>
  >
}

/** Gives a definition its types; there is nothing else to it. */
export const defineOperation = <const M extends Members, O>(definition: Definition<M, O>): Definition<M, O> =>
  definition

/** The operation with one of its variants in the place of what it does, to be called like any other. */
export function variantOf(operation: Operation, name: string): Operation {
  const variant = operation.variants?.[name]
  if (variant === undefined) throw new Error(`${operation.name} has no variant ${name}`)
  const { route: _, variants: __, ...rest } = operation
  return { ...rest, run: variant.run, ...(variant.route && { route: variant.route }) }
}

/** The operation as it answers people. */
export const forPeople = (operation: Operation): Operation =>
  operation.forPeople === undefined ? operation : { ...operation, run: operation.forPeople }

/** Operations in the order in which help, OpenAPI and tools list them. */
export const inHelpOrder = (operations: readonly Operation[]): readonly Operation[] =>
  operations.toSorted(
    ({ help: a }, { help: b }) =>
      helpGroups.indexOf(a.group) - helpGroups.indexOf(b.group) || a.place - b.place,
  )
