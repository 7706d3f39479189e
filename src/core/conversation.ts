/**
 * Tells conversations from notes: what is said in turns is understood with what was said just before. Knows texts and
 * places only.
 */

/** A turn is read with the two before it and the one after it, by how many memories apart they were written. */
export const turnsAround = [-2, -1, 1] as const

/** Of this many memories, the nearest to a question, the texts are looked at. */
export const lookedAt = 20
/** Around so many of the nearest, and of those that share words, is looked. */
const [maxNearest, maxMatching] = [40, 20]
/** Fewer tell nothing. */
const minTexts = 5
/** Of turns of chats 0.65 and more, of notes 0.5 at most (development sets and four conversations of training/ranking). */
const minTalk = 0.6

const person = /\b(?:I|me|my|mine|you|your)\b/
const lively = /[?!]/

/** Whether texts are turns of a conversation: who talks to another says I and you, asks and exclaims; notes hardly do. */
export function isConversation(texts: readonly string[]): boolean {
  const count = (pattern: RegExp): number => texts.filter((text) => pattern.test(text)).length
  return texts.length >= minTexts && count(person) + count(lively) >= minTalk * texts.length
}

/** What was written around the best of some memories, without any of these; both lists are best first. */
export function writtenAround(nearest: readonly number[], matching: readonly number[]): number[] {
  const known = new Set([...nearest, ...matching])
  const best = [...nearest.slice(0, maxNearest), ...matching.slice(0, maxMatching)]
  const around = best.flatMap((id) => turnsAround.map((apart) => id + apart))
  return [...new Set(around)].filter((id) => !known.has(id))
}
