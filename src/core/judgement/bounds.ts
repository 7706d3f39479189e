/**
 * How much of something a text tells, and the bounds that a warning sets: "for longer than two minutes", "at least 8 GB free".
 * Knows English; whether both texts are about one thing is for others to weigh.
 */
import { type Figure, figuresOf } from '../quantities/figures.ts'

interface Quantity {
  readonly value: number
  /** What it is of: a figure's kind, or the word that follows a plain number. */
  readonly kind: string
  /** As it is written. */
  readonly words: string
  readonly at: number
}

/** Values on one side of a quantity, of which a warning warns. */
export interface Bound extends Quantity {
  readonly side: 'above' | 'below'
}

/** Words after a number that it does not count. */
const notCounted =
  /^(?:and|or|to|of|in|on|at|by|for|from|with|is|are|was|were|as|per|than|then|the|this|that|it|am|pm|th|st|nd|rd|x|times?|more|less|other|others|new|old|last|next|first)$/

/** A figure as it can be compared: degrees of frost are below zero, and a plain number is of what it counts. */
function quantityOf(text: string, { value, kind, written, start, end }: Figure): Quantity[] {
  if (kind === 'frost') return [{ value: -value, kind: 'temperature', words: written, at: start }]
  if (kind !== 'plain') return [{ value, kind, words: written, at: start }]
  const [behind = '', noun = ''] = /^[\s-]([a-z]+)(?![\w:/])/i.exec(text.slice(end, end + 40)) ?? []
  const counted = noun.toLowerCase()
  if (counted === '' || notCounted.test(counted)) return []
  return [{ value, kind: counted.replace(/(?<=[^s])s$/, ''), words: written + behind, at: start }]
}

/** The quantities in a text, in order. */
const quantitiesOf = (text: string): Quantity[] =>
  figuresOf(text).flatMap((figure) => quantityOf(text, figure))

const comparing = String.raw`(?:\s+(?:than|about|roughly|around|the|of))*\s*$`
const over = new RegExp(
  String.raw`\b(?:more|longer|greater|higher|larger|bigger|faster|hotter|warmer|deeper|over|above|exceed(?:s|ing)?|beyond)${comparing}`,
  'i',
)
const under = new RegExp(
  String.raw`\b(?:less|fewer|shorter|lower|smaller|slower|colder|below|under)${comparing}`,
  'i',
)
const atMost = new RegExp(
  String.raw`\b(?:at most|up to|max\.?|maximum|limit(?:ed)?|capped|cap)(?:\s+(?:is|to|at))?${comparing}`,
  'i',
)
const atLeast = new RegExp(String.raw`\b(?:at least|min\.?|minimum)(?:\s+is)?${comparing}`, 'i')
/** "Keep it below 8 degrees" says where it may be, "never go below" where it must not. */
const keeping =
  /\b(?:keep|keeps|kept|stay|stays|remain|remains|leave|hold|only|must be|should be|has to be|needs to be)\b(?![^.;!?]*\b(?:not|never)\b)[^.;!?]{0,60}$/i

/** Characters before a quantity that say what it bounds. */
const reach = 90

/** The bounds of a warning; "not more than" bounds as "more than" does. */
export function boundsOf(warning: string): Bound[] {
  return quantitiesOf(warning).flatMap((one): Bound[] => {
    const before = warning.slice(Math.max(0, one.at - reach), one.at)
    if (atMost.test(before)) return [{ ...one, side: 'above' }]
    if (atLeast.test(before)) return [{ ...one, side: 'below' }]
    const [isOver, isUnder] = [over.test(before), under.test(before)]
    if (isOver === isUnder) return []
    return [{ ...one, side: isOver !== keeping.test(before) ? 'above' : 'below' }]
  })
}

export interface Compared {
  readonly relation: 'beyond' | 'within'
  /** The plan's words. */
  readonly words: string
}

/** How what a plan tells stands to a warning's bounds; undefined where nothing can be compared, or by turns. */
export function compareQuantities(bounds: readonly Bound[], plan: string): Compared | undefined {
  if (bounds.length === 0) return undefined
  const told = quantitiesOf(plan)
  let first: Compared | undefined
  for (const { kind, side, value } of bounds)
    for (const one of told) {
      if (one.kind !== kind) continue
      const isBeyond = side === 'above' ? one.value > value : one.value < value
      const relation = isBeyond ? 'beyond' : 'within'
      first ??= { relation, words: one.words }
      if (first.relation !== relation) return undefined
    }
  return first
}
