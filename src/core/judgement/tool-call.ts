/**
 * What a plan does: of a tool call in JSON the command that it runs, or the call in the one form that the pair model has
 * learnt; of a chain of commands those that do more than look.
 */
import { toStep } from '../actions.ts'
import { isObject } from '../json.ts'
import { squeeze } from '../patterns.ts'
import { commandFormOf, withoutLooks } from './command-forms.ts'
import { namesLive, partRead } from './reading.ts'

/** Longer texts are not read as JSON. */
const maxCall = 20_000

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A look before what is done: "show me the diff, then …". To read, check or review first may be what a warning asks for. */
const lookFirst =
  /^(?:(?:please|first|just|now|let me|let'?s|i'?ll)\s+)*(?:show|look|list|view|see|print|browse|find|search|watch|write|draft)\b(?:(?!\b(?:before|without|instead|not|never|until|unless)\b)[^.;!?\n]){0,200}?(?:,?\s+(?:and\s+)?then|;|,?\s+and)\s+/i
/** Steps that do more than look; "force-push" is in no list of verbs. */
const acting = /^(?:end|stop|start|alter|hand|scale)$/
const acts = (step: string): boolean =>
  /^force[- ]?push/i.test(step) ||
  acting.test(toStep(step)?.group ?? '') ||
  commandFormOf(step)?.effect === 'harmful'

/** A sentence's step behind a look, which reads like a harmless plan; a text without such a look as it is. */
function withoutFirstLook(plan: string): string {
  const [look = ''] = lookFirst.exec(plan) ?? []
  const rest = plan.slice(look.length)
  return look !== '' && !namesLive(look) && acts(rest) ? rest : plan
}

/**
 * A plan as it is judged: of a call the command it runs, or its tool and input side by side; of any other text what
 * does more than look; of a long plan the part that is read.
 */
export const actionOf = (plan: string): string =>
  withoutFirstLook(withoutLooks(partRead(calledIn(squeeze(plan)))))

function calledIn(plan: string): string {
  const text = plan.trim()
  const call = text.startsWith('{') && text.length <= maxCall ? parse(text) : undefined
  if (call === undefined) return plan
  const { tool_name: name, tool_input: given, tool, input, arguments: named, args, ...rest } = call
  const inner = [given, input, named, args].find(isObject)
  const command = [call.command, inner?.command, call.cmd, inner?.cmd].find((one) => typeof one === 'string')
  if (typeof command === 'string' && command.trim() !== '') return command
  return inner === undefined ? plan : JSON.stringify({ tool: tool ?? name ?? rest.name, ...inner })
}

const isSent = /^(?:[$>]\s+)?(?:curl|wget)\s/
/** Who calls, and what the call is told beside its body. */
const headers =
  /\s+(?:-[HubA]\s*|--(?:header|user|cookie|user-agent)(?:\s+|=))(?:"[^"]{0,500}"|'[^']{0,500}'|\S+)/g

/**
 * The ways in which a call over HTTP may be written that come to the same: as it is, and without its headers; of any
 * other plan one.
 */
export function waysOf(plan: string): readonly string[] {
  const bare = isSent.test(plan) ? plan.replace(headers, '') : plan
  return bare === plan ? [plan] : [plan, bare]
}
