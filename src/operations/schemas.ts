/**
 * The vocabulary of inputs: each builder is one kind of member with its rules and error messages, worded as in the
 * interface decisions. Every interface reports these messages because all validate here.
 */

import * as z from 'zod/mini'
import { isCalendarDay, toInstant } from '../core/instant.ts'
import { maxNameLength, maxTextBytes } from '../core/limits.ts'
import {
  comingForms,
  comingMomentOf,
  firstMoment,
  lastMoment,
  momentForms,
  momentOf,
} from '../core/moments.ts'
import { controlCharacters } from '../core/patterns.ts'

const maxRemark = 500
const maxCommand = 2_000

type Issue = { readonly input?: unknown }

/** Rejects an absent value with "is required" and one of the wrong type with `otherwise`. */
const missingOr =
  (otherwise: string) =>
  (issue: Issue): string =>
    issue.input === undefined || issue.input === null ? 'is required' : otherwise

const rule = (message: string) => ({ error: message, abort: true })

const wellFormed = (text: string): boolean => text.isWellFormed()

/**
 * A text: non-empty after trimming, kept exactly as sent, at most `bytes` of UTF-8. Stores keep no NUL: only a text that is
 * merely read may hold it.
 */
export const text = ({ bytes = maxTextBytes, nul = false } = {}) => {
  const schema = z.string({ error: missingOr('must be a string') }).check(
    z.refine(wellFormed, rule('must be well-formed Unicode')),
    z.refine((value) => nul || !value.includes('\0'), rule('must not contain NUL')),
    z.refine((value) => value.trim() !== '', rule('must not be empty')),
    z.refine((value) => Buffer.byteLength(value) <= bytes, rule(`must be at most ${bytes} bytes`)),
  )
  return bytes === maxTextBytes ? schema : schema.register(z.globalRegistry, { bytes })
}

/** A name: 1 to 128 code points after trimming, no control characters. Kept trimmed by the operations. */
export const name = () =>
  z.string({ error: missingOr('must be a string') }).check(
    z.refine(wellFormed, rule('must be well-formed Unicode')),
    z.refine((value) => value.trim() !== '', rule('must not be empty')),
    z.refine((value) => !controlCharacters.test(value), rule('must not contain control characters')),
    z.refine(
      (value) => [...value.trim()].length <= maxNameLength,
      rule(`must be at most ${maxNameLength} characters`),
    ),
  )

/** A past moment, in one of the forms of `core/moments.ts`. */
export const pastMoment = () =>
  text().check(z.refine((words) => momentOf(words, 0) !== undefined, `must be ${momentForms}`))

/** A single line of text for people, such as the note of a revision. */
export const remark = () =>
  text().check(
    z.refine((value) => [...value].length <= maxRemark, rule(`must be at most ${maxRemark} characters`)),
  )

/** A shell command: one line of visible characters. */
export const shellCommand = () =>
  text().check(
    z.refine((value) => !controlCharacters.test(value), rule('must not contain control characters')),
    z.refine((value) => [...value].length <= maxCommand, rule(`must be at most ${maxCommand} characters`)),
  )

const numberError = (issue: Issue): string =>
  typeof issue.input === 'number' ? 'must be a finite number' : missingOr('must be a number')(issue)

/** Any finite number; the operation clamps it. */
export const anyNumber = () => z.number({ error: numberError })

/** A finite number in `lo..hi`. */
export const number = (lo: number, hi: number) => {
  const sentence = `must be between ${lo} and ${hi}`
  return z.number({ error: numberError }).check(z.gte(lo, rule(sentence)), z.lte(hi, rule(sentence)))
}

const integerError = (issue: Issue): string =>
  typeof issue.input === 'number' && !Number.isFinite(issue.input)
    ? 'must be a finite number'
    : missingOr('must be an integer')(issue)

/** A whole number in `lo..hi`; without `hi`, of at least `lo`. */
export const integer = (lo: number, hi?: number) => {
  const sentence =
    hi === undefined ? `must be an integer of at least ${lo}` : `must be an integer between ${lo} and ${hi}`
  return z
    .number({ error: integerError })
    .check(
      z.refine((value) => Number.isInteger(value), rule('must be an integer')),
      z.gte(lo, rule(sentence)),
      z.lte(hi ?? Number.MAX_SAFE_INTEGER, rule(sentence)),
    )
    .register(z.globalRegistry, { integer: true })
}

