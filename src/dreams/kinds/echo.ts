/** Echoes: an ordinary note, made after a flag, that comes close to what the flag warned of. */
import { tellsMended } from '../reading/cues.ts'
import {
  coverText,
  freshness,
  isAtLeast,
  isTelling,
  type Night,
  noteAt,
  surfaceIn,
  termSet,
} from '../reading/material.ts'
import { isDoubted, isExcepted } from '../reading/odds.ts'
import { comparePair, focusStart } from '../reading/pairs.ts'
import { capitalise, choose, enumerate, quote, tellTwo } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** Maximum number of flags per night, newest first. */
const flagLimit = 2_000
/** Maximum number of notes considered per flag. */
const perFlag = 8

interface Echo {
  readonly flag: number
  readonly note: number
  readonly telling: readonly number[]
  readonly signal: number
}

function hear(night: Night, flag: number, note: number): Echo | undefined {
  const { concordance } = night
  const pair = comparePair(concordance, flag, note)
  const telling = pair.shared.filter((term) => isTelling(night, term))
  const weigh = (terms: Iterable<number>): number => {
    let sum = 0
    for (const term of terms) sum += concordance.weightOf(term)
    return sum
  }
  const smaller = Math.min(weigh(concordance.termsOf(flag)), weigh(concordance.termsOf(note)))
  const share = smaller > 0 ? weigh(pair.shared) / smaller : 0
  const akin = isAtLeast(night, pair.similarity, 'akin')
  const near = isAtLeast(night, pair.similarity, 'near')
  const alike = isAtLeast(night, (pair.similarity ?? 0) + 0.02, 'alike')
  const byWords = telling.length >= 2 && (share >= 0.34 || (share >= 0.22 && pair.shared.length >= 4))
  const byMeaning =
    (telling.length >= 1 && near) || (telling.length >= 2 && akin) || (pair.shared.length >= 1 && alike)
  if (!byWords && !byMeaning) return undefined
  const closeness = Math.min(1, Math.max(share, alike ? 0.6 : near ? 0.5 : 0) + (akin ? 0.1 : 0))
  return { flag, note, telling: telling.length > 0 ? telling : pair.shared, signal: closeness }
}

function word(night: Night, echo: Echo): string {
  const [flag, note] = [noteAt(night, echo.flag), noteAt(night, echo.note)]
  const terms = termSet(night, echo.telling)
  const about = enumerate(echo.telling.slice(0, 2).map((term) => surfaceIn(night, echo.note, term)))
  const [warned, then] = tellTwo(flag.at, note.at, night.telling)
  return choose(
    [
      `${capitalise(then)} you noted ${quote(note.text, terms)}. That is close to a warning made ${warned}: ${quote(flag.text, terms)}.`,
      `A flag may be coming true, about ${about}. ${capitalise(warned)} it warned ${quote(flag.text, terms)}; ${then} you noted ${quote(note.text, terms)}.`,
      `Remember the flag made ${warned}, ${quote(flag.text, terms)}? The note made ${then} touches it: ${quote(note.text, terms)}.`,
    ],
    night.telling,
    [flag.id, note.id],
  )
}

/** Notes in focus that echo an older flag, in no particular order. */
export function* echoes(night: Night): Generator<undefined, Thought[]> {
  const { concordance } = night
  const found: Thought[] = []
  const flags = concordance.notes.flatMap((note, position) => (note.caution > 0 ? [position] : []))
  const from = focusStart(concordance)
  for (const [at, flag] of flags.slice(-flagLimit).entries()) {
    if (at % 20 === 0) yield
    const terms = [...concordance.termsOf(flag)].map((term) => concordance.termAt(term))
    const candidates = new Set(
      coverText(night, terms, perFlag, Math.max(from, flag + 1)).map(({ position }) => position),
    )
    for (const pair of night.pairs) if (pair.earlier === flag) candidates.add(pair.later)
    for (const position of candidates) {
      const note = noteAt(night, position)
      if (note.caution > 0 || tellsMended(noteAt(night, flag).text, note.text)) continue
      const echo = hear(night, flag, position)
      if (echo === undefined || isExcepted(night, flag, position)) continue
      if (isDoubted(night, { earlier: flag, later: position })) continue
      const caution = noteAt(night, flag).caution
      found.push({
        kind: 'echo',
        signal: Math.min(1, 0.3 + 0.45 * echo.signal + 0.3 * caution) * freshness(night, note.at),
        sourceMemoryIds: [noteAt(night, flag).id, note.id],
        thought: word(night, echo),
        reasons: ['close to the flag in words or meaning'],
      })
    }
  }
  return found
}
