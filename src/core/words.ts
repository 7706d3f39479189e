/**
 * Splits text into the terms that keyword search compares. Knows words, identifiers and scripts without spaces, not
 * how terms are stored or weighted. Notes and queries go through the same function, so that what is written alike is
 * found alike.
 */
import { stem } from './stem.ts'

/** Longest term, in UTF-16 code units; longer runs of characters are cut. */
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

/** Their stems that are not stop words themselves: written out, since computing them would slow down every recall. */
export const stopStems = new Set(
  `abov ani ar becaus befor doe dure ha hi iv let onc onli ourselv thei themselv theyr thi veri wa yourselv`.split(
    /\s+/,
  ),
)

/** Word characters: in any script, or in ASCII only, where the same rules cost a tenth. */
interface Alphabet {
  /** URLs, and words joined by the punctuation that versions, paths, names in code and addresses are written with. */
  readonly chunk: RegExp
  /** Names that their signs make: `--force`, `-x`, `.env`, `#12`, `C++`. */
  readonly signed: RegExp
  /** Boundaries of words inside an identifier: punctuation, a lower-to-upper step, or the last capital of an acronym. */
  readonly seams: RegExp
  readonly letter: RegExp
  readonly digit: RegExp
  /** A lower-to-upper step. */
  readonly step: RegExp
  /** Capitals alone, as constants and error codes are written. */
  readonly shouted: RegExp
  /** Inside a word. */
  readonly apostrophe: RegExp
  /** Separators of words that are compared piece by piece. */
  readonly gap: RegExp
}

