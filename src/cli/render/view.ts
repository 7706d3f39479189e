/** What each file of this directory is: an operation's output as text for people, and what its shell options do. */
import type { Brain, Caller } from '../../brain.ts'
import type { Config } from '../../config/config.ts'
import type { definitions } from '../../operations/index.ts'
import type { Observed } from '../observed.ts'
import type { Session } from '../session.ts'
import type { Output } from './output.ts'
import type { Style } from './style.ts'

/** The options of a command line by their camelCase names. */
export type ShellOptions = Readonly<Record<string, unknown>>

/** What a renderer may know besides the output. */
export interface RenderInput {
  readonly config: Config
  /** Members as they were given. */
  readonly input: Readonly<Record<string, unknown>>
  /** Of the shell alone. */
  readonly options: ShellOptions
}

/** A command at the moment its operation is about to run. */
export interface Shell {
  readonly brain: Brain
  readonly caller: Caller
  readonly session: Session
  readonly options: ShellOptions
}

export interface View<Name extends keyof typeof definitions> {
  readonly render: (output: Output<Name>, style: Style, told: RenderInput) => string
  /** Makes members of what the shell's options name, before anybody is asked for those that are missing. */
  readonly observe?: (
    input: Readonly<Record<string, unknown>>,
    options: ShellOptions,
    session: Session,
  ) => Promise<Observed>
  /** Adds members that only the shell can see. */
  readonly complete?: (
    input: Readonly<Record<string, unknown>>,
    session: Session,
    options: ShellOptions,
  ) => Promise<Readonly<Record<string, unknown>>>
  /** Whether the work may take so long that a person wants to see how far it has got. */
  readonly showsProgress?: boolean
  /** Looks into the brain before the operation runs: finds what is meant, asks the person. May throw to leave all as it is. */
  readonly prepare?: (
    input: Readonly<Record<string, unknown>>,
    shell: Shell,
  ) => Promise<Readonly<Record<string, unknown>>>
  /** Saves what the person gave besides the command line, when the operation fails. */
  readonly failed?: (
    given: Readonly<Record<string, unknown>>,
    complete: Readonly<Record<string, unknown>>,
    session: Session,
  ) => Promise<void>
  /** Runs when the output is printed. */
  readonly after?: (output: Output<Name>, told: RenderInput, session: Session) => void | Promise<void>
}
