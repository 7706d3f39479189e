/**
 * Text to the terms that keyword search compares. Knows words, identifiers and scripts without spaces;
 * refuses to know how terms are stored or weighed. The same function reads notes and queries, so what is
 * written alike is found alike.
 */
import { stem } from './stem.ts'

/** Longest term kept, in UTF-16 code units; a longer run of characters is cut. */
const maxTermLength = 96

export const stopWords = new Set(
  `a about above after again against all also am an and any are arent as at be because been before being below
  between both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each few for
  from further had hadnt has hasnt have havent having he her here hers herself him himself his how i id if ill im
  in into is isnt it its itself ive just lets me more most my myself no nor not now of off on once only or other
  ought our ours ourselves out over own same shall she should shouldnt so some such than that thats the their
  theirs them themselves then there theres these they theyre this those through to too under until up us very was
  wasnt we were werent what whats when where which while who whom why will with wont would wouldnt you your yours
  yourself yourselves`.split(/\s+/),
)

/** Their stems that are no stop words themselves: written out, since making them would cost every recall. */
export const stopStems = new Set(
  `abov ani ar becaus befor doe dure ha hi iv let onc onli ourselv thei themselv theyr thi veri wa yourselv`.split(
    /\s+/,
  ),
)

/** What words are made of: in any script, or in ASCII alone, where the same rules cost a tenth. */
interface Alphabet {
  /** Words joined by the punctuation that identifiers, versions, paths, URLs and addresses are written with. */
  readonly chunk: RegExp
  /** Where one word of an identifier ends: punctuation, a lower-to-upper step, or the last capital of an acronym. */
  readonly seams: RegExp
  readonly letter: RegExp
  readonly digit: RegExp
  /** A lower-to-upper step. */
  readonly step: RegExp
  /** Capitals alone, as constants and error codes are written. */
  readonly shouted: RegExp
  /** Inside a word. */
  readonly apostrophe: RegExp
}

const ascii: Alphabet = {
  chunk: /[A-Za-z0-9_]+(?:[._/\\:@#+~-]+[A-Za-z0-9_]+)*/g,
  seams: /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/,
  letter: /[A-Za-z]/,
  digit: /[0-9]/,
  step: /[a-z][A-Z]/,
  shouted: /^[A-Z][A-Z0-9_]{3,}$/,
  apostrophe: /(?<=[A-Za-z])'(?=[A-Za-z])/g,
}

const createUnicode = (): Alphabet => ({
  chunk: /[\p{L}\p{N}\p{M}_]+(?:[._/\\:@#+~-]+[\p{L}\p{N}\p{M}_]+)*/gu,
  seams: /[^\p{L}\p{N}\p{M}]+|(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u,
  letter: /\p{L}/u,
  digit: /\p{N}/u,
  step: /\p{Ll}\p{Lu}/u,
  shouted: /^\p{Lu}[\p{Lu}\p{N}_]{3,}$/u,
  apostrophe: /(?<=\p{L})['’](?=\p{L})/gu,
})

let unicode: Alphabet | undefined

/** Made when the first text asks for it: its character classes are large. */
function unicodeAlphabet(): Alphabet {
  unicode ??= createUnicode()
  return unicode
}

const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)

const alphabetOf = (text: string): Alphabet => (isAscii(text) ? ascii : unicodeAlphabet())

const fold = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFD')
        .replace(/\p{M}+/gu, '')
        .normalize('NFC')
        .toLowerCase()

const cut = (term: string): string =>
  term.length > maxTermLength ? term.slice(0, maxTermLength).toWellFormed() : term

/**
 * Characters and overlapping pairs of a run of Chinese, Japanese or Korean, where no space marks a word: any
 * substring of the run, down to one character, is then found.
 */
function grams(run: string): string[] {
  const characters = [...run]
  return [...characters, ...characters.slice(1).map((character, at) => `${characters[at]}${character}`)]
}

/** The words of a text with what joins them. */
function chunksOf(text: string): string[] {
  const { apostrophe } = alphabetOf(text)
  const normal = text.normalize('NFKC').replace(apostrophe, '')
  // What was none may be ASCII once it is normal.
  return normal.match(alphabetOf(normal).chunk) ?? []
}

function looksLikeIdentifier(chunk: string): boolean {
  const { letter, digit, step } = alphabetOf(chunk)
  return /[._/\\:@#+~]/.test(chunk) || (digit.test(chunk) && letter.test(chunk)) || step.test(chunk)
}

/** The whole spellings under which an identifier can be asked for: itself, and each step of a path. */
function spellings(chunk: string): string[] {
  const steps = chunk
    .split(/[/\\]+/)
    .filter((step) => step !== chunk && step.length > 1 && looksLikeIdentifier(step))
  return [...new Set([chunk, ...steps].map((spelling) => cut(fold(spelling))))]
}

function wordTerms(chunk: string): string[] {
  const terms: string[] = []
  for (const part of chunk.split(alphabetOf(chunk).seams)) {
    if (isAscii(part)) {
      terms.push(cut(stem(fold(part))))
      continue
    }
    let at = 0
    for (const run of part.matchAll(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+/gu,
    )) {
      if (run.index > at) terms.push(cut(stem(fold(part.slice(at, run.index)))))
      terms.push(...grams(fold(run[0])))
      at = run.index + run[0].length
    }
    if (at < part.length) terms.push(cut(stem(fold(part.slice(at)))))
  }
  return terms.filter((term) => term !== '')
}

/**
 * All terms of a text in reading order, repeats included: stemmed words, characters and pairs of unspaced
 * scripts, and whole identifiers beside their parts. No term holds a space or a quote.
 */
export function toTerms(text: string): string[] {
  const terms: string[] = []
  for (const chunk of chunksOf(text)) {
    const words = wordTerms(chunk)
    terms.push(...words)
    // A hyphenated word is asked for whole, too.
    if (looksLikeIdentifier(chunk) || chunk.includes('-')) {
      for (const spelling of spellings(chunk)) if (!words.includes(spelling)) terms.push(spelling)
    }
  }
  return terms
}

/** Whether a term says nothing of what a text is about: a stop word or the stem of one. */
export const isStopTerm = (term: string): boolean => stopWords.has(term) || stopStems.has(term)

/** Distinct terms of a query without stop words; with them when nothing else remains. */
export function toQueryTerms(query: string): string[] {
  const all = [...new Set(toTerms(query))]
  const telling = all.filter((term) => !isStopTerm(term))
  return telling.length > 0 ? telling : all
}

/**
 * The identifiers a query names, as terms: versions, error codes, snake_case, paths. A note that holds one of
 * them is what was asked for, however alike another one reads.
 */
export function toIdentifiers(query: string): string[] {
  const found = new Set<string>()
  for (const chunk of chunksOf(query)) {
    const shouted = alphabetOf(chunk).shouted.test(chunk)
    if (shouted && !looksLikeIdentifier(chunk)) found.add(cut(stem(fold(chunk))))
    else if (looksLikeIdentifier(chunk) || chunk.includes('_')) found.add(cut(fold(chunk)))
  }
  return [...found]
}
