/**
 * The typed library: one async method an operation, with the inputs and outputs of the HTTP API.
 */
import type * as z from 'zod/mini'
import { openBrain as open } from './brain.ts'
import { loadConfig } from './config/load.ts'
import { brainDirectoryIn } from './config/locate.ts'
import { definitions } from './operations/index.ts'
import type { Members } from './operations/operation.ts'

export { BrainError, type Kind } from './core/errors.ts'

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

type Definitions = typeof definitions

type Input<M extends Members> = z.input<z.ZodMiniObject<M>>

/** A method an operation: `recall_dreams` is `recallDreams`. */
export type Methods = {
  [Name in keyof Definitions as Camel<Name>]: (
    input: Input<Definitions[Name]['members']>,
  ) => Promise<z.output<ReturnType<Definitions[Name]['output']>>>
}

export interface OpenBrain extends Methods {
  close(): Promise<void>
}

export interface OpenOptions {
  /** The directory that holds `.brain/`. */
  readonly dir: string
  readonly project?: string
  readonly agent?: string
  /** Makes the brain when there is none. */
  readonly create?: boolean
  readonly warn?: (message: string) => void
}

/** Opens the brain of a directory. Close it to release the file. @throws BrainError */
export async function openBrain(options: OpenOptions): Promise<OpenBrain> {
  const { dir, project, agent, create } = options
  const directory = brainDirectoryIn(dir)
  const warn = options.warn ?? ((message) => process.emitWarning(message))
  const config = await loadConfig({
    directory,
    environment: process.env,
    asked: { name: 'options', values: { project, agent } },
    warn,
  })
  const brain = await open({
    directory,
    config,
    label: 'a program',
    warn,
    ...(create !== undefined && { create }),
  })
  const caller = { project: config.project, agent: config.agent }
  const methods: Record<string, (input: unknown) => Promise<unknown>> = {}
  for (const operation of Object.values(definitions)) {
    const method = operation.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    methods[method] = (input) => brain.call(operation, caller, input ?? {})
  }
  // Built from the very list the type is computed from.
  return { ...(methods as unknown as Methods), close: () => brain.close() }
}
