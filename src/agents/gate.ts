/**
 * Checks warnings before an agent acts. Knows how a verdict becomes an answer to the agent; the verdict itself is
 * `assess`'s.
 */
import type { GateChoice } from '../config/config.ts'
import { endsOf, excerptOf } from '../core/excerpt.ts'
import { toStatement } from '../core/gut-check.ts'
import { assess } from '../operations/assess.ts'
import type { Context } from '../operations/operation.ts'
import type { HookReply, ToolUse } from './hooks/dialect.ts'
import { namePushedBranch } from './pushed-branch.ts'
import { isReadOnly } from './read-only-commands.ts'

/** Characters of a quotation or a here-document that are judged: what follows is data, as the body of a commit's message. */
const maxData = 80
/** Characters of what is left: its beginning, and its end. */
const [maxBeginning, maxEnd] = [320, 160]
/** Characters that are looked at. */
const maxAction = 8_000
const maxQuote = 240

const shorten = (data: string): string => (data.length > maxData ? `${data.slice(0, maxData)}…` : data)

/** What is judged of an action: what it does, and only the beginning of what it does it with. */
function topicOf(action: string): string {
  const told = action
    .slice(0, maxAction)
    .replace(
      /(<<-?\s*(["']?)(\w+)\2[^\n]*\n)([\s\S]*?)(\n\s*\3\b|$)/g,
      (_, opening: string, _mark, _name, body: string, end: string) => opening + shorten(body) + end,
    )
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/gs, shorten)
  return endsOf(told, maxBeginning, maxEnd)
}

/** The objection to a tool's use in a directory, and its flag; undefined if there is none. */
export async function gate(
  context: Context,
  { tool, directory }: { readonly tool: ToolUse; readonly directory: string | undefined },
  danger: GateChoice,
): Promise<{ reply: NonNullable<HookReply['gate']>; flag: number; danger: boolean } | undefined> {
  if (tool.action.trim() === '' || isReadOnly(tool)) return undefined
  const topic = topicOf(directory === undefined ? tool.action : namePushedBranch(tool.action, directory))
  const { verdict, why, based_on: flag } = await assess.run(context, { topic })
  if (verdict === 'clear' || flag === null) return undefined
  const [kept] = await context.store.memories.findMany(context.project, [flag.memory_id])
  const isDanger = verdict === 'danger'
  const statement = toStatement(why, kept && excerptOf(kept.text, maxQuote))
  const reason = `${isDanger ? 'A recorded warning applies' : 'A recorded warning is near'}: ${statement}`
  return { reply: { decision: isDanger ? danger : 'tell', reason }, flag: flag.memory_id, danger: isDanger }
}
