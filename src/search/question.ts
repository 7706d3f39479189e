/**
 * A question as search interprets it: its terms and how distinctive they are here, exact names, corrected spelling,
 * and the times it asks about.
 */
import { join } from 'node:path'
import { inverseDocumentFrequency, type QueryTerm } from '../core/bm25.ts'
import { monthForms, weekdayForms } from '../core/calendar-words.ts'
import { isStopTerm, splitWords, toIdentifiers, toQueryTerms, toTerms } from '../core/words.ts'
import { type BuiltinModel, builtinDirectory } from '../models/builtin-model.ts'
import type { TermStatistics } from '../store/candidates.ts'
import type { SearchContext } from './candidates.ts'
import type { Correction, KnownWords } from './typos.ts'
import type { WordList } from './word-list.ts'

/** FTS5 slows down with long queries; beyond this many terms the rarest decide anyway. */
const maxTerms = 256

/** Longer texts are pasted, not typed: their spelling is not corrected. */
const maxTyped = 400

/** A question before anything was looked up for it. */
export interface Asked {
  /** With its corrections in place. */
  readonly text: string
  readonly corrections: readonly Correction[]
  /** Its terms, as many as are looked up. */
  readonly terms: readonly string[]
  /** Words in quotation marks, in lower case. */
  readonly phrases: readonly string[]
  /** Of its terms, where they were looked up to read it. */
  readonly statistics?: TermStatistics | undefined
}

export interface Question extends Omit<Asked, 'terms'> {
  readonly terms: readonly QueryTerm[]
  readonly statistics: TermStatistics
  /** Terms of the names in it: words with a capital inside a sentence, or inside a word. */
  readonly names: readonly string[]
}

const termsOf = (text: string): string[] => toQueryTerms(text).slice(0, maxTerms)

/** Quoted phrases of more than one word. */
const phrasesOf = (text: string): string[] =>
  [...text.matchAll(/["“«`]([^"”»`]{3,80})["”»`]/g)].flatMap(
    ([, inside = '']) => inside.trim().toLowerCase() || [],
  )

/** Months and weekdays are capitalised as well, but count as times. */
const isTimeTerm = (term: string): boolean => {
  timeTerms ??= new Set([...monthForms, ...weekdayForms].flat().flatMap(toTerms))
  return timeTerms.has(term)
}
let timeTerms: ReadonlySet<string> | undefined

/** Capitalised words that do not begin a sentence. */
const capitals = /(?<=[^\s.?!:;"“(]\s{1,3})\p{Lu}\p{L}{2,}/gu

/** Names in a question, as terms that are not codes. */
function namesOf(text: string, identifiers: readonly QueryTerm[]): string[] {
  const written = (text.match(capitals) ?? []).flatMap((word) => toTerms(word).slice(0, 1))
  const named = identifiers.flatMap(({ identifier, term }) => (identifier ? [term] : []))
  return [...new Set([...written, ...named])].filter(
    (term) => /^[a-z]+$/.test(term) && !isStopTerm(term) && !isTimeTerm(term),
  )
}

/** A memory's own spelling of a term. */
async function spell({ store, project, now }: SearchContext, term: string): Promise<string | undefined> {
  const query = { terms: [term], matches: 1, among: { now: now() }, texts: true }
  const { memories } = await store.index.candidates(project, query)
  const [memory] = memories.values()
  return splitWords(memory?.text ?? '')
    .find((word) => toTerms(word).includes(term))
    ?.toLowerCase()
}

/** The words of a project's memories and of the vocabulary of `pieces`. */
function knownWords(context: SearchContext, pieces: BuiltinModel, words: WordList): KnownWords {
  const { store, project } = context
  return {
    frequencies: async (terms) => (await store.index.termStatistics(project, terms)).frequency,
    termsFrom: (prefix) => store.index.termsFrom(project, prefix),
    spelling: (term) => spell(context, term),
    isWord: (word) => {
      if (words.has(word)) return true
      const ids = pieces.tokenise(word)
      return ids.length === 1 && ids[0] !== pieces.vocabulary.unknown
    },
  }
}

/**
 * Interprets a question with the words of a project's memories and the vocabulary of `pieces`. The lookups only
 * determine how words are read; whatever is scored comes with the candidates.
 */
export async function readQuestion(
  context: SearchContext,
  query: string,
  pieces: BuiltinModel | undefined,
): Promise<Asked> {
  const unread = { text: query, corrections: [], terms: termsOf(query), phrases: phrasesOf(query) }
  if (pieces === undefined || query.length > maxTyped) return unread
  const statistics = await context.store.index.termStatistics(context.project, unread.terms)
  const { documents, frequency } = statistics
  // Most questions hold no word that is strange to all memories.
  const strange = toTerms(query).some((term) => !frequency.has(term) && !isStopTerm(term))
  if (documents === 0 || !strange) return { ...unread, statistics }
  const [{ applyCorrections, findCorrections }, { readWordList }] = await Promise.all([
    import('./typos.ts'),
    import('./word-list.ts'),
  ])
  const known = knownWords(context, pieces, readWordList(join(builtinDirectory(), '..')))
  const corrections = await findCorrections(query, known)
  if (corrections.length === 0) return { ...unread, statistics }
  const text = applyCorrections(query, corrections)
  return { ...unread, text, corrections, terms: termsOf(text) }
}

/** What is asked of a question's subject alone; its quoted phrases stay. */
export function ofSubject(asked: Asked, subject: string): Asked {
  if (subject === asked.text) return asked
  const terms = termsOf(subject)
  const known = terms.every((term) => asked.terms.includes(term))
  return { ...asked, text: subject, terms, statistics: known ? asked.statistics : undefined }
}

/** The question with the term statistics of a project's memories. */
export function weighQuestion(asked: Asked, statistics: TermStatistics): Question {
  const identifiers = new Set(toIdentifiers(asked.text))
  const terms = asked.terms.map((term) => ({
    term,
    idf: inverseDocumentFrequency(statistics.documents, statistics.frequency.get(term) ?? 0),
    identifier: identifiers.has(term),
  }))
  return { ...asked, terms, statistics, names: namesOf(asked.text, terms) }
}