const ascii: Alphabet = {
  chunk:
    /[A-Za-z][A-Za-z0-9]*:\/\/[A-Za-z0-9_./:@#+~?=&%,;$-]*[A-Za-z0-9_]|[A-Za-z0-9_]+(?:[._/\\:@#+~-]+[A-Za-z0-9_]+)*/g,
  signed:
    /(?<![A-Za-z0-9_.-])(?:--?|\.)[A-Za-z][A-Za-z0-9_-]*|(?<![A-Za-z0-9_])(?:#[0-9]+|[A-Za-z]{1,2}(?:\+\+|#))(?![A-Za-z0-9_])/g,
  seams: /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/,
  letter: /[A-Za-z]/,
  digit: /[0-9]/,
  step: /[a-z][A-Z]/,
  shouted: /^[A-Z][A-Z0-9_]{3,}$/,
  apostrophe: /(?<=[A-Za-z])'(?=[A-Za-z])/g,
  gap: /[\s!"#%&'()*,\-./:;?@[\\\]_{}]+/,
}

const createUnicode = () => ({
  chunk:
    /\p{L}[\p{L}\p{N}]*:\/\/[\p{L}\p{N}\p{M}_./:@#+~?=&%,;$-]*[\p{L}\p{N}\p{M}_]|[\p{L}\p{N}\p{M}_]+(?:[._/\\:@#+~-]+[\p{L}\p{N}\p{M}_]+)*/gu,
  signed:
    /(?<![\p{L}\p{N}\p{M}_.-])(?:--?|\.)\p{L}[\p{L}\p{N}\p{M}_-]*|(?<![\p{L}\p{N}\p{M}_])(?:#\p{N}+|\p{L}{1,2}(?:\+\+|#))(?![\p{L}\p{N}\p{M}_])/gu,
  seams: /[^\p{L}\p{N}\p{M}]+|(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u,
  letter: /\p{L}/u,
  digit: /\p{N}/u,
  step: /\p{Ll}\p{Lu}/u,
  shouted: /^\p{Lu}[\p{Lu}\p{N}_]{3,}$/u,
  apostrophe: /(?<=\p{L})['’](?=\p{L})/gu,
  gap: /[\s\p{P}]+/u,
  /** Scripts without spaces. */
  unspaced: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+/gu,
})

let unicode: (Alphabet & { readonly unspaced: RegExp }) | undefined

/** Created for the first text that needs it: its character classes are large. */
function unicodeAlphabet() {
  unicode ??= createUnicode()
  return unicode
}

export const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text)

const alphabetOf = (text: string): Alphabet => (isAscii(text) ? ascii : unicodeAlphabet())

const fold = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFD')
        // All marks but those that make another letter of a kana: ロク is not ログ.
        .replace(/[^\P{M}\u3099\u309a]+/gu, '')
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

/**
 * Maximum length of a normalised text in UTF-16 code units, above that of any text that may be kept. One character may
 * become eighteen, and a text of those would take as long as eighteen texts.
 */
const maxNormal = 81_920

/** Normalisation can turn other text into ASCII. */
function normalise(text: string): string {
  const normal = text.normalize('NFKC')
  const bounded = normal.length > maxNormal ? normal.slice(0, maxNormal).toWellFormed() : normal
  return bounded.replace(alphabetOf(text).apostrophe, '')
}

/** Splits a chunk into runs of unspaced scripts and the rest: such text has no spaces between words. */
function runsOf(chunk: string): string[] {
  if (isAscii(chunk)) return [chunk]
  const runs: string[] = []
  let at = 0
  for (const run of chunk.matchAll(unicodeAlphabet().unspaced)) {
    runs.push(...(chunk.slice(at, run.index).match(alphabetOf(chunk).chunk) ?? []), run[0])
    at = run.index + run[0].length
  }
  runs.push(...(chunk.slice(at).match(alphabetOf(chunk).chunk) ?? []))
  return runs
}

const isUnspaced = (run: string): boolean =>
  !isAscii(run) && run.replace(unicodeAlphabet().unspaced, '') === ''

function looksLikeIdentifier(chunk: string): boolean {
  const { letter, digit, step } = alphabetOf(chunk)
  return /[._/\\:@#+~?=&%]/.test(chunk) || (digit.test(chunk) && letter.test(chunk)) || step.test(chunk)
}

/** An identifier as a term: both slashes are equivalent, and so are the separators of a URL's parameters. */
const toTerm = (spelling: string): string =>
  cut(
    fold(spelling)
      .replaceAll('\\', '/')
      .replaceAll(/[?=&%,;$]/g, '~'),
  )

/** A version is the same with and without its letter. */
const withoutLetter = (chunk: string): string[] => (/^v[0-9]+\./i.test(chunk) ? [chunk.slice(1)] : [])

/** Steps of a path by which it can be begun or ended: whatever has more is no path, and all of it would take minutes. */
const maxSteps = 32

/** All spellings by which an identifier can be found: itself, beginnings and ends of a path, parts of an address. */
function spellings(chunk: string): string[] {
  const slashes = [...chunk.matchAll(/[/\\]+/g)]
  const starts = slashes.slice(1, maxSteps).map(({ index }) => chunk.slice(0, index))
  const ends = slashes.slice(-maxSteps).map(({ 0: slash, index }) => chunk.slice(index + slash.length))
  const parts = chunk.split(/[/\\@:?=&]+/)
  const within = [...starts, ...ends, ...parts].filter((part) => part.length > 1 && looksLikeIdentifier(part))
  const all = [chunk, ...within].flatMap((spelling) => [spelling, ...withoutLetter(spelling)])
  return [...new Set(all.map(toTerm))]
}

/** Letters of which only the first may be a capital: most words of any text, each a single term. */
const plainWord = /^[A-Za-z][a-z]*$/

const wordTerms = (chunk: string): string[] =>
  runsOf(chunk)
    .flatMap((run) =>
      isUnspaced(run)
        ? grams(fold(run))
        : run.split(alphabetOf(run).seams).map((part) => cut(stem(fold(part)))),
    )
    .filter((term) => term !== '')

/** Letters and digits only: it contains no separator of a path or an address. */
const simple = /^[A-Za-z0-9]+$/

/** The terms of a chunk: its words, and the spellings of an identifier that are not among them. */
function chunkTerms(chunk: string): string[] {
  if (plainWord.test(chunk)) return [cut(stem(chunk.toLowerCase()))]
  const words = wordTerms(chunk)
  if (simple.test(chunk)) {
    const whole = cut(chunk.toLowerCase())
    return !looksLikeIdentifier(chunk) || words.includes(whole) ? words : [...words, whole]
  }
  const whole = new Set(
    [chunk, ...(isAscii(chunk) ? [] : runsOf(chunk))]
      // A hyphenated word is asked for whole, too.
      .filter((part) => looksLikeIdentifier(part) || part.includes('-'))
      .flatMap(spellings),
  )
  for (const word of words) whole.delete(word)
  return [...words, ...whole]
}

/**
 * All terms of a text, repeats included: stemmed words, characters and pairs of unspaced scripts, and whole
 * identifiers beside their parts. No term holds a space or a quote.
 */
export function toTerms(text: string): string[] {
  const normal = normalise(text)
  const { chunk: chunks, signed } = alphabetOf(normal)
  const terms: string[] = []
  // Texts say most words again, and some are nothing but one.
  const known = new Map<string, readonly string[]>()
  for (const chunk of normal.match(chunks) ?? []) {
    let found = known.get(chunk)
    if (found === undefined) {
      found = chunkTerms(chunk)
      known.set(chunk, found)
    }
    // Not spread: a chunk may have more words than a call can have arguments.
    for (const term of found) terms.push(term)
  }
  for (const sign of normal.match(signed) ?? []) terms.push(cut(fold(sign)))
  return terms
}

/**
 * The terms that a topic is weighted by: each word once, and each identifier in one spelling beside its parts, since
 * the other spellings would count it several times.
 */
export function toPlainTerms(text: string): string[] {
  const normal = normalise(text)
  const terms = [...new Set(normal.match(alphabetOf(normal).chunk) ?? [])].flatMap((chunk) => [
    ...wordTerms(chunk),
    ...(looksLikeIdentifier(chunk) || chunk.includes('-') ? [toTerm(chunk)] : []),
  ])
  return [...new Set(terms)]
}

/** Whether a term says nothing about a text's subject: a stop word or the stem of one. */
export const isStopTerm = (term: string): boolean => stopWords.has(term) || stopStems.has(term)

/** The words of a text as written, without separators. */
export const splitWords = (text: string): string[] =>
  text.split(alphabetOf(text).gap).filter((word) => word !== '')

/** Distinct terms of a query without stop words; with them if nothing else remains. */
export function toQueryTerms(query: string): string[] {
  const all = [...new Set(toTerms(query))]
  const telling = all.filter((term) => !isStopTerm(term))
  return telling.length > 0 ? telling : all
}

/** Identifier-like forms that name nothing: `and/or`, `e.g`. */
const saysNothing = (chunk: string): boolean =>
  chunk.split(alphabetOf(chunk).seams).every((part) => /^\p{L}$/u.test(part) || isStopTerm(fold(part)))

/** Numbers that name something rather than count it: of three digits or more and no year, and dates. */
const isNamingNumber = (chunk: string): boolean =>
  // Most chunks hold no digit, and then these classes need not be made.
  alphabetOf(chunk).digit.test(chunk) &&
  ((/^\p{N}{3,}$/u.test(chunk) && !/^(?:19|20)\p{N}{2}$/u.test(chunk)) ||
    (/^\p{N}+(?:-\p{N}+)+$/u.test(chunk) && chunk.replaceAll('-', '').length >= 5))

/** Three words or more joined by hyphens, as packages and branches are called; `day-to-day` is none. */
const isHyphenatedName = (chunk: string): boolean => {
  const parts = chunk.split('-')
  return parts.length >= 3 && !parts.some((part) => isStopTerm(fold(part)))
}

/** Longest run of an unspaced script that counts as a word rather than a sentence. */
const longestUnspacedName = 6

function identifiersOf(chunk: string): string[] {
  if (isUnspaced(chunk)) {
    const characters = [...fold(chunk)]
    if (characters.length > longestUnspacedName) return []
    // One letter of a syllabary is an ending rather than a name.
    if (characters.length === 1) return /\p{Script=Han}/u.test(chunk) ? characters : []
    return grams(chunk).slice(characters.length)
  }
  if (looksLikeIdentifier(chunk) || chunk.includes('_')) {
    if (saysNothing(chunk)) return []
    // A file is written about without its directory, too.
    const [, file] = /^(?!.*:\/\/).*[/\\]([^/\\]+\.[^/\\]+)$/.exec(chunk) ?? []
    return [chunk, ...withoutLetter(chunk), ...(file === undefined ? [] : [file])].map(toTerm)
  }
  if (alphabetOf(chunk).shouted.test(chunk)) return [cut(stem(fold(chunk)))]
  return isNamingNumber(chunk) || isHyphenatedName(chunk) ? [toTerm(chunk)] : []
}

/**
 * Figures that count or measure: a sum, a share, a length of time, a size. Knows the names of all units, as a test
 * asks, but is no loop over them: every command loads this file, and their table is larger than is read in passing.
 */
const amount =
  /[€$£¥]\s?(\d+(?:[.,]\d+){0,6})|\b(\d+(?:[.,]\d+){0,6})\s?(?:[%€$£¥°μ]|(?:percent|(?:euro|dollar|pound|franc|crown|cent|(?:milli)?second|minute|hour|day|week|month|year|kilo|(?:milli|kilo)?(?:gram|watt|volt)|tonne|ounce|mile|(?:milli|centi|kilo|micro)?met(?:er|re)|micron|lit(?:er|re)|pint|gallon|degree|(?:micro|milli)?amp|decibel|(?:kilo|mega|giga|tera)?byte|sec|min|hr|gig|lb|time)s?|eur|usd|gbp|chf|ms(?:ec)?|[km]g|oz|stone|[ckm]m|ft|foot|feet|inch(?:es)?|[cm]l|cubic|cbm|celsius|fahrenheit|[kmgt]i?b|m3|mbit|mbps|req|rp[ms]|kwh?|m[wav]|kv|dbm?|[kmg]?hz|hertz|m?bar|hpa|ppm|people|users|guests|items|pieces|lines|rows)\b)/gi
const clockTime = /^(?:[01]?\d|2[0-3]):[0-5]\d$/

/** The words of a text that are amounts or times of day. */
const amountsIn = (text: string, chunks: Iterable<string>): Set<string> =>
  new Set([
    // To compile the pattern takes a command a millisecond.
    ...(/\d/.test(text) ? [...text.matchAll(amount)].map(([, before, after]) => before ?? after ?? '') : []),
    ...[...chunks].filter((chunk) => clockTime.test(chunk)),
  ])

/**
 * The identifiers a query names, as terms: versions, error codes, snake_case, paths, numbers, short runs of an
 * unspaced script. A note that holds one of them is what was asked for, however alike another one reads; amounts and
 * times of day are in many notes, and name none.
 */
export function toIdentifiers(query: string): string[] {
  const normal = normalise(query)
  const alphabet = alphabetOf(normal)
  const chunks = new Set(normal.match(alphabet.chunk) ?? [])
  const amounts = amountsIn(normal, chunks)
  const found = new Set<string>()
  for (const chunk of chunks) {
    if (amounts.has(chunk)) continue
    const parts = isAscii(chunk) ? [] : runsOf(chunk)
    for (const part of parts.length > 1 ? [...parts, chunk] : [chunk]) {
      for (const identifier of identifiersOf(part)) found.add(identifier)
    }
  }
  for (const sign of normal.match(alphabet.signed) ?? []) {
    found.add(cut(fold(sign)))
    // A flag is written about without its dashes, too, when that leaves more than a word.
    const bare = sign.replace(/^-+/, '')
    if (bare.includes('-') && chunks.has(bare)) found.add(toTerm(bare))
  }
  return [...found]
}
