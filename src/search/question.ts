/**
 * A question as search reads it: its terms and how telling they are here, what it names exactly, misspelt words as
 * they are read, and the times it asks about.
 */
import { join } from 'node:path'
import { inverseDocumentFrequency, type QueryTerm } from '../core/bm25.ts'
import { isStopTerm, splitWords, toIdentifiers, toQueryTerms, toTerms } from '../core/words.ts'
import { type BuiltinModel, builtinDirectory } from '../models/builtin-model.ts'
import type { Store, TermStatistics } from '../store/store.ts'
import { monthNames, weekdayNames } from './calendar.ts'
import type { Correction, KnownWords } from './typos.ts'

/** FTS5 slows down with long queries; beyond this many terms the rarest decide anyway. */
const maxTerms = 256

/** Terms in more than this share of the memories tell little and cost much, once there are some memories. */
const commonShare = 0.1
const fewDocuments = 100

/** Keyword entries one query may walk through: the rarest terms first, so that cost does not grow with the brain. */
const maxPostings = 20_000

/** Longer texts are pasted, not typed: their words are left as they are. */
const maxTyped = 400

export interface Question {
  /** With its corrections in place. */
  readonly text: string
  readonly corrections: readonly Correction[]
  readonly terms: readonly QueryTerm[]
  readonly statistics: TermStatistics
  /** Terms of the names it calls somebody or something by: words with a capital inside a sentence, or inside a word. */
  readonly names: readonly string[]
  /** Words in quotation marks, in lower case. */
  readonly phrases: readonly string[]
}

async function weighTerms(
  { store, project }: { store: Store; project: string },
  text: string,
): Promise<Pick<Question, 'terms' | 'statistics'>> {
  const identifiers = new Set(toIdentifiers(text))
  const words = toQueryTerms(text).slice(0, maxTerms)
  const statistics = await store.index.termStatistics(project, words)
  const terms = words.map((term) => ({
    term,
    idf: inverseDocumentFrequency(statistics.documents, statistics.frequency.get(term) ?? 0),
    identifier: identifiers.has(term),
  }))
  return { terms, statistics }
}

/** The terms worth looking up: known ones, rarest first, common ones only when nothing else remains. */
export function chooseTerms({ terms, statistics }: Pick<Question, 'terms' | 'statistics'>): string[] {
  const { documents, frequency } = statistics
  const known = terms
    .map(({ term }) => ({ term, memories: frequency.get(term) ?? 0 }))
    .filter(({ memories }) => memories > 0)
    .sort((a, b) => a.memories - b.memories)
  const rare = known.filter(({ memories }) => documents < fewDocuments || memories <= documents * commonShare)
  const chosen: string[] = []
  let postings = 0
  for (const { term, memories } of rare.length > 0 ? rare : known) {
    postings += memories
    if (chosen.length > 0 && postings > maxPostings) break
    chosen.push(term)
  }
  return chosen
}

/** What stands in quotation marks and is more than one word. */
const phrasesOf = (text: string): string[] =>
  [...text.matchAll(/["“«`]([^"”»`]{3,80})["”»`]/g)].flatMap(
    ([, inside = '']) => inside.trim().toLowerCase() || [],
  )

/** Months and days of the week have capitals, too, and are told as times. */
const timeTerms = new Set([...monthNames, ...weekdayNames].flat().flatMap(toTerms))

/** Words with a capital that no sentence begins with. */
const capitals = /(?<=[^\s.?!:;"“(]\s+)\p{Lu}\p{L}{2,}/gu

/** Names that a question calls, as terms that are no codes. */
function namesOf(text: string, identifiers: readonly QueryTerm[]): string[] {
  const written = (text.match(capitals) ?? []).flatMap((word) => toTerms(word).slice(0, 1))
  const named = identifiers.flatMap(({ identifier, term }) => (identifier ? [term] : []))
  return [...new Set([...written, ...named])].filter(
    (term) => /^[a-z]+$/.test(term) && !isStopTerm(term) && !timeTerms.has(term),
  )
}

/** A memory's own spelling of a term. */
async function spell({ store, project }: { store: Store; project: string }, term: string) {
  const statistics = await store.index.termStatistics(project, [term])
  const [match] = await store.index.matching(project, { terms: [term], statistics, limit: 1 })
  if (match === undefined) return undefined
  const [memory] = await store.memories.findMany(project, [match.id])
  return splitWords(memory?.text ?? '')
    .find((word) => toTerms(word).includes(term))
    ?.toLowerCase()
}

/** Reads a question against what a project's memories and the vocabulary of `pieces` know. */
export async function readQuestion(
  context: { store: Store; project: string },
  query: string,
  pieces: BuiltinModel | undefined,
): Promise<Question> {
  const { store, project } = context
  const weighed = await weighTerms(context, query)
  const phrases = phrasesOf(query)
  const unread = { text: query, corrections: [], phrases, names: namesOf(query, weighed.terms), ...weighed }
  // Most questions hold no word that is strange to all memories.
  const strange = toTerms(query).some((term) => !weighed.statistics.frequency.has(term) && !isStopTerm(term))
  if (pieces === undefined || weighed.statistics.documents === 0 || query.length > maxTyped || !strange)
    return unread
  const [{ applyCorrections, findCorrections }, { readWordList }] = await Promise.all([
    import('./typos.ts'),
    import('./word-list.ts'),
  ])
  const words = readWordList(join(builtinDirectory(), '..'))
  const known: KnownWords = {
    frequencies: async (terms) => (await store.index.termStatistics(project, terms)).frequency,
    termsFrom: (prefix) => store.index.termsFrom(project, prefix),
    spelling: (term) => spell(context, term),
    isWord: (word) => {
      if (words.has(word)) return true
      const ids = pieces.tokenise(word)
      return ids.length === 1 && ids[0] !== pieces.vocabulary.unknown
    },
  }
  const corrections = await findCorrections(query, known)
  if (corrections.length === 0) return unread
  const text = applyCorrections(query, corrections)
  const read = await weighTerms(context, text)
  return { text, corrections, phrases, names: namesOf(text, read.terms), ...read }
}
