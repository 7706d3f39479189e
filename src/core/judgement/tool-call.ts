/**
 * What a plan does: of a tool call in JSON the command that it runs, or the call in the one form that the pair model has
 * learnt; of a chain of commands those that do more than look.
 */
import { squeeze } from '../patterns.ts'
import { withoutLooks } from './command-forms.ts'

/** Longer texts are not read as JSON. */
const maxCall = 20_000

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A plan as it is judged: of a call the command it runs, or its tool and input side by side; any other text as it is. */
export const actionOf = (plan: string): string => withoutLooks(calledIn(squeeze(plan)))

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
