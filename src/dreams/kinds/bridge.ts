/**
 * Bridges: two notes from different days joined by one rare thing: a name that goes with a responsibility in both, or
 * an identifier that occurs nowhere else. Ordinary words are no bridge, and neither are near-duplicates.
 */
import { asks, sentencesOf, tellsSound, troubleOf } from '../reading/cues.ts'
import { dutyStems, goingStems } from '../reading/lexicon.ts'
import {
  authorTerms,
  dayOf,
  freshness,
  hasOneAuthor,
  isAtLeast,
  isTelling,
  type Night,
  noteAt,
  sameBearer,
  surfaceIn,
  termSet,
} from '../reading/material.ts'
import type { Pair } from '../reading/pairs.ts'
import { tokensOf } from '../reading/reading.ts'
import { rolesAt } from '../reading/roles.ts'
import { capitalise, choose, quote, tellTwo } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** Overlap from which two notes say nearly the same. */
const sameOverlap = 0.7
/** Maximum number of notes that may contain the joining term. */
const rareUpTo = 4

/** Whether a term can carry a bridge by itself or with a little help. */
function carries(night: Night, term: number): boolean {
  const { concordance } = night
  const cap = Math.max(2, Math.min(rareUpTo, Math.ceil(concordance.notes.length * 0.1)))
  return isTelling(night, term) && concordance.placesOf(term).length <= cap && !concordance.endsInEd(term)
}

/** Whether a sentence of a note that has a term has any of some stems. */
const saysOf = (night: Night, position: number, term: number, stems: ReadonlySet<string>): boolean =>
  sentencesOf(noteAt(night, position).text).some((sentence) => {
    const terms = tokensOf(sentence).map((token) => token.term)
    return terms.includes(night.concordance.termAt(term)) && terms.some((one) => stems.has(one))
  })

/** Whether a text names others of the same numbering: whose trouble it tells is open. */
function namesOthers(text: string, link: string): boolean {
  const numbering = /^\D+(?=\d)/.exec(link)?.[0]
  return (
    numbering !== undefined &&
    text
      .split(numbering)
      .slice(1)
      .filter((rest) => /^\d/.test(rest)).length > 1
  )
}

/** The probability from which a note is read as trouble. */
const troubleFrom = 0.5

interface Joint {
  readonly pair: Pair
  /** What joins them, as written. */
  readonly link: string
  readonly terms: ReadonlySet<string>
  readonly signal: number
  readonly why: string
}

/** One rare thing and nothing else: words alone join two notes of any diary. */
function jointOf(night: Night, pair: Pair): Joint | undefined {
  const { concordance } = night
  const carrying = pair.shared.filter((term) => carries(night, term))
  const first = carrying[0]
  if (first === undefined) return undefined
  const link = surfaceIn(night, pair.later, first)
  const terms = termSet(night, [first])
  const { earlier, later } = pair
  const authors = authorTerms(night)
  // One author, who knows both notes, is told of what is read as trouble, and not of what only sounds like it or of people.
  const isRead = night.input.reader !== undefined && hasOneAuthor(night)
  const name = carrying.find(
    (term) =>
      concordance.mayBeName(term) &&
      !concordance.isIdentifier(term) &&
      !authors.has(concordance.spellingOf(term)),
  )
  if (
    name !== undefined &&
    !isRead &&
    ((saysOf(night, earlier, name, dutyStems) && saysOf(night, later, name, goingStems)) ||
      (saysOf(night, earlier, name, goingStems) && saysOf(night, later, name, dutyStems))) &&
    sameBearer(night, surfaceIn(night, pair.later, name), [pair.earlier, pair.later])
  ) {
    return {
      pair,
      link: surfaceIn(night, pair.later, name),
      terms: termSet(night, [name]),
      signal: 0.66,
      why: 'a name with a duty in the one that goes away in the other',
    }
  }
  const elsewhere = !isAtLeast(night, pair.similarity, 'close')
  const onlyHere = concordance.placesOf(first).length === 2
  const trouble = troubleOf(noteAt(night, pair.later).text)
  const before = troubleOf(noteAt(night, pair.earlier).text) ?? asks(noteAt(night, pair.earlier).text)
  const grave =
    (trouble === 'outage' || trouble === 'fault') &&
    !before &&
    !tellsSound.test(noteAt(night, pair.later).text) &&
    !namesOthers(noteAt(night, pair.later).text, link)
  // "MacBook" is a product, as "KERB-2241" is no other thing.
  if (!concordance.isIdentifier(first) || !/[^A-Za-z]/.test(link) || !onlyHere || !elsewhere || !grave)
    return undefined
  if (isRead && rolesAt(night, pair.later).trouble < troubleFrom) return undefined
  return {
    pair,
    link,
    terms,
    signal: 0.56,
    why: 'an identifier that stands in these two notes alone, the later one of trouble',
  }
}

const tooClose = (night: Night, pair: Pair): boolean =>
  pair.overlap >= sameOverlap ||
  isAtLeast(night, pair.similarity, 'same') ||
  dayOf(night, pair.earlier) === dayOf(night, pair.later)

function word(night: Night, joint: Joint): string {
  const { pair, terms } = joint
  const link = `“${joint.link}”`
  const [earlier, later] = [noteAt(night, pair.earlier), noteAt(night, pair.later)]
  const [on, then] = tellTwo(earlier.at, later.at, night.telling)
  const [first, second] = [quote(earlier.text, terms, 150), quote(later.text, terms, 150)]
  return choose(
    [
      `Read these two together, for both name ${link}: ${first} (${on}) and ${second} (${then}). Whoever has the one in mind may not think of the other: \`brain recall ${joint.link}\` shows what else there is.`,
      `${capitalise(on)} you noted ${first}. ${capitalise(then)}, ${link} came up again: ${second}. Whoever has the one in mind may not think of the other.`,
    ],
    night.telling,
    [earlier.id, later.id],
  )
}

/** Bridges among the pairs, in no particular order. */
export function* bridges(night: Night): Generator<undefined, Thought[]> {
  const found: Thought[] = []
  for (const [at, pair] of night.pairs.entries()) {
    if (at % 500 === 0) yield
    if (tooClose(night, pair)) continue
    const joint = jointOf(night, pair)
    if (joint === undefined) continue
    found.push({
      kind: 'bridge',
      signal: joint.signal * freshness(night, noteAt(night, pair.later).at),
      sourceMemoryIds: [noteAt(night, pair.earlier).id, noteAt(night, pair.later).id],
      thought: word(night, joint),
      reasons: [joint.why],
    })
  }
  return found
}
