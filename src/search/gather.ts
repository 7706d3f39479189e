/**
 * Everything that ranking knows of a question: its candidates with their features, and what surrounds them. Knows the
 * order in which the store and the models are asked; what anything weighs stands in `weights.ts`.
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
  /** In no order; in keyword mode those that share words with the question. */
  readonly candidates: readonly Featured[]
  /** Keyword matches that have no vector. */
  readonly unembedded: readonly Featured[]
  readonly surroundings: Surroundings
  /** Misspelt words of the question, as they were read. */
  readonly corrections: readonly Correction[]
  /** Times the question asks about. */
  readonly spans: readonly Span[]
  /** Which words of the question met which words of a memory, weightiest first. */
  words(memoryId: number): WordMatch[]
}

interface BestPassage {
  readonly likeness: { readonly cosine: number; readonly soft: number | undefined }
  readonly passage: PassageMatch
}

/** The passage of each memory that is most like the question. */
function bestPassages(passages: readonly PassageMatch[], comparison: Comparison): Map<number, BestPassage> {
  const best = new Map<number, BestPassage>()
  const worth = ({ cosine, soft }: BestPassage['likeness']) =>
    blendWeights.cosine * cosine + blendWeights.soft * (soft ?? cosine)
  for (const passage of passages) {
    const likeness = comparison.likeness(passage)
    const known = best.get(passage.memoryId)
    if (known === undefined || worth(likeness) > worth(known.likeness)) {
      best.set(passage.memoryId, { likeness, passage })
    }
  }
  return best
}

/** What vectors say of a question. */
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

/** Characters of a memory whose word pieces are compared while it waits for its vector. */
const comparedText = 2_048

/** Word by word, memories that wait for their vectors beside the question. */
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
  return new Map(texts.map(([id, tokens]) => [id, comparison.likeness({ similarity: 0, tokens }).soft]))
}

interface Ids {
  readonly ids: readonly number[]
  readonly meaning: Meaning | undefined
  /** Soft match of those without a vector. */
  readonly soft?: ReadonlyMap<number, number | undefined>
}

/** Memories with their features. */
function compareAll(
  { matches, memories }: Candidates,
  { question, spans }: { question: Question; spans: readonly Span[] },
  { ids, meaning, soft }: Ids,
): Featured[] {
  const counts = new Map(matches.map((match) => [match.id, match]))
  const candidates = ids.map((id): Candidate => {
    const best = meaning?.best.get(id)
    const pieces = best?.passage.tokens.length ?? 0
    return { id, likeness: best?.likeness, soft: soft?.get(id), terms: counts.get(id), pieces }
  })
  return featuresOf(candidates, { question, spans, readings: memories })
}

/** Cosines of what was not asked for: of a sample, in a small brain of all but the nearest. */
const othersOf = ({ sample, best }: Meaning): number[] =>
  sample.length > 0
    ? sample.map(({ similarity }) => similarity)
    : [...best.values()]
        .map(({ likeness }) => likeness.cosine)
        .sort((a, b) => b - a)
        .slice(1)

/** Below this share of its words in a memory, an event is not named there. */
const minNamed = 0.5

/** The days told by an event that a memory names: of the likeliest one that holds half of its words. */
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

/** Share of a question's terms, by their idf, that no memory holds. */
function unknownShare({ terms, statistics }: Question): number {
  const whole = terms.reduce((sum, { idf }) => sum + idf, 0)
  const unknown = terms.reduce((sum, { term, idf }) => (statistics.frequency.has(term) ? sum : sum + idf), 0)
  return whole > 0 ? unknown / whole : 0
}

const timeless: AskedTimes = { spans: [], anchor: undefined }

/** What there is to rank for `query` among some memories: among all that have not expired, unless a filter is given. */
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
      unknown: unknownShare(question),
      background: meaning === undefined ? [] : othersOf(meaning),
      neutral: meaning?.neutral ?? [],
    },
    corrections: question.corrections,
    spans,
  }
  const apart = found.matches.map(({ id }) => id).filter((id) => !meaning?.best.has(id))
  const soft = compareWords(found.memories, { comparison, pieces }, meaning === undefined ? [] : apart)
  const asking = { question, spans }
  const unembedded = compareAll(found, asking, { ids: apart, meaning, soft })
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
