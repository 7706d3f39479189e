/**
 * A common cause: something was changed, and then several kinds of trouble name the same rare thing. It asks whether
 * one led to the other, and claims no more.
 */
import { sentencesOf, tellsTrouble, troubleOf } from '../reading/cues.ts'
import {
  authorTerms,
  dayOf,
  freshness,
  isAtLeast,
  isCommonWord,
  isRare,
  type Night,
  noteAt,
  sharedTerms,
  surfaceIn,
} from '../reading/material.ts'
import { focusStart } from '../reading/pairs.ts'
import { isEveryday, tokensOf } from '../reading/reading.ts'
import { isLogLine } from '../reading/reports.ts'
import { rolesAt } from '../reading/roles.ts'
import { enumerate, passage, tellDay } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** Days after a change beyond which trouble has other reasons. */
const reach = 24
const maxTrouble = 4

const changes =
  /\b(?:upgraded|swapped|replaced|moved|migrated|switched|rolled out|installed|removed|took out|taken out|enabled|disabled|turned (?:on|off)|merged|deployed|rewrote|rotated|renamed|raised|lowered|changed|runs since|hung|plugged)\b/i

const tellsNoFault =
  /\b(?:not|never|no longer|hasn't|haven't|without)\s+(?:\w+\s+)?(?:fail|break|broke|crash|error)/i

const isFault = (text: string): boolean => {
  const kind = troubleOf(text)
  return kind !== undefined && kind !== 'grief' && kind !== 'delay' && !tellsNoFault.test(text)
}

const isPlain = (text: string): boolean =>
  troubleOf(text) === 'outage' ||
  /\b(?:fail(?:s|ed|ing|ure|ures)?|errors?|broken?|breaks|crash\w*|corrupt\w*|rejected|pager|paged|leak\w*)\b/i.test(
    text,
  )

/**
 * The probability that a note as a whole tells of a change, below which a word for one tells nothing unless the note
 * begins with it.
 */
const leastChange = 0.02
const beginsWithChange = new RegExp(`^\\P{L}*${changes.source}`, 'iu')

/** A name with an article or a word for its sort before it is of a thing: "the new Halden one". */
function isThing(night: Night, position: number, term: number): boolean {
  const { tokens } = night.concordance.read(position)
  const at = tokens.findIndex((token) => token.term === night.concordance.termAt(term))
  return /^(?:the|an?|new|our|their|its|to|of|with|cheaper|other|another|version)$/.test(
    tokens[at - 1]?.lower ?? '',
  )
}

/**
 * Words from what was changed to the word for it, and from there on: "the charger by the gate was replaced", "replaced
 * the old charger".
 */
const wordsBefore = 6
const wordsAfter = 4

/** Terms of a sentence that stand near its word for a change, but for that word. */
function changedIn(sentence: string): string[] {
  const found = changes.exec(sentence)
  if (found === null) return []
  const tokens = tokensOf(sentence)
  const [first, last] = [
    tokens.findIndex(({ end }) => end > found.index),
    tokens.findLastIndex(({ start }) => start < found.index + found[0].length),
  ]
  const near = [
    ...tokens.slice(Math.max(0, first - wordsBefore), first),
    ...tokens.slice(last + 1, last + 1 + wordsAfter),
  ]
  return near.map(({ term }) => term)
}

interface Cause {
  readonly change: number
  readonly troubles: readonly number[]
  readonly term: number
}

/** The probability from which a note is read as trouble. */
const troubleFrom = 0.3

