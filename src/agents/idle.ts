/**
 * Whether a hook has nothing to do, told without its brain: to load and to open one takes longer than all else, and
 * most calls of an agent are of a turn that says nothing to be kept, or of a command that passed. Knows what
 * `answer.ts` does at each moment.
 */
import { readCheckout } from '../config/checkout.ts'
import type { GateChoice } from '../config/config.ts'
import { isStopTerm, toPlainTerms } from '../core/words.ts'
import { firstErrorLine, mends, notesInMessage, opensAsError } from './capture.ts'
import type { HookCall, Moment, ToolUse } from './hooks/dialect.ts'
import { isReadOnly } from './read-only-commands.ts'
import { readSession } from './session-state.ts'
import { haveWaiting } from './waiting-notes.ts'

/** What the person has switched on. */
interface CaptureSettings {
  readonly lines: boolean
  readonly summaries: boolean
  readonly commits: boolean
  readonly fixes: boolean
}

export interface IdleHost {
  /** The `.brain` directory. */
  readonly brain: string
  /** Moments at which the agent takes something. */
  readonly listens: readonly Moment[]
  readonly gate: GateChoice
  readonly capture: CaptureSettings
}

/** Prompts with fewer words of their own ask nothing: "go on", "yes please". */
const minContentWords = 3

/** Whether a prompt says enough for memories to be looked for. */
export const asksSomething = (prompt: string): boolean =>
  new Set(toPlainTerms(prompt).filter((term) => !isStopTerm(term))).size >= minContentWords

const saysNothing = (text: string | undefined, by: 'person' | 'agent', { lines }: CaptureSettings): boolean =>
  !lines || text === undefined || notesInMessage(text, by).length === 0

/** Whether nothing is to be done before a tool: it only looks, or a warning would be told and nobody hears it. */
const isIdleBefore = (tool: ToolUse | undefined, { gate, listens }: IdleHost): boolean =>
  tool === undefined || isReadOnly(tool) || (gate === 'tell' && !listens.includes('before-tool'))

function isIdleAfter({ tool, session }: HookCall, { brain }: IdleHost): boolean {
  if (tool?.command === undefined) return true
  if (tool.failed === undefined) return !opensAsError(firstErrorLine(tool.output ?? ''))
  if (tool.failed) return false
  const { command } = tool
  const { failures } = readSession(brain, session)
  // What only looks mends nothing; what failed before passes now.
  return isReadOnly(tool) ? !failures.some((one) => mends(command, one)) : failures.length === 0
}

/** Whether nothing was committed since the session's commits were last kept. */
function isCommitted({ directory, session }: HookCall, { brain, capture }: IdleHost): boolean {
  if (directory === undefined || !capture.commits) return true
  const { commit } = readCheckout(directory)
  return commit !== null && commit === readSession(brain, session).head
}

/** Whether a call can be answered with nothing, and leaves nothing behind. */
export function isIdle(call: HookCall, host: IdleHost): boolean {
  switch (call.moment) {
    case 'nothing':
      return true
    case 'start':
    case 'compacted':
      return false
    case 'prompt': {
      const prompt = call.prompt ?? ''
      if (!saysNothing(prompt, 'person', host.capture)) return false
      const unheard = !host.listens.includes('prompt')
      return unheard || (!asksSomething(prompt) && !readSession(host.brain, call.session).compacted)
    }
    case 'before-tool':
      return isIdleBefore(call.tool, host)
    case 'after-tool':
      return isIdleAfter(call, host)
    case 'turn-end':
    case 'end':
      return (
        saysNothing(call.lastMessage, 'agent', host.capture) &&
        isCommitted(call, host) &&
        !haveWaiting(host.brain)
      )
  }
}
