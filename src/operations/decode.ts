/**
 * Strings to typed values, for argv and query strings: by the member's schema, and only where the string is
 * unmistakably that type. What does not decode stays a string, so validation refuses it in its own words.
 */
import type * as z from 'zod'
import type { Members } from './operation.ts'

/** The JSON type a member takes, and the values of an enum. */
export interface MemberShape {
  readonly type: 'string' | 'number' | 'integer' | 'enum'
  readonly required: boolean
  readonly values?: readonly string[]
  readonly fallback?: unknown
  /** Bounds of a number, where it has them. */
  readonly least?: number
  readonly most?: number
}

/** What an interface needs to know of a member to ask for it. */
export function shapeOf(schema: z.ZodType): MemberShape {
  const meta = schema.meta() as { integer?: boolean; default?: unknown } | undefined
  const required = !schema.safeParse(undefined).success
  const fallback = meta?.default === undefined ? {} : { fallback: meta.default }
  const inner = unwrap(schema)
  if (inner.def.type === 'enum') {
    const values = Object.values((inner as z.ZodEnum).def.entries).map(String)
    return { type: 'enum', required, values, ...fallback }
  }
  if (inner.def.type !== 'number') return { type: 'string', required, ...fallback }
  const integer = (inner.meta() as { integer?: boolean } | undefined)?.integer === true
  return { type: integer ? 'integer' : 'number', required, ...fallback, ...boundsOf(inner) }
}

function boundsOf(schema: z.ZodType): { least?: number; most?: number } {
  const { minValue, maxValue } = schema as z.ZodNumber
  return {
    ...(minValue !== null && Number.isFinite(minValue) && { least: minValue }),
    ...(maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER && { most: maxValue }),
  }
}

function unwrap(schema: z.ZodType): z.ZodType {
  const { def } = schema as { def: { type: string; innerType?: z.ZodType } }
  return (def.type === 'optional' || def.type === 'nullable') && def.innerType
    ? unwrap(def.innerType)
    : schema
}

const decimalNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

/** One string as the member's type, or unchanged when it is not written like one. */
export function decodeString(shape: MemberShape, value: string): unknown {
  if (shape.type === 'integer' && /^\d+$/.test(value)) return Number(value)
  if (shape.type === 'number' && decimalNumber.test(value)) return Number(value)
  return value
}

/** All strings of a query or a command line; members the operation does not know pass through for refusal. */
export function decodeStrings(members: Members, strings: Record<string, string>): Record<string, unknown> {
  const decoded: Record<string, unknown> = Object.create(null)
  for (const [member, value] of Object.entries(strings)) {
    const schema = Object.hasOwn(members, member) ? members[member] : undefined
    decoded[member] = schema ? decodeString(shapeOf(schema), value) : value
  }
  return decoded
}
