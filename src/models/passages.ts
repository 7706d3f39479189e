/**
 * Cuts a text that exceeds a model's window into overlapping passages at the ends of sentences, or at white space. Knows
 * offsets and costs; what a token is, the embedder counts.
 */
import type { Passage } from './embedder.ts'

/** Offsets into a text, UTF-16 code units, end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Window {
  /** The most tokens of a passage. */
  readonly size: number
  /** Tokens that a passage repeats of the one before it, at most. */
  readonly overlap: number
}

/** Characters of the longest piece that is not cut further: text without spaces is cut after so many. */
const longestSegment = 32

/** A sentence or a line, with the white space behind it. */
const sentence = /[^\n]*?(?:[.!?…]["'”’)\]]*(?=\s)|\n|$)\s*/gu

function splitSentences(text: string): Span[] {
  const spans: Span[] = []
  for (const { index, 0: all } of text.matchAll(sentence))
    if (all !== '') spans.push({ start: index, end: index + all.length })
  return spans
}

/** Adjacent pieces that make up the whole text: a word with the white space before it, or part of a long one. */
export function splitSegments(text: string): Span[] {
  const spans: Span[] = []
  let start = 0
  // Sticky, so that white space at the end is looked through once, and not from each of its places.
  for (const match of text.matchAll(new RegExp(`\\s*\\S{1,${longestSegment}}`, 'gyu'))) {
    const end = match.index + match[0].length
    spans.push({ start, end })
    start = end
  }
  // White space at the end belongs to the last word.
  const last = spans.pop()
  return last ? [...spans, { start: last.start, end: text.length }] : [{ start: 0, end: text.length }]
}

/**
 * Joins adjacent segments to passages of at most `window.size` tokens; `costs` are the segments' tokens. Every
 * segment is in a passage, and one that alone exceeds the window is a passage alone.
 */
export function packPassages(segments: readonly Span[], costs: readonly number[], window: Window): Span[] {
  const cost = (index: number): number => costs[index] ?? 0
  const passages: Span[] = []
  let first = 0
  while (first < segments.length) {
    let total = cost(first)
    let next = first + 1
    while (next < segments.length && total + cost(next) <= window.size) total += cost(next++)
    passages.push({ start: segments[first]?.start ?? 0, end: segments[next - 1]?.end ?? 0 })
    if (next >= segments.length) break
    let back = next
    let repeated = 0
    // The passage after must get further than this one, so it repeats less than all of it and less than
    // would push its own first new segment out of the window.
    const room = Math.min(window.overlap, window.size - cost(next))
    while (back - 1 > first && repeated + cost(back - 1) <= room) repeated += cost(--back)
    first = back
  }
  return passages
}

/** Tokens by which passages of about equal length may differ, so that sentences stay whole. */
const slack = 8

/**
 * Passages of about equal length, whose parts are measured by `costOf`; a text within the window is one passage, and a
 * sentence that exceeds it is cut at white space.
 */
export function cutText(text: string, window: Window, costOf: (part: string) => number): Span[] {
  const all = costOf(text)
  if (all <= window.size) return [{ start: 0, end: text.length }]
  const segments = splitSentences(text).flatMap((one): Span[] => {
    const part = text.slice(one.start, one.end)
    if (costOf(part) <= window.size) return [one]
    return splitSegments(part).map(({ start, end }) => ({ start: one.start + start, end: one.start + end }))
  })
  const costs = segments.map(({ start, end }) => costOf(text.slice(start, end)))
  const even = Math.ceil(all / Math.ceil(all / window.size)) + slack
  return packPassages(segments, costs, { ...window, size: Math.min(window.size, even) })
}

/** What a text takes of a window: its pieces, but at least one for eight characters; one for four when unknown. */
export const windowCost = (text: string, tokens: Uint16Array): number =>
  tokens.length === 0 ? Math.ceil(text.length / 4) : Math.max(tokens.length, Math.ceil(text.length / 8))

interface PassageMaking {
  readonly embed: (parts: readonly string[]) => Promise<readonly Float32Array[]>
  readonly tokenise: (part: string) => Uint16Array
}

/** One array of passages per text, in order: those of its spans, whose vectors are asked for all together. */
export async function embedSpans(
  texts: readonly string[],
  spans: readonly (readonly Span[])[],
  { embed, tokenise }: PassageMaking,
): Promise<Passage[][]> {
  const parts = spans.flatMap((own, at) => own.map(({ start, end }) => (texts[at] ?? '').slice(start, end)))
  const vectors = await embed(parts)
  let next = 0
  return spans.map((own) =>
    own.map((span): Passage => {
      const at = next++
      return { ...span, vector: vectors[at] ?? new Float32Array(), tokens: tokenise(parts[at] ?? '') }
    }),
  )
}
