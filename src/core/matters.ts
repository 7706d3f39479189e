/**
 * A note of several matters in parts, each a matter: whoever logs alone writes up in one note what happened since the last.
 * What one does to another note is read of it alone: beside others it is hardly heard.
 */

/**
 * What lies between two sentences: a stop inside a quote ends one, that of an initial or a title ("B. called", "Dr.
 * Li") none. It is looked for at white space alone: quotes are looked back through once, and not from each of them.
 */
export const betweenSentences =
  /(?=\s)(?<=[.!?…]["'”’)]*)(?<!(?:^|[\s("'“‘])(?:\p{Lu}|Mrs?|Ms|Dr|Prof|St|vs|ca|approx|e\.g|i\.e)\.)\s+|[\n\r]+/u

/** A note of more sentences than this is a document, about one thing. */
const maxSentences = 12
/** Words of a sentence that says nothing by itself. */
const fewWords = 5
/** What a sentence begins with that goes on with the one before it. */
const goesOn =
  /^["“(‘']?(?:it|he|she|they|that|this|these|those|so|but|and|then|which|his|her|its|their|there|both|neither|either|hence|therefore|because|also|only|not|no one|nobody|yes|no|such|same|else|otherwise|since|until|instead|still|nothing|none|one|two|three|all|each|any|some|here|fine|good|done|the (?:latter|former|other|others|rest|reason|same)|or|nor|yet|now|after that|with that|him|them)\b/i

/** A short sentence with such a word is about what was named before. */
const pointsBack = /\b(?:its?|(?<!of )them|their|that one|this one)\b/i
const shortWords = 9

const wordsOf = (text: string): number => text.split(/\s+/u).length

type IsQuestion = (sentence: string) => boolean

const endsAsQuestion: IsQuestion = (sentence) => /\?[^\w?]*$/.test(sentence)

/** Whether a sentence goes on with the one before it; what is asked is asked about that. */
const continues = (sentence: string, asks: IsQuestion): boolean =>
  goesOn.test(sentence) ||
  asks(sentence) ||
  wordsOf(sentence) < (pointsBack.test(sentence) ? shortWords : fewWords)

/**
 * The matters of a text, one after the other; a sentence that goes on with the one before it belongs to the same, and so does
 * one that `asks`.
 */
export function mattersOf(text: string, asks: IsQuestion = endsAsQuestion): string[] {
  const sentences = text.split(betweenSentences).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  if (sentences.length < 2 || sentences.length > maxSentences) return [text]
  const matters: string[] = []
  for (const sentence of sentences) {
    const last = matters.at(-1)
    if (last !== undefined && (continues(sentence, asks) || wordsOf(last) < fewWords))
      matters.push(`${matters.pop()} ${sentence.trim()}`)
    else matters.push(sentence.trim())
  }
  return matters
}
