/**
 * The vocabulary of inputs: each builder is one kind of member with its rules and its refusals, worded as
 * the interface decisions word them. Every interface speaks these sentences because all validate here.
 */
import * as z from 'zod'

/** Largest text a brain stores, in UTF-8 bytes. */
const maxTextBytes = 65_536
/** Largest name (domain, agent, project), in code points after trimming. */
const maxNameLength = 128

type Issue = { readonly input?: unknown }

/** Refuses with "is required" what is absent and with `otherwise` what has the wrong type. */
const missingOr =
  (otherwise: string) =>
  (issue: Issue): string =>
    issue.input === undefined || issue.input === null ? 'is required' : otherwise

const rule = (message: string) => ({ error: message, abort: true })

const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/

const wellFormed = (text: string): boolean => text.isWellFormed()

/** A text: non-empty after trimming, stored exactly as sent, at most 65,536 UTF-8 bytes. */
export const text = () =>
  z
    .string({ error: missingOr('must be a string') })
    .refine(wellFormed, rule('must be well-formed Unicode'))
    .refine((value) => !value.includes('\0'), rule('must not contain NUL'))
    .refine((value) => value.trim() !== '', rule('must not be empty'))
    .refine(
      (value) => Buffer.byteLength(value) <= maxTextBytes,
      rule(`must be at most ${maxTextBytes} bytes`),
    )

/** A name: 1 to 128 code points after trimming, no control characters. Kept trimmed by the operations. */
export const name = () =>
  z
    .string({ error: missingOr('must be a string') })
    .refine(wellFormed, rule('must be well-formed Unicode'))
    .refine((value) => value.trim() !== '', rule('must not be empty'))
    .refine((value) => !controlCharacters.test(value), rule('must not contain control characters'))
    .refine(
      (value) => [...value.trim()].length <= maxNameLength,
      rule(`must be at most ${maxNameLength} characters`),
    )

const numberError = (issue: Issue): string =>
  typeof issue.input === 'number' ? 'must be a finite number' : missingOr('must be a number')(issue)

/** Any finite number; the operation clamps it. */
export const anyNumber = () => z.number({ error: numberError })

/** A finite number in `lo..hi`. */
export const number = (lo: number, hi: number) => {
  const sentence = `must be between ${lo} and ${hi}`
  return z.number({ error: numberError }).min(lo, rule(sentence)).max(hi, rule(sentence))
}

const integerError = (issue: Issue): string =>
  typeof issue.input === 'number' && !Number.isFinite(issue.input)
    ? 'must be a finite number'
    : missingOr('must be an integer')(issue)

/** A whole number in `lo..hi`; without `hi`, of at least `lo`. */
export const integer = (lo: number, hi?: number) => {
  const sentence =
    hi === undefined ? `must be an integer of at least ${lo}` : `must be an integer between ${lo} and ${hi}`
  const base = z
    .number({ error: integerError })
    .refine((value) => Number.isInteger(value), rule('must be an integer'))
    .min(lo, rule(sentence))
  return base.max(hi ?? Number.MAX_SAFE_INTEGER, rule(sentence)).meta({ integer: true })
}

/** The id of a record: 1..2^53-1. */
export const id = () => {
  const sentence = 'must be a positive integer'
  return z
    .number({ error: missingOr(sentence) })
    .refine((value) => Number.isSafeInteger(value) && value >= 1, rule(sentence))
    .meta({ integer: true, minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
}

/** One of a closed list. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: missingOr(`must be one of: ${values.join(', ')}`) })

/** The member may be absent or null; both mean `fallback`, which the operation fills in. */
export const optional = <T extends z.ZodType>(schema: T, fallback?: string | number | null) =>
  fallback === undefined ? schema.nullish() : schema.nullish().meta({ default: fallback })

/** Wire form of a time: RFC 3339 with milliseconds and an explicit UTC offset. */
export const toTimestamp = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace('Z', '+00:00')

/** Output members. */
export const timestamp = () => z.string().meta({ format: 'date-time' })
export const count = () => z.int().min(0)
export const recordId = () => z.int().min(1)
