/**
 * Defines an operation: one value that every interface iterates over. Knows the shape of the definition and of the
 * context an operation runs in, not which interface calls.
 */
import type * as z from 'zod/mini'
import type { CheckSigner } from '../config/check-signer.ts'
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

/** Everything an operation may use. One per call: project and agent are the caller's. */
export interface Context {
  readonly project: string
  readonly agent: string
  readonly store: Store
  readonly embedders: EmbedderPool
  readonly config: Config
  /** The `.brain` directory, where what is derived from records may be kept; absent if nothing is. */
  readonly directory?: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Whether this is all that its process does: nobody else waits for a turn of the event loop. */
  readonly alone?: boolean
  /** The caller's circumstances, kept with whatever is recorded. */
  readonly circumstances?: () => Partial<Circumstances>
  /** Proves that a check was written by this user here; absent if the caller may be anybody. */
  readonly signer?: CheckSigner
  /** Whether this is the personal brain, which goes with the person from project to project. */
  readonly own?: boolean
  /** The personal brain beside this one, if there is one; absent if it may not be read. */
  readonly personal?: () => Promise<Context | undefined>
  /** Called with the progress of work that may take seconds. */
  readonly onProgress?: (step: { doing: string; done: number; total: number }) => void
  /** Aborted once the caller has gone: long work ends, and what nobody would hear of is not recorded. */
  readonly signal?: AbortSignal
  /** Reads cited places, each file once; absent if the caller's files are not accessible. */
  readonly files?: () => CitedFiles
  /** Whether what is looked for are a command's words, names and paths: no times are read in it. */
  readonly timeless?: boolean
}

/** How the input is given on the command line. */
export interface CommandShape {
  /** kebab-case; the operation's name in kebab-case when absent. */
  readonly name?: string
  /** Aliases that people try. */
  readonly aliases?: readonly string[]
  /** Whether it destroys something irrecoverably: never suggested for a mistyped name. */
  readonly destroys?: boolean
  /** Positional members, in order; if the last one is a text, it takes all remaining words. */
  readonly positional?: readonly string[]
  /** Enum members given as bare flags: `{ kind: ['supporting', 'refuting'] }` makes --supporting, --refuting. */
  readonly flags?: Readonly<Record<string, readonly string[]>>
  /** Options named differently from their members: `{ tags: 'tag' }` makes --tag, which can be repeated for a list. */
  readonly names?: Readonly<Record<string, string>>
  /** Required members that the command finds out itself where they are left out, and from what. */
  readonly supplied?: Readonly<Record<string, string>>
  /** Words after -- that do not reach the operation: their name and meaning. */
  readonly rest?: readonly [name: string, about: string]
  /** Options that concern the shell or a file and do not reach the operation: in commander's syntax, and their meaning. */
  readonly options?: readonly (readonly [flags: string, about: string])[]
}

/** The operation's place in help, and example command lines. */
export interface Help {
  readonly group: HelpGroup
  /** Its place in the group, from 1. */
  readonly place: number
  readonly examples: readonly string[]
}

/** The HTTP route of an operation. A `:member` in the path is an input member. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: `/v1/${string}`
}

/** Another way to produce the output, or more, for people: `brain recall --explain`, and the page. No tool offers it. */
export interface Variant<M extends Members, O> {
  /** Description of the option of that name. */
  readonly about: string
  /** Absent: not served over HTTP. */
  readonly route?: Route
  readonly run: (context: Context, input: InputOf<M>) => Promise<O>
}

/** `V` are the outputs of its variants, by name. */
export interface Definition<M extends Members, O, V extends Record<string, O> = Record<string, O>> {
  /** snake_case; the tool's name, and in camelCase the library's method. */
  readonly name: string
  /** One sentence, in the imperative: help, OpenAPI summary and tool description. */
  readonly summary: string
  /** For a model that chooses among tools: when to call it, how it differs from related tools, how to read the answer. */
  readonly guidance?: string
  /** Whether it is idempotent; reads always are. */
  readonly idempotent?: true
  /** Whether it removes or replaces data. */
  readonly destructive?: true
  readonly help: Help
  /** Errors besides invalid input, with X for an id: the messages by kind of error. */
  readonly errors?: Readonly<Partial<Record<Kind, readonly string[]>>>
  readonly members: M
  /** Created on demand: a command never needs it. */
  readonly output: () => z.ZodMiniType<O>
  /** Absent: not served over HTTP. */
  readonly route?: Route
  /** Whether it changes the brain; not the same as the HTTP method. */
  readonly effect: 'read' | 'write'
  /** Whether MCP offers it. */
  readonly tool: boolean
  /** Whether a model gets long texts in full: only if that is what it asked for. */
  readonly whole?: true
  /** Input and output members that MCP's standard list omits, since it is read into a model's context. */
  readonly unlisted?: readonly string[]
  readonly command: CommandShape
  /** Whether a call counts as activity of the project; `state` alone does not. */
  readonly counted?: false
  readonly run: (context: Context, input: InputOf<M>) => Promise<O>
  /** The same with additional output for people, in optional members; JSON omits them. */
  readonly forPeople?: (context: Context, input: InputOf<M>) => Promise<NoInfer<O>>
  /** By the names of the options that ask for them. */
  readonly variants?: { readonly [Name in keyof V]: Variant<M, V[Name]> }
}

type ErasedRun<O> = (context: Context, input: never) => Promise<O>

/** Any operation, as interfaces see it: the type of its input is erased and, of one in a list, that of its output. */
export interface Operation<O = unknown>
  extends Omit<Definition<Members, O>, 'run' | 'forPeople' | 'variants'> {
  readonly run: ErasedRun<O>
  readonly forPeople?: ErasedRun<O>
  readonly variants?: Readonly<
    Record<string, { readonly about: string; readonly route?: Route; readonly run: ErasedRun<O> }>
  >
}

/** Recall calls by this name what `--agent` selects elsewhere: an option of the commands that list records. */
export const byAgent = ['--by <text>', 'the same as --agent, by the name that recall has for it'] as const

/** Types a definition; otherwise the identity function. */
export const defineOperation = <const M extends Members, O, V extends Record<string, NoInfer<O>>>(
  definition: Definition<M, O, V>,
): Definition<M, O, V> => definition

/** The operation with one of its variants instead of its `run`, to be called like any other. */
export function variantOf(operation: Operation, name: string): Operation {
  const variant = operation.variants?.[name]
  if (variant === undefined) throw new Error(`${operation.name} has no variant ${name}`)
  const { route: _, variants: __, ...rest } = operation
  return { ...rest, run: variant.run, ...(variant.route && { route: variant.route }) }
}

/** The operation with its output for people. */
export const forPeople = (operation: Operation): Operation =>
  operation.forPeople === undefined ? operation : { ...operation, run: operation.forPeople }

/** Operations in the order in which help, OpenAPI and tools list them. */
export const inHelpOrder = (operations: readonly Operation[]): readonly Operation[] =>
  operations.toSorted(
    ({ help: a }, { help: b }) =>
      helpGroups.indexOf(a.group) - helpGroups.indexOf(b.group) || a.place - b.place,
  )
