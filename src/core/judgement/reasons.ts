/**
 * The reasons for and against a warning, in words. Knows the parts of the table by name, and of their numbers only the
 * order.
 */
import type { Contribution } from './judgement.ts'

type Phrase = (words: string) => string
type Part = Contribution['part']

const quoted = (words: string): string => (words === '' ? '' : ` ("${words}")`)

/** Phrases about the plan for the parts that raise the log odds; a part without one is not mentioned. */
const speaksFor: Readonly<Partial<Record<Part, Phrase>>> = {
  reader: () => 'the plan reads like what is warned of',
  sameText: () => 'it is in the words of the warning',
  within: () => 'every word of it is in the warning',
  quoted: (words) => `the warning names it${quoted(words)}`,
  live: (words) => `it reaches what is in use${quoted(words)}`,
  careless: (words) => `it takes a short cut${quoted(words)}`,
  harmfulCommand: (words) => `the command destroys, overwrites or exposes${quoted(words)}`,
  pushed: (words) => `it pushes there${quoted(words)}`,
  destroyed: (words) => `it takes all of it away${quoted(words)}`,
  badTime: () => 'it falls into the time that the warning names',
  beyond: (words) => `it goes beyond the bound that the warning sets${quoted(words)}`,
}

const speaksAgainst: Readonly<Partial<Record<Part, Phrase>>> = {
  reader: () => 'the plan reads like something else',
  advised: (words) => `it does what the warning recommends${quoted(words)}`,
  safer: (words) => `it takes what the warning asks for${quoted(words)}`,
  prevents: (words) => `it prevents or undoes${quoted(words)}`,
  keepsDuty: () => 'it does what must not be left undone',
  looks: (words) => `it only looks or tells${quoted(words)}`,
  gentler: () => 'what it does is gentler than what is warned of',
  safely: (words) => `it stays where little can break${quoted(words)}`,
  harmlessCommand: (words) => `the command changes nothing${quoted(words)}`,
  unforced: (words) => `it forces nothing${quoted(words)}`,
  unpushed: (words) => `it pushes nothing there${quoted(words)}`,
  far: () => 'little in it is near to the warning',
  behind: () => 'the words of another warning are nearer to it',
  exempted: () => 'it was said of a plan like it that this flag does not apply',
  remedies: (words) => `it does what had to be done afterwards${quoted(words)}`,
  refuses: () => 'it leaves alone what is warned of',
  placeAlone: (words) => `only where it is done is the warning's${quoted(words)}`,
  vague: () => 'it says too little to tell',
  goodTime: () => 'it keeps to a time that the warning leaves free',
  inBounds: (words) => `it keeps within the bound that the warning sets${quoted(words)}`,
}

/** Log odds below which a part is not worth a word. */
const weakest = 0.3
const maxPhrases = 2

function phrasesOf(
  contributions: readonly Contribution[],
  table: Readonly<Partial<Record<Part, Phrase>>>,
): string[] {
  const phrases: string[] = []
  for (const { part, words } of contributions) {
    const phrase = table[part]
    if (phrase && phrases.length < maxPhrases) phrases.push(phrase(words))
  }
  return phrases
}

/** Clauses that can follow "because" and "although", strongest first, two of each at most. */
export function reasonsOf(contributions: readonly Contribution[]): { for: string[]; against: string[] } {
  return {
    for: phrasesOf(
      contributions.filter(({ amount }) => amount >= weakest),
      speaksFor,
    ),
    against: phrasesOf(
      contributions.filter(({ amount }) => amount <= -weakest),
      speaksAgainst,
    ),
  }
}
