/** The features of a memory for a question, as numbers; their weights are in `weights.ts`. */
import type { Turns } from '../clock.ts'
import { normalizedBm25, overlapOf, type TermCounts } from '../core/bm25.ts'
import { medianOf } from '../core/median.ts'
import type { Likeness } from '../core/ranking.ts'
import { type Memory, saidAt } from '../core/records.ts'
import { localDay, type Span, yearOf } from './calendar.ts'
import { bestMeeting, inYearOf } from './dates.ts'
import { asksPresent, tellsChange } from './present.ts'
import type { Question } from './question.ts'
import { findTimes } from './time-expressions.ts'

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
  /** Whether the memory tells of a change, asked of few; null if the question does not ask how things stand now. */
  readonly changed: (() => boolean) | null
  /** When it was written, milliseconds since the epoch; null where it makes no difference. */
  readonly written: number | null
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
export type Reading = Pick<Memory, 'text' | 'createdAt' | 'editedAt'>

export interface Asked {
  readonly question: Question
  readonly readings: ReadonlyMap<number, Reading>
  /** How they meet the times that the question asks about; undefined when it asks for none. */
  readonly meetings: Meetings | undefined
}

/** How well a memory's text and its day match the requested times, each 0..1. */
interface Meeting {
  readonly told: number
  readonly written: number
}

export interface Meetings {
  readonly spans: readonly Span[]
  /** By memory id. */
  readonly of: ReadonlyMap<number, Meeting>
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

function meetingOf({ text, createdAt }: Reading, spans: readonly Span[]): Meeting {
  const day = localDay(createdAt)
  const own = findTimes(text, yearOf(day))
  const told = spans.map((one) => bestMeeting([one], one.yearly ? own : inYearOf(day, own)))
  return { told: Math.max(0, ...told), written: bestMeeting(spans, [{ from: day, to: day, yearly: false }]) }
}

/** How memories meet some times; undefined where there are none. */
export async function meetingsOf(
  readings: ReadonlyMap<number, Reading>,
  spans: readonly Span[],
  turn: Turns,
): Promise<Meetings | undefined> {
  if (spans.length === 0) return undefined
  const of = new Map<number, Meeting>()
  for (const [id, reading] of readings) {
    of.set(id, meetingOf(reading, spans))
    await turn()
  }
  return { spans, of }
}

/** How well each candidate's times match the requested ones. */
function timesOf(candidates: readonly Candidate[], { spans, of }: Meetings): Map<number, number> {
  const met = new Map<number, Meeting>()
  let writtenThen = 0
  for (const { id } of candidates) {
    const meeting = of.get(id)
    if (meeting === undefined) continue
    if (meeting.written > 0.5) writtenThen += 1
    met.set(id, meeting)
  }
  // Memories that were all written down in one go do not tell by it when anything was; half of them may be of one month, and
  // most may lie to one side of a date.
  const open = spans.some((one) => one.open) && writtenThen < met.size
  const telling = open ? 1 : met.size > 0 ? 1 - (writtenThen / met.size) ** 2 : 0
  return new Map([...met].map(([id, { told, written }]) => [id, Math.max(told, 0.9 * written * telling)]))
}

/** A candidate with its features. */
export interface Featured {
  readonly id: number
  /** Among the notes of the time that a question asks for and nothing else: 0 comes first; absent for all others. */
  readonly place?: number
  readonly features: Features
}

/** A memory's length counts as measured against one of at most so many times the candidates' median. */
const longest = 1.5

/** Length in terms that a memory's is measured against: the average, unless a few long memories make it what no candidate has. */
function typicalLength(candidates: readonly Candidate[], average: number): number {
  const lengths = candidates.flatMap(({ terms }) => (terms === undefined ? [] : [terms.length]))
  return lengths.length === 0 ? average : Math.min(average, longest * medianOf(lengths))
}

/** The candidates with their features, in their order. */
export function featuresOf(candidates: readonly Candidate[], asked: Asked): Featured[] {
  const { question, readings, meetings } = asked
  const length = typicalLength(candidates, question.statistics.averageLength)
  const identifiers = question.terms.filter(({ identifier }) => identifier)
  const codes = identifiers.flatMap(({ term }) => (/^[a-z]+$/.test(term) ? [] : [term]))
  const times = meetings && timesOf(candidates, meetings)
  const present = asksPresent(question.text)
  return candidates.map(({ id, likeness, maxSim, terms, pieces }) => {
    const { share: held, rarest, lacking } = overlapOf(question.terms, terms)
    const reading = present ? readings.get(id) : undefined
    const features = {
      cosine: likeness?.cosine ?? null,
      maxSim: likeness?.maxSim ?? maxSim ?? null,
      coverage: normalizedBm25(question.terms, terms, length),
      held,
      rarest,
      lacking,
      codes: shareHeld(codes, terms),
      names: shareHeld(question.names, terms),
      phrases: shareOfPhrases(question.phrases, readings.get(id)?.text),
      time: times === undefined ? null : (times.get(id) ?? 0),
      length: Math.log(Math.max(1, pieces)),
      changed: reading === undefined ? null : () => tellsChange(reading.text),
      written: reading === undefined ? null : saidAt(reading),
    }
    return { id, features }
  })
}
