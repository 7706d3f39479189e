/**
 * Whether a note asks what a question asks and does not tell: "kiosk 14 signs in as guest, nobody knows why". It is nearer to the
 * question than the note that answers it. Knows English; reports only what is plain. Patterns are compiled for a note that may
 * be one, since they take a command milliseconds.
 */
import { betweenSentences } from '../core/matters.ts'
import { sharedWords } from '../core/sameness.ts'

/** What may be asked for, with the words that ask for it. */
const askingWords = {
  why: ['why', 'reason', 'cause', 'causes', 'caused'],
  who: ['who', 'whose', 'whom'],
  what: ['what'],
  which: ['which'],
  where: ['where'],
  when: ['when'],
  how: ['how'],
} as const
type Asked = keyof typeof askingWords
const askedBy = new Map<string, Asked>(
  Object.entries(askingWords).flatMap(([asked, words]) => words.map((word) => [word, asked as Asked])),
)

const verbs: ReadonlySet<string> = new Set(
  'is are was were do does did has have had can could should will'.split(' '),
)
const leading: ReadonlySet<string> = new Set('and so then by since until from for on at in'.split(' '))

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean)

const askedIn = (words: readonly string[]): Asked[] => words.flatMap((word) => askedBy.get(word) ?? [])

/** What a text asks for by its first words: a thing, yes or no ("verb"), or nothing. */
function openingOf(words: readonly string[]): Asked | 'verb' | undefined {
  const [first = '', second = ''] = words
  const word = leading.has(first) ? second : first
  return verbs.has(word) ? 'verb' : askedBy.get(word)
}

/**
 * What a note without a question mark says that leaves something open: a word of the first and one of the second, or
 * one of the third.
 */
const denying = ['no ', 'not', "n't", 'nobody', 'none of', 'neither', 'unknown', 'unclear', 'unexplained']
const knowing = ['know', 'idea', 'clue', 'clear', 'expla', 'underst', 'see', 'say', 'tell', 'find out']
const puzzling = ['mystery', 'riddle', 'puzzle']
function mayLeaveOpen(note: string): boolean {
  const lower = note.toLowerCase()
  const has = (word: string): boolean => lower.includes(word)
  return has('?') || puzzling.some(has) || (denying.some(has) && knowing.some(has))
}

/** A clause that says that something is not known, up to what that is. */
const unknown =
  /\b(?:no (?:\w+ )?(?:idea|explanation|clue)|not (?:yet )?(?:known|clear|understood|explained)|(?:is|are|was|still|remains?) (?:unknown|unclear|unexplained)|(?:do|does|did|could|can)(?: not|n't) (?:yet )?(?:know|understand|see|say|tell|explain|find out)|cannot (?:say|tell|explain|see)|(?:nobody|no one|none of \w+|neither)\b[^.;!?]{0,40}?\b(?:knows?|knew|idea|say|tell|explain|explanation)|a (?:mystery|riddle|puzzle))\b(?<rest>[^.;!?]*)/i
/** What follows where it is said of what came before: "No idea.", "Nobody could explain it." */
const nothingMore = /^\W*(?:it|that|this|yet|so far)?\W*$/i
const endsAsQuestion = /\?\W*$/
const clauseEnd = /[:;,.] /
/** Share of words in common from which a question that is answered by yes or no is the same. */
const sameQuestion = 0.5
/** Sentences behind the nearest one in which what it tells may be asked about. */
const reach = 2

/** What a sentence leaves open: the things it asks for, none where it asks nothing. */
function leftOpen(sentence: string): readonly Asked[] {
  const { rest } = unknown.exec(sentence)?.groups ?? {}
  if (rest !== undefined) return nothingMore.test(rest) ? ['why', 'what', 'who'] : askedIn(wordsOf(rest))
  if (!endsAsQuestion.test(sentence)) return []
  const asking = sentence.split(clauseEnd).map(wordsOf)
  return askedIn(asking.find((words) => openingOf(words) !== undefined) ?? [])
}

const asksYesOrNo = (sentence: string): boolean =>
  endsAsQuestion.test(sentence) &&
  sentence.split(clauseEnd).some((clause) => openingOf(wordsOf(clause)) === 'verb')

/** Finds whether notes leave open what a question asks for; undefined where it asks nothing. */
export function createOpenReading(question: string): ((note: string) => boolean) | undefined {
  const words = wordsOf(question)
  const opening = openingOf(words)
  if (opening === undefined) return undefined
  const wanted = askedIn(words)
  return (note) => {
    if (!mayLeaveOpen(note)) return false
    const sentences = note.split(betweenSentences)
    const shares = sentences.map((sentence) => sharedWords(question, sentence))
    const most = Math.max(...shares)
    const nearest = shares.indexOf(most)
    if (opening === 'verb') return most >= sameQuestion && asksYesOrNo(sentences[nearest] ?? '')
    return sentences
      .slice(nearest, nearest + reach + 1)
      .some((sentence) => leftOpen(sentence).some((one) => wanted.includes(one)))
  }
}