/** The id of a record: 1..2^53-1. */
export const id = () => {
  const sentence = 'must be a positive integer'
  return z
    .number({ error: missingOr(sentence) })
    .check(z.refine((value) => Number.isSafeInteger(value) && value >= 1, rule(sentence)))
    .register(z.globalRegistry, { integer: true, minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
}

/** One of a closed list; `told` are those named in the error message, all when absent. */
export const oneOf = <const T extends readonly [string, ...string[]]>(
  values: T,
  told: readonly string[] = values,
) => z.enum(values, { error: missingOr(`must be one of: ${told.join(', ')}`) })

/** Yes or no. */
export const flagged = () => z.boolean({ error: missingOr('must be true or false') })

/** A list of 1 to `most` members of one kind. */
export const listOf = <T extends z.ZodMiniType>(item: T, most: number) =>
  z
    .array(item, { error: missingOr('must be a list') })
    .check(
      z.minLength(1, rule('must not be empty')),
      z.maxLength(most, rule(`must be at most ${most} of them`)),
    )

/** Longest tag, in code points after trimming. */
export const maxTagLength = 64
/** Tags that a memory may have. */
export const maxTags = 20

/** A tag: a name of at most 64 code points without a comma, the separator of tags in a single string. */
const tag = () =>
  name().check(
    z.refine(
      (value) => [...value.trim()].length <= maxTagLength,
      rule(`must be at most ${maxTagLength} characters`),
    ),
    z.refine((value) => !value.includes(','), rule('must not contain a comma')),
  )

/** Tags, each once or more. Kept trimmed by the operations. */
export const tags = () => listOf(tag(), maxTags)

/** A future moment; with `never`, that word as well. */
export const comingMoment = ({ never = false } = {}) =>
  text().check(
    z.refine(
      (words) => (never && isNever(words)) || comingMomentOf(words, 0) !== undefined,
      comingRule({ never }),
    ),
  )

/** What such a member has to be. */
export const comingRule = ({ never = false } = {}): string =>
  `must be ${comingForms}${never ? ', or never' : ''}`

export const isNever = (words: string): boolean => words.trim().toLowerCase() === 'never'

/** Makes a member optional: absent and null both mean `fallback`, which the operation fills in. */
export function optional<T extends z.ZodMiniType>(schema: T, fallback?: string | number | null) {
  const member = z.nullish(schema)
  if (fallback !== undefined) z.globalRegistry.add(member, { default: fallback })
  return member
}

/** Adds a sentence about the member's meaning, for help and schemas. */
export function about<T extends z.ZodMiniType>(description: string, schema: T): T {
  // Its notes so far stay; the registry holds one set a schema.
  z.globalRegistry.add(schema, { ...notesOf(schema), description })
  return schema
}

interface Notes {
  readonly integer?: boolean
  /** Longest text in bytes, where it may be longer than others. */
  readonly bytes?: number
  readonly default?: unknown
  readonly description?: string
}

/** Annotations of a schema: that it is an integer, its fallback, its meaning. */
export const notesOf = (schema: z.ZodMiniType): Notes =>
  // The registry takes any members; these are the ones that the builders here put in.
  (z.globalRegistry.get(schema) as Notes | undefined) ?? {}

/** Wire form of a time: RFC 3339 with milliseconds and an explicit UTC offset. */
export const toTimestamp = (milliseconds: number): string =>
  toInstant(milliseconds).toISOString().replace('Z', '+00:00')

/** The same for a time that may be missing. */
export const timestampOrNull = (milliseconds: number | null | undefined): string | null =>
  milliseconds == null ? null : toTimestamp(milliseconds)

/** Output members. */
export const timestamp = () => z.string().register(z.globalRegistry, { format: 'date-time' })
export const nullableTimestamp = () => z.nullable(timestamp())
export const count = () => z.int().check(z.gte(0))
/** A whole number of at least 1. */
export const positive = () => z.int().check(z.gte(1))
export const recordId = () => positive()
/** A number in 0..1. */
export const unit = () => z.number().check(z.gte(0), z.lte(1))
/** The log ratios at which a belief is decided, and the error rates that they come from. */
export const boundaries = () =>
  z.object({ promote: z.number(), demote: z.number(), alpha: z.number(), beta: z.number() })

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** Whether a text is a time of the calendar. */
function isTime(value: string): boolean {
  const moment = Date.parse(value)
  return timePattern.test(value) && isCalendarDay(value) && moment >= firstMoment && moment <= lastMoment
}

/** A time that is read back from our own files, RFC 3339. */
export const time = () => {
  const sentence = 'must be a time like 2026-01-31T12:00:00.000+00:00'
  return z
    .string({ error: ({ input }) => (input === undefined || input === null ? 'is required' : sentence) })
    .check(z.refine(isTime, sentence))
}

/** Milliseconds of a time that `time()` let pass. */
export const at = (value: string): number => Date.parse(value)