/** Trouble that names what a change named, and that no note before the change told of. */
function causeOf(night: Night, change: number): Cause | undefined {
  const { concordance } = night
  const authors = authorTerms(night)
  const changed = new Set(sentencesOf(noteAt(night, change).text).flatMap(changedIn))
  let best: Cause | undefined
  for (const term of concordance.termsOf(change)) {
    if (!isRare(night, term) || concordance.endsInEd(term) || !changed.has(concordance.termAt(term))) continue
    // People and words for trouble are in many notes of trouble; what broke is a thing.
    if (
      authors.has(concordance.spellingOf(term)) ||
      (concordance.isName(term) && !concordance.isIdentifier(term) && !isThing(night, change, term)) ||
      troubleOf(concordance.spellingOf(term)) !== undefined
    )
      continue
    const places = [...concordance.placesOf(term)]
    if (places.some((place) => place < change && tellsTrouble(noteAt(night, place).text))) continue
    const troubles = places.filter(
      (place) =>
        place > change &&
        dayOf(night, place) - dayOf(night, change) <= reach &&
        isFault(noteAt(night, place).text) &&
        (night.input.reader === undefined || rolesAt(night, place).trouble >= troubleFrom) &&
        !isAtLeast(night, concordance.similarity(change, place), 'same'),
    )
    const uncommon =
      night.input.isCommon === undefined
        ? places.length === 2 && !isEveryday(concordance.termAt(term))
        : !isCommonWord(night, term)
    const sure = concordance.isIdentifier(term) || uncommon || troubles.length >= 2
    // One case alone must be plain trouble.
    if (troubles.length === 1 && !troubles.some((place) => isPlain(noteAt(night, place).text))) continue
    if (troubles.length === 0 || troubles.length > maxTrouble || !sure) continue
    if (best === undefined || troubles.length > best.troubles.length) best = { change, troubles, term }
  }
  return best
}

function word(night: Night, { change, troubles, term }: Cause): string {
  const link = surfaceIn(night, change, term)
  const told = troubles.map(
    (position) =>
      `${passage(noteAt(night, position).text, [link], 120)} (${tellDay(noteAt(night, position).at, night.telling)})`,
  )
  const after =
    troubles.length === 1
      ? 'then trouble that names the same'
      : 'then trouble in different places that names the same'
  return `First a change to “${link}”, ${after}: on ${tellDay(noteAt(night, change).at, night.telling)} ${passage(noteAt(night, change).text, [link], 130)}; after it ${enumerate(told)}. It may be chance, yet nobody noted that they may belong together: try without the change.`
}

/** Changes followed by trouble, in no particular order. */
export function* causes(night: Night): Generator<undefined, Thought[]> {
  const { concordance } = night
  const found: Cause[] = []
  for (let position = focusStart(concordance); position < concordance.notes.length; position += 1) {
    if (position % 100 === 0) yield
    const { text, caution } = noteAt(night, position)
    if (caution > 0 || !changes.test(text) || isLogLine(text) || /\?\s*$/.test(text)) continue
    const isRead = night.input.reader !== undefined
    if (isRead && !beginsWithChange.test(text) && rolesAt(night, position).change < leastChange) continue
    const cause = causeOf(night, position)
    if (cause !== undefined) found.push(cause)
  }
  const kept: Cause[] = []
  for (const cause of found.sort((a, b) => b.troubles.length - a.troubles.length || a.change - b.change)) {
    if (!kept.some(({ troubles }) => troubles.some((position) => cause.troubles.includes(position))))
      kept.push(cause)
  }
  return kept.map((cause) => ({
    kind: 'cause',
    signal:
      Math.min(1, (cause.troubles.length > 1 ? 0.7 : 0.5) + 0.05 * cause.troubles.length) *
      freshness(night, noteAt(night, cause.troubles.at(-1) ?? 0).at),
    sourceMemoryIds: [cause.change, ...cause.troubles].map((position) => noteAt(night, position).id),
    thought: word(night, cause),
    reasons: [
      `all name ${surfaceIn(night, cause.change, cause.term)}, which stands in ${concordance.placesOf(cause.term).length} notes`,
      'no trouble with it was noted before the change',
      ...(sharedTerms(night, cause.change, cause.troubles[0] ?? 0).length > 1
        ? ['more than one word is shared']
        : []),
    ],
  }))
}
