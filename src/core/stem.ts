/**
 * English suffix stripping (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980). Handles
 * lower-case ASCII words only: anything else is returned unchanged.
 */
import { addTo } from './lists.ts'

const vowelAt = (word: string, at: number): boolean => {
  const letter = word[at] ?? ''
  return 'aeiou'.includes(letter) || (letter === 'y' && at > 0 && !vowelAt(word, at - 1))
}

/** Number of vowel-consonant sequences, Porter's m. */
function measure(stem: string): number {
  let count = 0
  for (let at = 1; at < stem.length; at += 1) if (vowelAt(stem, at - 1) && !vowelAt(stem, at)) count += 1
  return count
}

function hasVowel(stem: string): boolean {
  for (let at = 0; at < stem.length; at += 1) if (vowelAt(stem, at)) return true
  return false
}

const endsDouble = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && !vowelAt(word, word.length - 1)

/** Ends in consonant, vowel, consonant, the last not w, x or y: Porter's *o. */
const endsShort = (word: string): boolean => {
  const last = word.length - 1
  return (
    last >= 2 &&
    !vowelAt(word, last) &&
    vowelAt(word, last - 1) &&
    !vowelAt(word, last - 2) &&
    !'wxy'.includes(word.charAt(last))
  )
}

type Suffix = readonly [suffix: string, replacement: string]

/** Suffixes by their last letter, in order: for most words none has to be tried. */
type Suffixes = ReadonlyMap<string, readonly Suffix[]>

function byLastLetter(suffixes: readonly Suffix[]): Suffixes {
  const groups = new Map<string, Suffix[]>()
  for (const suffix of suffixes) addTo(groups, suffix[0].slice(-1), suffix)
  return groups
}

const fitting = (word: string, suffixes: Suffixes): Suffix | undefined =>
  suffixes.get(word.slice(-1))?.find(([suffix]) => word.endsWith(suffix))

/** Replaces the first suffix that fits when the stem before it has a measure above `above`. */
function replaceSuffix(word: string, suffixes: Suffixes, above: number): string {
  const found = fitting(word, suffixes)
  if (found === undefined) return word
  const [suffix, replacement] = found
  const stem = word.slice(0, -suffix.length)
  return measure(stem) > above ? stem + replacement : word
}

const step2 = byLastLetter([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
])

const step3 = byLastLetter([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
])

const step4 = byLastLetter(
  'ement ment ance ence able ible ant ent ism ate iti ous ive ize al er ic ou'
    .split(' ')
    .map((suffix) => [suffix, '']),
)

function dropPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function dropPast(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const stem = word.slice(0, word.length - suffix)
  if (suffix === 0 || !hasVowel(stem)) return word
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`
  if (endsDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

function dropResidual(word: string): string {
  if (/[st]ion$/.test(word)) return measure(word.slice(0, -3)) > 1 ? word.slice(0, -3) : word
  return replaceSuffix(word, step4, 1)
}

function tidy(word: string): string {
  let tidied = word
  if (tidied.endsWith('e')) {
    const stem = tidied.slice(0, -1)
    if (measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem))) tidied = stem
  }
  return tidied.endsWith('ll') && measure(tidied.slice(0, -1)) > 1 ? tidied.slice(0, -1) : tidied
}

/** The stem of a lower-case word; words of other alphabets, with digits, or of two letters stay whole. */
export function stem(word: string): string {
  if (word.length <= 2 || !/^[a-z]+$/.test(word)) return word
  let stemmed = dropPast(dropPlural(word))
  if (stemmed.endsWith('y') && hasVowel(stemmed.slice(0, -1))) stemmed = `${stemmed.slice(0, -1)}i`
  stemmed = replaceSuffix(stemmed, step2, 0)
  stemmed = replaceSuffix(stemmed, step3, 0)
  return tidy(dropResidual(stemmed))
}
