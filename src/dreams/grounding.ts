/**
 * Checks that an external wording says only what its sources say. Compares figures, names, quotes and words; knows no
 * language model.
 */
import { contentTerms } from './reading/material.ts'
import { isContent, isEveryday, tokensOf } from './reading/reading.ts'

/** Longest wording kept, in characters. */
const longest = 600
const maxSentences = 3
/** Share of uncommon words that must come from the sources. */
const minOwnShare = 0.6

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const quoted = /[“"«]([^”"»]+)[”"»]/gu
const figures = /\p{N}+(?:[.,:]\p{N}+)*/gu

const isNumberIn = (figure: string, given: ReadonlySet<string>): boolean =>
  given.has(figure.replace(/[.,:]+$/, ''))

/**
 * The wording made fit to keep, or undefined when it is too long, or names a figure, name, identifier or quote
 * that is in none of `sources` (the built-in wording belongs among them), or speaks of something else.
 */
export function groundWording(wording: string, sources: readonly string[]): string | undefined {
  const text = wording
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^"(.*)"$/, '$1')
  if (text === '' || text.length > longest || !text.isWellFormed()) return undefined
  if (/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069`<>]|https?:/.test(text)) return undefined
  const sentences = text
    .replace(quoted, 'x')
    .split(/[.!?]+(?:\s|$)/)
    .filter((part) => part.trim() !== '')
  if (sentences.length > maxSentences) return undefined
  const all = sources.join('\n')
  const given = new Set([...all.matchAll(figures)].map(([figure]) => figure))
  if (![...text.matchAll(figures)].every(([figure]) => isNumberIn(figure, given))) return undefined
  const allPlain = ` ${plain(all)} `
  if (![...text.matchAll(quoted)].every(([, part = '']) => allPlain.includes(plain(part)))) return undefined
  return speaksOf(text, sources) ? text : undefined
}

function speaksOf(text: string, sources: readonly string[]): boolean {
  const perSource = sources.map((source) => new Set(contentTerms(source)))
  const isGiven = (term: string): boolean => perSource.some((terms) => terms.has(term))
  const content = tokensOf(text).filter(isContent)
  for (const token of content) {
    const named = token.kind === 'identifier' || (!token.opens && /^\p{Lu}/u.test(token.surface))
    if (named && !isGiven(token.term)) return false
  }
  const telling = content.filter(({ term }) => !isEveryday(term))
  if (telling.length === 0) return false
  const own = telling.filter(({ term }) => isGiven(term)).length
  const touchesEach = perSource.every(
    (terms) => terms.size === 0 || content.some(({ term }) => terms.has(term)),
  )
  return touchesEach && own / telling.length >= minOwnShare
}
