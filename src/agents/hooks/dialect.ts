/**
 * What a hook is told and what it may answer, whichever agent calls: every dialect turns its own JSON into a `HookCall`
 * and a `HookReply` into its own JSON. Knows the moments of a session; nothing of what the brain does at them.
 */
import type { GateChoice } from '../../config/config.ts'
import { isObject } from '../../core/json.ts'
import type { AgentName } from '../names.ts'

/** A moment in a session at which an agent calls a hook; at `nothing` there is nothing to do. */
export type Moment =
  | 'start'
  | 'prompt'
  | 'before-tool'
  | 'after-tool'
  | 'turn-end'
  | 'compacted'
  | 'end'
  | 'nothing'

/** Something the agent is about to do, or has done. */
export interface ToolUse {
  readonly name: string
  /** What it does, as one text: the shell command, or the tool's name with the path or arguments it is given. */
  readonly action: string
  /** The shell command; absent of other tools. */
  readonly command?: string | undefined
  /** The files that it writes; absent where it writes none. */
  readonly paths?: readonly string[] | undefined
  /** What it printed or answered; only after it. */
  readonly output?: string | undefined
  /** Whether it failed; only after it, undefined where the agent does not say. */
  readonly failed?: boolean | undefined
}

/** One call of a hook, in the words of no agent. */
export interface HookCall {
  readonly moment: Moment
  /** The agent's name for the session, or the empty string. */
  readonly session: string
  /** The agent's working directory; undefined where it does not say. */
  readonly directory: string | undefined
  /**
   * Whether the session starts with the model knowing nothing of it: anew, after a clearing or a compaction, but not
   * where it is resumed.
   */
  readonly fresh?: boolean
  readonly prompt?: string | undefined
  readonly tool?: ToolUse
  /** The last thing the agent said. */
  readonly lastMessage?: string | undefined
  /** What a compaction made of the session. */
  readonly summary?: string | undefined
}

export interface HookReply {
  /** For the model to read. */
  readonly context?: string
  /** Before a tool: what stands against it. */
  readonly gate?: { readonly decision: GateChoice; readonly reason: string }
}

export interface Dialect {
  readonly name: AgentName
  /** The agent's own names of its events, and the moments they are. */
  readonly events: Readonly<Record<string, Moment>>
  /** Moments at which what is said reaches somebody: at any other, to look for something to say is in vain. */
  readonly listens: readonly Moment[]
  /** What the agent's JSON says; members of another type than expected count as absent. */
  read(event: string, payload: Payload): HookCall
  /** The agent's JSON for a reply; undefined says nothing at all. */
  write(event: string, reply: HookReply): object | undefined
}

/** Whether an agent takes something for the model at one of its events. */
export function hears({ events, listens }: Dialect, event: string): boolean {
  const moment = events[event]
  return moment !== undefined && listens.includes(moment)
}

/**
 * Whether a session that starts from a source, by the word that Claude Code, Codex and Gemini CLI have for it, knows
 * nothing of what was said.
 */
export const isFresh = (source: string | undefined): boolean => source !== 'resume' && source !== 'fork'

/** A JSON object of unknown make, with readers that take nothing on trust. */
export class Payload {
  readonly #members: Readonly<Record<string, unknown>>

  constructor(value: unknown) {
    this.#members = isObject(value) ? value : {}
  }

  /** The first of the members that is a non-empty string. */
  text(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.#members[name]
      if (typeof value === 'string' && value !== '') return value
    }
    return undefined
  }

  /** The member as an object; an empty one where it is none. */
  object(name: string): Payload {
    return new Payload(this.#members[name])
  }

  /** The member as a list; empty where it is none. */
  list(name: string): readonly unknown[] {
    const value = this.#members[name]
    return Array.isArray(value) ? value : []
  }

  number(name: string): number | undefined {
    const value = this.#members[name]
    return typeof value === 'number' ? value : undefined
  }

  flag(name: string): boolean | undefined {
    const value = this.#members[name]
    return typeof value === 'boolean' ? value : undefined
  }

  /** The member as text: a string as it is, anything else as JSON; undefined where it is absent. */
  anything(name: string): string | undefined {
    const value = this.#members[name]
    if (value === undefined || value === null) return undefined
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
}
