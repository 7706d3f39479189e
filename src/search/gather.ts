/**
 * Gathers everything that ranking needs for a question: its candidates with their features, and their surroundings.
 * Knows the order in which store and models are called; all weights are in `weights.ts`.
 */
import { createTurns, type Turns } from '../clock.ts'
import type { BuiltinModel } from '../models/builtin-model.ts'
import type { Candidates, PassageMatch } from '../store/candidates.ts'
import type { MemoryFilter } from '../store/memory-life.ts'
import { localDay, type Span, toDate, yearOf } from './calendar.ts'
import { type Compared, findCandidates, type SearchContext } from './candidates.ts'
import { type Comparison, createComparison, type WordMatch } from './comparison.ts'
import { type Anchor, type AskedTimes, readTimes, timelessly, windowOf } from './dates.ts'
import { type Asked, type Candidate, type Featured, featuresOf, meetingsOf } from './features.ts'
import { findAgentAsked, findNotesOfTime, type NotesOfTime } from './notes-of-time.ts'
import { asksPresent } from './present.ts'
import { ofSubject, readQuestion, weighQuestion } from './question.ts'
import { order } from './rerank.ts'
import type { Surroundings } from './score.ts'
import { saysNoSubject } from './subject.ts'
import { findTimes } from './time-expressions.ts'
import type { Correction } from './typos.ts'
import { blendWeights } from './weights.ts'

export interface Gathered {
  readonly mode: 'semantic' | 'keyword'
  /** In no particular order; in keyword mode those that share words with the question. */
  readonly candidates: readonly Featured[]
  /** Keyword matches that have no vector. */
  readonly unembedded: readonly Featured[]
  readonly surroundings: Surroundings
  /** Misspelt words of the question and their corrections. */
  readonly corrections: readonly Correction[]
  /** Times the question asks about. */
  readonly spans: readonly Span[]
  /** The agent whose notes of these times are all that is asked for. */
  readonly agent: string | undefined
  /** Matches between words of the question and of a memory, heaviest first. */
  words(memoryId: number): WordMatch[]
}

interface BestPassage {
  readonly likeness: { readonly cosine: number; readonly maxSim: number | undefined }
  readonly passage: PassageMatch
}

/** The passage of each memory that is most similar to the question. */
async function bestPassages(
  passages: readonly PassageMatch[],
  { comparison, turn }: Comparing,
): Promise<Map<number, BestPassage>> {
  const best = new Map<number, BestPassage>()
  const worth = ({ cosine, maxSim }: BestPassage['likeness']) =>
    blendWeights.cosine * cosine + blendWeights.maxSim * (maxSim ?? cosine)
  for (const passage of passages) {
    const likeness = comparison.likeness(passage)
    const known = best.get(passage.memoryId)
    if (known === undefined || worth(likeness) > worth(known.likeness)) {
      best.set(passage.memoryId, { likeness, passage })
    }
    await turn()
  }
  return best
}

/** Results of vector search for a question. */
interface Meaning {
  readonly best: ReadonlyMap<number, BestPassage>
  readonly sample: readonly PassageMatch[]
  readonly neutral: readonly number[]
}

/** How a question is compared with passages. */
interface Comparing {
  readonly comparison: Comparison
  readonly pieces: BuiltinModel | undefined
  readonly turn: Turns
}

async function compareMeaning(
  { direction, passages, sample }: Compared,
  comparing: Comparing,
): Promise<Meaning | undefined> {
  if (direction === undefined) return undefined
  // All of them at once: the file of the word rows is gone through only once for them.
  comparing.pieces?.table.need([...passages, ...sample].map(({ tokens }) => tokens))
  return { best: await bestPassages(passages, comparing), sample, neutral: direction.neutral }
}

/** Characters of a memory that are compared word by word while it has no vector. */
const comparedText = 2_048

