/**
 * Gathers everything that ranking needs for a question: its candidates with their features, and their surroundings.
 * Knows the order in which store and models are called; all weights are in `weights.ts`.
 */
import type { BuiltinModel } from '../models/builtin-model.ts'
import type { Candidates, PassageMatch } from '../store/candidates.ts'
import type { MemoryFilter } from '../store/memory-life.ts'
import { localDay, yearOf } from './calendar.ts'
import { type Compared, findCandidates, pauseIfLong, type SearchContext } from './candidates.ts'
import { type Comparison, createComparison, type WordMatch } from './comparison.ts'
import { type Anchor, type AskedTimes, readTimes } from './dates.ts'
import { type Candidate, type Featured, featuresOf } from './features.ts'
import { type Question, readQuestion, weighQuestion } from './question.ts'
import { order } from './rerank.ts'
import type { Surroundings } from './score.ts'
import { findTimes, type Span } from './time-expressions.ts'
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
  /** Matches between words of the question and of a memory, heaviest first. */
  words(memoryId: number): WordMatch[]
}

interface BestPassage {
  readonly likeness: { readonly cosine: number; readonly maxSim: number | undefined }
  readonly passage: PassageMatch
}

/** The passage of each memory that is most similar to the question. */
function bestPassages(passages: readonly PassageMatch[], comparison: Comparison): Map<number, BestPassage> {
  const best = new Map<number, BestPassage>()
  const worth = ({ cosine, maxSim }: BestPassage['likeness']) =>
    blendWeights.cosine * cosine + blendWeights.maxSim * (maxSim ?? cosine)
  for (const passage of passages) {
    const likeness = comparison.likeness(passage)
    const known = best.get(passage.memoryId)
    if (known === undefined || worth(likeness) > worth(known.likeness)) {
      best.set(passage.memoryId, { likeness, passage })
    }
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
}

function compareMeaning(
  { direction, passages, sample }: Compared,
  { comparison, pieces }: Comparing,
): Meaning | undefined {
  if (direction === undefined) return undefined
  // All of them at once: the file of the word rows is gone through only once for them.
  pieces?.table.need([...passages, ...sample].map(({ tokens }) => tokens))
  return { best: bestPassages(passages, comparison), sample, neutral: direction.neutral }
}

/** Characters of a memory that are compared word by word while it has no vector. */
const comparedText = 2_048

/** Compares memories without vectors with the question word by word. */
function compareWords(
  memories: Candidates['memories'],
  { comparison, pieces }: Comparing,
  ids: readonly number[],
): Map<number, number | undefined> {
  if (pieces === undefined || ids.length === 0) return new Map()
  const texts = ids.flatMap((id): [number, Uint16Array][] => {
    const text = memories.get(id)?.text.slice(0, comparedText)
    return text === undefined ? [] : [[id, pieces.tokenise(text)]]
  })
  pieces.table.need(texts.map(([, tokens]) => tokens))
  return new Map(texts.map(([id, tokens]) => [id, comparison.likeness({ similarity: 0, tokens }).maxSim]))
}

interface Ids {
  readonly ids: readonly number[]
  readonly meaning: Meaning | undefined
  /** MaxSim for those without a vector. */
  readonly maxSim?: ReadonlyMap<number, number | undefined>
}

/** Memories with their features. */
function compareAll(
  { matches, memories }: Candidates,
  { question, spans }: { question: Question; spans: readonly Span[] },
  { ids, meaning, maxSim }: Ids,
): Featured[] {
  const counts = new Map(matches.map((match) => [match.id, match]))
  const candidates = ids.map((id): Candidate => {
    const best = meaning?.best.get(id)
    const pieces = best?.passage.tokens.length ?? 0
    return { id, likeness: best?.likeness, maxSim: maxSim?.get(id), terms: counts.get(id), pieces }
  })
  return featuresOf(candidates, { question, spans, readings: memories })
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
async function resolveAnchor(context: SearchContext, { phrase, shift }: Anchor): Promise<Span[]> {
  const { candidates } = await gather(context, phrase)
  const [event] = order(candidates, blendWeights).filter(({ features }) => features.held >= minNamed)
  if (event === undefined) return []
  const [reading] = await context.store.memories.findMany(context.project, [event.id])
  if (reading === undefined) return []
  const day = localDay(reading.createdAt)
  const [told] = findTimes(reading.text, yearOf(day))
  return [shift(told ?? { from: day, to: day, yearly: false })]
}

const timeless: AskedTimes = { spans: [], anchor: undefined }

/** Gathers what there is to rank for `query`, among all memories that have not expired unless a filter is given. */
export async function gather(
  context: SearchContext,
  query: string,
  among: MemoryFilter = { now: context.now() },
): Promise<Gathered> {
  const pieces = await context.embedders.pieces()
  const asked = await readQuestion(context, query, pieces)
  await pauseIfLong(query)
  const times = context.timeless ? timeless : await readTimes(asked.text, context.now())
  const spans = times.anchor === undefined ? times.spans : await resolveAnchor(context, times.anchor)
  const texts = spans.length > 0 || asked.phrases.length > 0
  const found = await findCandidates(context, asked, { byTime: spans.length > 0, among, texts })
  await pauseIfLong(query)
  const question = weighQuestion(asked, found.statistics)
  const comparison = createComparison(pieces, question.text, question.statistics)
  const meaning = compareMeaning(found, { comparison, pieces })
  await pauseIfLong(query)
  const told = {
    surroundings: {
      memories: question.statistics.documents,
      unrelatedBaseline: meaning === undefined ? [] : othersOf(meaning),
      neutral: meaning?.neutral ?? [],
      conversation: found.conversation,
    },
    corrections: question.corrections,
    spans,
  }
  const apart = found.matches.map(({ id }) => id).filter((id) => !meaning?.best.has(id))
  const maxSim = compareWords(found.memories, { comparison, pieces }, meaning === undefined ? [] : apart)
  const asking = { question, spans }
  const unembedded = compareAll(found, asking, { ids: apart, meaning, maxSim })
  // As long as nothing of a project has a vector, what is found by words is the answer.
  if (meaning === undefined || (meaning.best.size === 0 && apart.length > 0)) {
    return { mode: 'keyword', candidates: unembedded, unembedded: [], words: () => [], ...told }
  }
  return {
    mode: 'semantic',
    candidates: compareAll(found, asking, { ids: [...meaning.best.keys()], meaning }),
    unembedded,
    words: (memoryId) => {
      const found = meaning.best.get(memoryId)
      return found === undefined ? [] : comparison.words(found.passage)
    },
    ...told,
  }
}
