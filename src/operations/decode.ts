/**
 * Converts strings to typed values by the shape of a member, only if the string is unmistakably of that type. Anything
 * else stays a string and is refused by validation. Knows shapes, not schemas: a command decodes its arguments without
 * loading any.
 */
import { decimalNumber } from '../core/patterns.ts'

/** The JSON type a member takes, and the values of an enum. */
export interface MemberShape {
  readonly type: 'string' | 'number' | 'integer' | 'enum' | 'boolean'
  /** Whether it takes a list; as one string, its items are separated by commas. */
  readonly list?: true
  readonly required: boolean
  /** What it means. */
  readonly about?: string
  readonly values?: readonly string[]
  readonly fallback?: unknown
  /** Maximum bytes of a text, if different from the usual one. */
  readonly bytes?: number
  /** Bounds of a number, where it has them. */
  readonly min?: number
  readonly max?: number
}

/** The string as the member's type, or unchanged if it is not a valid form of it. */
export function decodeString(shape: MemberShape, value: string): unknown {
  if (shape.list === true) {
    const { list: _, ...item } = shape
    return value.split(',').map((part) => decodeString(item, part.trim()))
  }
  if (shape.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  if (shape.type === 'integer' && /^\d+$/.test(value)) return Number(value)
  if (shape.type === 'number' && decimalNumber.test(value)) return Number(value)
  return value
}