/** Compares memories without vectors with the question word by word. */
async function compareWords(
  memories: Candidates['memories'],
  { comparison, pieces, turn }: Comparing,
  ids: readonly number[],
): Promise<Map<number, number | undefined>> {
  const compared = new Map<number, number | undefined>()
  if (pieces === undefined || ids.length === 0) return compared
  const texts = ids.flatMap((id): [number, Uint16Array][] => {
    const text = memories.get(id)?.text.slice(0, comparedText)
    return text === undefined ? [] : [[id, pieces.tokenise(text)]]
  })
  pieces.table.need(texts.map(([, tokens]) => tokens))
  for (const [id, tokens] of texts) {
    await turn()
    compared.set(id, comparison.likeness({ similarity: 0, tokens }).maxSim)
  }
  return compared
}

interface Ids {
  readonly ids: readonly number[]
  readonly meaning: Meaning | undefined
  /** MaxSim for those without a vector. */
  readonly maxSim?: ReadonlyMap<number, number | undefined>
}

/** Memories with their features. */
function compareAll({ matches }: Candidates, asked: Asked, { ids, meaning, maxSim }: Ids): Featured[] {
  const counts = new Map(matches.map((match) => [match.id, match]))
  const candidates = ids.map((id): Candidate => {
    const best = meaning?.best.get(id)
    const pieces = best?.passage.tokens.length ?? 0
    return { id, likeness: best?.likeness, maxSim: maxSim?.get(id), terms: counts.get(id), pieces }
  })
  return featuresOf(candidates, asked)
}

/** Candidates with their places among the notes of a time, which are candidates all. */
function placed(
  candidates: readonly Featured[],
  ofTime: NotesOfTime | undefined,
  asked: Asked,
): readonly Featured[] {
  if (ofTime === undefined) return candidates
  const places = new Map(ofTime.notes.map(({ id, share }, place) => [id, { place, share }]))
  const known = new Set(candidates.map(({ id }) => id))
  const others = ofTime.notes.flatMap(({ id }): Candidate[] =>
    known.has(id) ? [] : [{ id, likeness: undefined, terms: undefined, pieces: 0 }],
  )
  return [...candidates, ...featuresOf(others, { ...asked, readings: new Map() })].map((one) => {
    const its = places.get(one.id)
    return its === undefined
      ? one
      : { ...one, place: its.place, features: { ...one.features, time: its.share } }
  })
}

/** Cosines of unrelated memories: of a sample, or in a small brain of all but the nearest. */
const othersOf = ({ sample, best }: Meaning): number[] =>
  sample.length > 0
    ? sample.map(({ similarity }) => similarity)
    : [...best.values()]
        .map(({ likeness }) => likeness.cosine)
        .sort((a, b) => b - a)
        .slice(1)

/** Minimum share of an event's words for a memory to mention the event. */
const minNamed = 0.5

/** The days of an event that a memory mentions, from the likeliest memory that contains half of its words. */
async function resolveAnchor(context: SearchContext, { phrase, shift, over }: Anchor): Promise<Span[]> {
  // An event that is itself told by another would be looked for through all of them.
  const { candidates } = await gather({ ...context, timeless: true }, phrase)
  const [event] = order(candidates, blendWeights).filter(({ features }) => features.held >= minNamed)
  if (event === undefined) return []
  const [reading] = await context.store.memories.findMany(context.project, [event.id])
  if (reading === undefined) return []
  const day = localDay(reading.createdAt)
  const [told] = findTimes(reading.text, yearOf(day))
  const known = told !== undefined && !(over && told.from > localDay(context.now()))
  return [shift(known ? told : { from: day, to: day, yearly: false })]
}

/** The times of a question; of one that says no subject, those that the filter leaves. */
async function timesOf(
  context: SearchContext,
  text: string,
  { since, until }: MemoryFilter,
): Promise<AskedTimes> {
  if (context.timeless) return timelessly(text)
  const times = await readTimes(text, context.now())
  const windowed = since !== undefined || until !== undefined
  return windowed && times.spans.length === 0 && saysNoSubject(text)
    ? { ...times, spans: [windowOf({ since, until }, context.now())], anchor: undefined, only: true }
    : times
}

