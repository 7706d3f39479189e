/**
 * Checks warnings before an agent acts. Knows how a verdict becomes an answer to the agent; the verdict itself is
 * `assess`'s.
 */
import type { GateChoice } from '../config/config.ts'
import { endsOf, excerptOf } from '../core/excerpt.ts'
import { toStatement } from '../core/gut-check.ts'
import { withoutLooks } from '../core/judgement/command-forms.ts'
import { stepsOf } from '../core/shell.ts'
import { assess } from '../operations/assess.ts'
import type { Context } from '../operations/operation.ts'
import type { HookReply, ToolUse } from './hooks/dialect.ts'
import { namePushedBranch } from './pushed-branch.ts'
import { isReadOnly } from './read-only-commands.ts'

/** Characters of a quotation or a here-document that are judged: what follows is data, as the body of a commit's message. */
const maxData = 80
/** Characters judged at once: of one longer step its beginning, and its end. */
const [maxBeginning, maxEnd] = [320, 160]
const maxTopic = maxBeginning + maxEnd
/** Parts of a long chain that are judged. */
const maxTopics = 12
/** Characters that are looked at. */
const maxAction = 8_000
const maxQuote = 240

/** What runs a quotation that follows, and a here-document: for them it is no data. */
const takesCommands = 'eval|ssh|psql|mysql|mariadb|sqlite3|mongosh?|redis-cli|xargs'
const runsQuotation = new RegExp(`(?:\\b(?:${takesCommands})\\b[^\\n;|&]{0,200}|\\s-(?:\\w{0,3}c|e)\\s*)$`)
const runsDocument = new RegExp(
  `\\b(?:${takesCommands}|(?:ba|z|da|k|fi)?sh|python[\\d.]*|perl|ruby|node|php)\\b[^\\n;|&]{0,200}$`,
)

/** What a commit's message says is done already. */
const commitMessage =
  /(\bgit\b[^\n;&|]{0,200}\bcommit\b[^\n;&|]{0,200}?\s(?:-\w{0,3}m|--message)[ =]?)(?:"(?:[^"\\]|\\.)*"|'[^']*')/gs

const shorten = (data: string): string => (data.length > maxData ? `${data.slice(0, maxData)}…` : data)

/** Whether what begins at a place is run by what stands before it. */
const isRun = (by: RegExp, whole: string, at: number): boolean =>
  by.test(whole.slice(Math.max(0, at - 240), at))

/** What is judged of an action: what it does, and only the beginning of what it does it with; a long chain in parts. */
export function topicsOf(action: string): string[] {
  const told = action
    .slice(0, maxAction)
    .replace(
      /(<<-?\s*(["']?)(\w+)\2[^\n]*\n)([\s\S]*?)(\n[ \t]*\3\b|$)/g,
      (all, opening: string, _mark, _name, body: string, end: string, at: number, whole: string) =>
        isRun(runsDocument, whole, at) ? all : opening + shorten(body) + end,
    )
    .replace(commitMessage, '$1…')
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/gs, (data, at: number, whole: string) =>
      isRun(runsQuotation, whole, at) ? data : shorten(data),
    )
  if (told.length <= maxTopic) return [told]
  const parts: string[] = ['']
  for (const { text, joint } of stepsOf(withoutLooks(told))) {
    const step = text + joint
    const [last = ''] = parts.slice(-1)
    if (last.length + step.length <= maxTopic) parts[parts.length - 1] = last + step
    else parts.push(endsOf(step, maxBeginning, maxEnd))
  }
  return parts.filter((part) => part.trim() !== '').slice(0, maxTopics)
}

/** The objection to a tool's use in a directory, and its flag; undefined if there is none. */
export async function gate(
  context: Context,
  { tool, directory }: { readonly tool: ToolUse; readonly directory: string | undefined },
  danger: GateChoice,
): Promise<{ reply: NonNullable<HookReply['gate']>; flag: number; danger: boolean } | undefined> {
  if (tool.action.trim() === '' || isReadOnly(tool)) return undefined
  const topics = topicsOf(directory === undefined ? tool.action : namePushedBranch(tool.action, directory))
  const verdicts = await Promise.all(topics.map((topic) => assess.run(context, { topic })))
  const [gravest] = verdicts.sort((a, b) => b.risk - a.risk)
  if (gravest === undefined || gravest.verdict === 'clear' || gravest.based_on === null) return undefined
  const { verdict, why, based_on: flag } = gravest
  const [kept] = await context.store.memories.findMany(context.project, [flag.memory_id])
  const isDanger = verdict === 'danger'
  const statement = toStatement(why, kept && excerptOf(kept.text, maxQuote))
  const reason = `${isDanger ? 'A recorded warning applies' : 'A recorded warning is near'}: ${statement}`
  const decision = isDanger ? danger : 'tell'
  const remedy =
    decision === 'tell'
      ? ''
      : ` \`brain assess "…" --not-this ${flag.memory_id}\` is how a person says that it does not.`
  return { reply: { decision, reason: reason + remedy }, flag: flag.memory_id, danger: isDanger }
}
