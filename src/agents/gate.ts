/**
 * Checks warnings before an agent acts. Knows how a verdict becomes an answer to the agent; the verdict itself is
 * `assess`'s.
 */
import { excerptOf } from '../core/excerpt.ts'
import { toStatement } from '../core/gut-check.ts'
import { assess } from '../operations/assess.ts'
import type { Context } from '../operations/operation.ts'
import type { HookReply, ToolUse } from './hooks/dialect.ts'
import { onlyLooks } from './hooks/tool-use.ts'

/** The reaction to danger: a question to the person, a refusal, or a message to the model. */
export const gateChoices = ['ask', 'deny', 'tell'] as const
export type GateChoice = (typeof gateChoices)[number]

/** Characters of a command that are judged: what follows is data. */
const maxTopic = 2_000
const maxQuote = 240

/** The objection to a tool's use, and its flag; undefined if there is none. */
export async function gate(
  context: Context,
  tool: ToolUse,
  danger: GateChoice,
): Promise<{ reply: NonNullable<HookReply['gate']>; flag: number; danger: boolean } | undefined> {
  if (tool.action.trim() === '' || onlyLooks(tool)) return undefined
  const {
    verdict,
    why,
    based_on: flag,
  } = await assess.run(context, { topic: tool.action.slice(0, maxTopic) })
  if (verdict === 'clear' || flag === null) return undefined
  const [kept] = await context.store.memories.findMany(context.project, [flag.memory_id])
  const isDanger = verdict === 'danger'
  const statement = toStatement(why, kept && excerptOf(kept.text, maxQuote))
  const reason = `${isDanger ? 'A recorded warning applies' : 'A recorded warning is near'}: ${statement}`
  return { reply: { decision: isDanger ? danger : 'tell', reason }, flag: flag.memory_id, danger: isDanger }
}