/** Longest range, in days, whose dates are looked for one by one. */
const maxDates = 7

/** The days of short ranges as notes write dates. */
const datesOf = (spans: readonly Span[]): string[] =>
  spans.flatMap(({ from, to }) =>
    to - from < maxDates ? Array.from({ length: to - from + 1 }, (_, at) => toDate(from + at)) : [],
  )

/** Gathers what there is to rank for `query`, among all memories that have not expired unless a filter is given. */
export async function gather(
  context: SearchContext,
  query: string,
  among: MemoryFilter = { now: context.now() },
): Promise<Gathered> {
  const turn = createTurns(context)
  const pieces = await context.embedders.pieces()
  const typed = await timesOf(context, query, among)
  const named = await findAgentAsked(context, typed)
  const agent = named === (among.agent ?? named) ? named : undefined
  // The name of an agent, which no note need hold, is not corrected.
  const read = await readQuestion(context, query, agent === undefined ? pieces : undefined)
  await turn()
  const times = read.text === query ? typed : await timesOf(context, read.text, among)
  const asked = ofSubject(read, times.subject)
  const spans = times.anchor === undefined ? times.spans : await resolveAnchor(context, times.anchor)
  const texts = spans.length > 0 || asked.phrases.length > 0 || asksPresent(asked.text)
  // Notes that tell of the time are candidates by its words, too, which then count for nothing else.
  const sought =
    spans.length > 0
      ? { text: asked.text, terms: [...new Set([...asked.terms, ...read.terms, ...datesOf(spans)])] }
      : asked
  const found = await findCandidates(context, sought, { byTime: spans.length > 0, among, texts, turn })
  await turn()
  const question = weighQuestion(asked, found.statistics)
  const comparison = createComparison(pieces, question.text, question.statistics)
  const comparing = { comparison, pieces, turn }
  const meaning = await compareMeaning(found, comparing)
  const meetings = await meetingsOf(found.memories, spans, turn)
  const byAgent = agent === undefined ? among : { ...among, agent }
  const ofTime =
    meetings !== undefined && (times.only || agent !== undefined)
      ? await findNotesOfTime(context, meetings, { among: byAgent, readings: found.memories })
      : undefined
  const told = {
    surroundings: {
      memories: question.statistics.documents,
      unrelatedBaseline: meaning === undefined ? [] : othersOf(meaning),
      neutral: meaning?.neutral ?? [],
      conversation: found.conversation,
      ofTime: ofTime?.count,
    },
    corrections: question.corrections,
    spans,
    agent,
  }
  const apart = found.matches.map(({ id }) => id).filter((id) => !meaning?.best.has(id))
  const maxSim = await compareWords(found.memories, comparing, meaning === undefined ? [] : apart)
  const asking = { question, readings: found.memories, meetings }
  await turn()
  const unembedded = compareAll(found, asking, { ids: apart, meaning, maxSim }).filter(
    // What was found by words of time alone tells of the time, or of another.
    ({ features: { rarest, time } }) => spans.length === 0 || rarest > 0 || (time ?? 0) > 0.5,
  )
  const semantic = meaning !== undefined && (meaning.best.size > 0 || apart.length === 0)
  // As long as nothing of a project has a vector, what is found by words is the answer.
  if (!semantic) {
    const candidates = placed(unembedded, ofTime, asking)
    return { mode: 'keyword', candidates, unembedded: [], words: () => [], ...told }
  }
  await turn()
  const near = compareAll(found, asking, { ids: [...meaning.best.keys()], meaning })
  return {
    mode: 'semantic',
    candidates: ofTime === undefined ? near : placed([...near, ...unembedded], ofTime, asking),
    unembedded: ofTime === undefined ? unembedded : [],
    words: (memoryId) => {
      const found = meaning.best.get(memoryId)
      return found === undefined ? [] : comparison.words(found.passage)
    },
    ...told,
  }
}
