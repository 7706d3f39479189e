/** Which of two steps a text puts first: "B after A", "A, then B". Knows English connectives, and no verbs. */

import { squeeze } from '../patterns.ts'

interface Order {
  readonly first: string
  readonly then: string
}

/** A text's two steps, named by the pattern; the outermost connective comes first. */
const orders: readonly RegExp[] = [
  /^(?:only )?(?:after|once|as soon as)\s+(?<first>.+?),\s*(?<then>.+)$/is,
  /^before\s+(?<then>.+?),\s*(?<first>.+)$/is,
  /^(?<then>.+?),?\s+but (?:only after|first)\s+(?<first>.+)$/is,
  /^(?<first>.+?)(?:[,;]?\s+(?:and )?(?:then|afterwards)\s+|\s*(?:;|&&)\s*)(?<then>.+)$/is,
  /^(?<first>.+?)\s+before\s+(?<then>.+)$/is,
  /^(?<then>.+?)\s+(?:only )?(?:after|once|as soon as)\s+(?<first>[^,;]+)/is,
]

/** The order that a text names; undefined where it names none. */
export function orderOf(text: string): Order | undefined {
  const plain = squeeze(text).trim()
  for (const pattern of orders) {
    const { first, then } = pattern.exec(plain)?.groups ?? {}
    if (first !== undefined && then !== undefined) return { first, then }
  }
  return undefined
}

/** Steps that a sentence is looked through for; a text that repeats a connective would take seconds. */
const maxSteps = 8

/** The step before all others that a text names; the whole text where it names no order. */
export function firstStepOf(text: string): string {
  let step = text
  for (let looked = 0; looked < maxSteps; looked++) {
    const order = orderOf(step)
    if (order === undefined) break
    step = order.first
  }
  return step
}
