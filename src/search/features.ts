/** The features of a memory for a question, as numbers; their weights are in `weights.ts`. */
import { normalizedBm25, overlapOf, type TermCounts } from '../core/bm25.ts'
import type { Likeness } from '../core/ranking.ts'
import { localDay, yearOf } from './calendar.ts'
import { bestMeeting } from './dates.ts'
import type { Question } from './question.ts'
import { findTimes, type Span } from './time-expressions.ts'

export interface Features {
  /** Cosine of the best passage, -1..1; null without a vector. */
  readonly cosine: number | null
  /** Late interaction over word pieces (maxSim), 0..1; null when pieces are unknown. */
  readonly maxSim: number | null
  /** BM25 as a share of what the question's terms could reach, 0..1. */
  readonly coverage: number
  /** Share of the terms' idf that occurs in the memory, 0..1. */
  readonly held: number
  /** Idf of the most distinctive term that question and memory share; 0 if they share none. */
  readonly rarest: number
  /** Number of the question's terms that the memory lacks. */
  readonly lacking: number
  /**
   * Share of the question's codes (versions, error codes, paths, numbers) that occur in the memory, 0..1; null if it
   * has none.
   */
  readonly codes: number | null
  /** The same for names: words with a capital, in a sentence or inside (`Ghent`, `ECONNRESET`, `iPhone`). */
  readonly names: number | null
  /** Share of the quoted phrases that occur in the memory, 0..1; null if the question quotes none. */
  readonly phrases: number | null
  /** How well the memory's times match the question's, 0..1; null if it asks for none. */
  readonly time: number | null
  /** Natural logarithm of the number of the passage's pieces. */
  readonly length: number
}

/** A candidate before scoring. */
export interface Candidate {
  readonly id: number
  readonly likeness: Likeness | undefined
  /** MaxSim of a memory without a vector. */
  readonly maxSim?: number | undefined
  readonly terms: TermCounts | undefined
  /** Pieces of its best passage. */
  readonly pieces: number
}

/** Reads texts and times of candidates, only if the question asks for more than words. */
export interface Reading {
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

export interface Asked {
  readonly question: Question
  /** Times the question asks about; empty when it asks for none. */
  readonly spans: readonly Span[]
  readonly readings: ReadonlyMap<number, Reading>
}

function shareOfPhrases(phrases: readonly string[], text: string | undefined): number | null {
  if (phrases.length === 0) return null
  if (text === undefined) return 0
  const lower = text.toLowerCase()
  return phrases.filter((phrase) => lower.includes(phrase)).length / phrases.length
}

/** Share of some terms that occur in a memory; null if there are no terms. */
const shareHeld = (wanted: readonly string[], memory: TermCounts | undefined): number | null =>
  wanted.length > 0 ? wanted.filter((term) => memory?.counts.has(term)).length / wanted.length : null

/** How well each candidate's times match the requested ones. */
function timesOf(candidates: readonly Candidate[], { spans, readings }: Asked): Map<number, number> {
  const met = new Map<number, { told: number; written: number }>()
  let writtenThen = 0
  for (const { id } of candidates) {
    const reading = readings.get(id)
    if (reading === undefined) continue
    const day = localDay(reading.createdAt)
    const told = bestMeeting(spans, findTimes(reading.text, yearOf(day)))
    const written = bestMeeting(spans, [{ from: day, to: day, yearly: false }])
    if (written > 0.5) writtenThen += 1
    met.set(id, { told, written })
  }
  // Memories that were all written down in one go do not tell by it when anything was.
  const telling = met.size > 0 ? 1 - writtenThen / met.size : 0
  return new Map([...met].map(([id, { told, written }]) => [id, Math.max(told, 0.9 * written * telling)]))
}

/** A candidate with its features. */
export interface Featured {
  readonly id: number
  readonly features: Features
}

/** The candidates with their features, in their order. */
export function featuresOf(candidates: readonly Candidate[], asked: Asked): Featured[] {
  const { question, spans, readings } = asked
  const identifiers = question.terms.filter(({ identifier }) => identifier)
  const codes = identifiers.flatMap(({ term }) => (/^[a-z]+$/.test(term) ? [] : [term]))
  const times = spans.length > 0 ? timesOf(candidates, asked) : undefined
  return candidates.map(({ id, likeness, maxSim, terms, pieces }) => {
    const { share: held, rarest, lacking } = overlapOf(question.terms, terms)
    const features = {
      cosine: likeness?.cosine ?? null,
      maxSim: likeness?.maxSim ?? maxSim ?? null,
      coverage: normalizedBm25(question.terms, terms, question.statistics.averageLength),
      held,
      rarest,
      lacking,
      codes: shareHeld(codes, terms),
      names: shareHeld(question.names, terms),
      phrases: shareOfPhrases(question.phrases, readings.get(id)?.text),
      time: times === undefined ? null : (times.get(id) ?? 0),
      length: Math.log(Math.max(1, pieces)),
    }
    return { id, features }
  })
}
