/**
 * The shape of a member, from its schema: type, values, bounds. For argv, by way of the catalogue made by the build,
 * and for query strings.
 */
import type * as z from 'zod/mini'
import { decodeString, type MemberShape } from './decode.ts'
import type { Members } from './operation.ts'
import { notesOf } from './schemas.ts'

/** What an interface needs to know about a member. */
export function shapeOf(schema: z.ZodMiniType): MemberShape {
  const required = !schema.safeParse(undefined).success
  const { default: fallback, description: about } = notesOf(schema)
  const told = {
    required,
    ...(about !== undefined && { about }),
    ...(fallback !== undefined && { fallback }),
  }
  const inner = unwrap(schema)
  if (inner.def.type === 'array') {
    // A list's items are of one type; zod's own types leave open which.
    const { element } = (inner as unknown as { def: { element: z.ZodMiniType } }).def
    return { ...shapeOf(element), list: true, ...told }
  }
  if (inner.def.type === 'boolean') return { type: 'boolean', ...told }
  if (inner.def.type === 'enum') {
    const values = Object.values((inner as z.ZodMiniEnum).def.entries).map(String)
    return { type: 'enum', values, ...told }
  }
  const { bytes } = notesOf(inner)
  if (inner.def.type !== 'number') return { type: 'string', ...told, ...(bytes !== undefined && { bytes }) }
  return {
    type: notesOf(inner).integer === true ? 'integer' : 'number',
    ...told,
    ...boundsOf(inner),
  }
}

function boundsOf(schema: z.ZodMiniType): { min?: number; max?: number } {
  const bounds: { min?: number; max?: number } = {}
  for (const check of (schema as z.ZodMiniNumber).def.checks ?? []) {
    const { check: kind, value } = check._zod.def as { check: string; value?: number }
    if (kind === 'greater_than' && value !== undefined) bounds.min = value
    if (kind === 'less_than' && value !== undefined && value < Number.MAX_SAFE_INTEGER) bounds.max = value
  }
  return bounds
}

function unwrap(schema: z.ZodMiniType): z.ZodMiniType {
  const { def } = schema as { def: { type: string; innerType?: z.ZodMiniType } }
  return (def.type === 'optional' || def.type === 'nullable') && def.innerType
    ? unwrap(def.innerType)
    : schema
}

/** All strings of a query or a command line; unknown members are passed through, to be rejected. */
export function decodeStrings(members: Members, strings: Record<string, string>): Record<string, unknown> {
  const decoded: Record<string, unknown> = Object.create(null)
  for (const [member, value] of Object.entries(strings)) {
    const schema = Object.hasOwn(members, member) ? members[member] : undefined
    decoded[member] = schema ? decodeString(shapeOf(schema), value) : value
  }
  return decoded
}
