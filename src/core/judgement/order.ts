/** Which of two steps a text puts first: "B after A", "A, then B". Knows English connectives, and no verbs. */

export interface Order {
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
  for (const pattern of orders) {
    const { first, then } = pattern.exec(text.trim())?.groups ?? {}
    if (first !== undefined && then !== undefined) return { first, then }
  }
  return undefined
}

/** The step before all others that a text names; the whole text where it names no order. */
export function firstStepOf(text: string): string {
  const order = orderOf(text)
  return order === undefined ? text : firstStepOf(order.first)
}
