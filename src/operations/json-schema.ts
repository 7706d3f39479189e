/**
 * Members and outputs as JSON Schema, for every document that describes operations. What a schema cannot express
 * (bytes, well-formed Unicode) is left to validation, which explains it in words.
 */
import * as z from 'zod/mini'
import type { Members } from './operation.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

function convert(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  return rest
}

/** A whole number is a refined number to zod; the member says beside it that it is an integer. */
function withInteger({ integer, items, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...schema,
    // What zod says of a list's items is an object.
    ...(items !== undefined && { items: withInteger(items as Record<string, unknown>) }),
    ...(integer === true && { type: 'integer' }),
  }
}

/** A member's own type, and whether null may stand for it. Only `optional` makes unions, always with null. */
function split(schema: z.ZodMiniType): { own: Record<string, unknown>; optional: boolean } {
  const { anyOf, type, ...rest } = convert(schema, 'input')
  if (Array.isArray(anyOf)) {
    const own = anyOf.find((option: JsonSchema) => option.type !== 'null') as JsonSchema
    return { own: withInteger({ ...own, ...rest }), optional: true }
  }
  const optional = Array.isArray(type)
  const single = optional ? type.find((option: unknown) => option !== 'null') : type
  return { own: withInteger({ type: single, ...rest }), optional }
}

/** One member as a caller gives it. `nullable` keeps the null that stands for "absent" in a body. */
export function memberSchema(schema: z.ZodMiniType, { nullable }: { nullable: boolean }): JsonSchema {
  const { own, optional } = split(schema)
  const { type, default: fallback, ...known } = own
  if (!optional || !nullable) {
    return { type, ...known, ...(fallback !== undefined && fallback !== null && { default: fallback }) }
  }
  return {
    type: [type, 'null'],
    ...known,
    ...(Array.isArray(known.enum) && { enum: [...known.enum, null] }),
    ...(fallback !== undefined && { default: fallback }),
  }
}

export const outputSchema = (schema: z.ZodMiniType): JsonSchema => convert(schema, 'output')

export const isRequired = (schema: z.ZodMiniType): boolean => !schema.safeParse(undefined).success

/** All members as one object. */
export function inputSchema(members: Members, options: { nullable: boolean }): JsonSchema {
  const entries = Object.entries(members)
  const required = entries.filter(([, schema]) => isRequired(schema)).map(([member]) => member)
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([member, schema]) => [member, memberSchema(schema, options)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}
