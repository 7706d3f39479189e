/**
 * The only way to call an operation: rejects unknown members, validates each member in order, updates the tally, then
 * runs the operation. Every interface calls this, so every interface reports the same errors in the same order.
 */
import type * as z from 'zod/mini'
import { BrainError } from '../core/errors.ts'
import { isObject } from '../core/json.ts'
import type { Context, InputOf, Members, Operation } from './operation.ts'
import { shapeOf } from './shapes.ts'

/** The validated input. @throws BrainError `invalid` for the first problem in member order. */
export function parseInput<M extends Members>(
  operation: { readonly members: M },
  input: unknown,
): InputOf<M> {
  if (!isObject(input)) throw new BrainError('invalid', 'body must be a JSON object')
  for (const member of Object.keys(input)) {
    // Object.hasOwn: a member named __proto__ or toString is unknown, not inherited.
    if (!Object.hasOwn(operation.members, member))
      throw new BrainError('invalid', `unknown field: ${printable(member)}`, {
        hint: `Known: ${Object.keys(operation.members).join(', ') || 'none'}.`,
      })
  }
  const parsed: Record<string, unknown> = {}
  for (const [member, schema] of Object.entries(operation.members)) {
    const result = schema.safeParse(Object.hasOwn(input, member) ? input[member] : undefined)
    if (!result.success) {
      const message = result.error.issues[0]?.message ?? 'is invalid'
      throw new BrainError('invalid', `${member} ${message}`, hintFor(schema, message))
    }
    parsed[member] = result.data
  }
  // Every member was parsed by its own schema above.
  return parsed as InputOf<M>
}

/** Names the accepted values that the specification's message leaves out: "must be one of" is not all there is. */
function hintFor(schema: z.ZodMiniType, message: string): { hint?: string } {
  const [, list] = /^must be one of: (.*)$/.exec(message) ?? []
  const told = list?.split(', ') ?? []
  const untold = (shapeOf(schema).values ?? []).filter((value) => !told.includes(value))
  return list === undefined || untold.length === 0 ? {} : { hint: `Also accepted: ${untold.join(', ')}.` }
}

/** A caller's own member name, shortened and without control characters or halves of surrogate pairs. */
export const printable = (member: string): string => {
  const clean = member.toWellFormed().replace(/\p{Cc}/gu, '\ufffd')
  return clean.length > 80 ? `${[...clean].slice(0, 80).join('')}…` : clean
}

/** Validates, tallies and runs one call. @throws BrainError */
export async function callOperation<O>(
  operation: Operation<O>,
  context: Context,
  input: unknown,
): Promise<O> {
  const parsed = parseInput(operation, input)
  if (operation.counted !== false) context.store.activity.count(context.project, context.now())
  // The input was checked against this very operation's members a line above; its type is erased.
  return operation.run(context, parsed as never)
}
