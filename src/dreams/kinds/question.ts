/** Questions that come up again and that no note answers. Silent as soon as a later note might be the answer. */
import { asks, sentencesOf, solves } from '../reading/cues.ts'
import {
  contentTerms,
  dayOf,
  isAtLeast,
  isRare,
  isTelling,
  type Night,
  noteAt,
  presentDay,
  sharedTerms,
  surfaceIn,
} from '../reading/material.ts'
import { questionFeatures, sameQuestionIn } from '../reading/odds.ts'
import { focusStart, nearStart } from '../reading/pairs.ts'
import { rolesAt } from '../reading/roles.ts'
import { nearestAfter } from '../reading/standings.ts'
import { byAgents, enumerate, inWords, passage, tellDay } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** Minimum number of times, on as many days. */
const fewest = 3
/** Or twice, at least this many days ago. */
const waitDays = 14
const maxAsks = 400

/** The probability from which a note asks something, however it is worded: "the row has a question mark". */
const readAsAsking = 0.4
/** The probability from which two notes ask the same, surely or perhaps. */
const surelyAsks = 0.4
const perhapsAsks = 0.3
/** And from which one answers another: of two that share a telling word, and of two that only lie near each other. */
const answersFrom = 0.95
const surelyAnswers = 0.96
/**
 * One that comes after the last asking and holds so much of what one of them asks, in its words, answers it from a
 * lower mean over all of them. Of ten questions planted unanswered no such note holds more than half, and none of these
 * is read as one.
 */
const mostHeld = 0.6
const answersAll = 0.35
/** The mean probability from which what was read joins other questions; less where it is akin to each of them. */
const readLikeAll = 0.35
const readLikeAkin = 0.25
/** Pairs of questions read a night. */
const maxPairsRead = 160

/** How surely two notes are about one matter, by what they share: 0 not, 1 perhaps, 2 surely. */
function bond(night: Night, a: number, b: number): 0 | 1 | 2 {
  const { concordance, unrelatedBaseline } = night
  const shared = sharedTerms(night, a, b)
  const rare = shared.filter((term) => isRare(night, term))
  if (rare.some((term) => concordance.isIdentifier(term))) return 2
  const likeness = concordance.similarity(a, b)
  const near = isAtLeast(night, likeness, 'near')
  const akin = isAtLeast(night, likeness, 'akin')
  if (rare.length >= 2 || (rare.length >= 1 && shared.length >= 3)) return 2
  if (rare.length >= 1 && (shared.length >= 2 || akin)) return near || unrelatedBaseline === undefined ? 2 : 1
  const telling = shared.filter((term) => isTelling(night, term))
  return near && telling.length >= 1 ? 1 : 0
}

/** Two notes that may ask the same, and how surely, 0..1. */
interface Likeness {
  readonly earlier: number
  readonly later: number
  readonly sure: number
}

interface QuestionPair {
  readonly earlier: number
  readonly later: number
  readonly likeness: number
  /** 0..1: how surely they are about one matter, by what they share. */
  readonly shares: number
}

/** The notes that ask something. */
export function* questionsAsked(night: Night): Generator<undefined, number[]> {
  const asked: number[] = []
  const readFrom = nearStart(night.concordance)
  for (
    let position = focusStart(night.concordance);
    position < night.concordance.notes.length;
    position += 1
  ) {
    if (position % 200 === 0) yield
    const { text, caution } = noteAt(night, position)
    if (caution > 0) continue
    // What older notes do nobody has read, and it takes long.
    const isRead = position >= readFrom
    if (questionIn(text) !== undefined || (isRead && rolesAt(night, position).question >= readAsAsking))
      asked.push(position)
  }
  return asked
}

/** Of the newest questions those that lie near each other or share something; as many as are read a night, the newest first. */
export function* questionPairs(
  night: Night,
  questions: readonly number[],
): Generator<undefined, QuestionPair[]> {
  const { unrelatedBaseline, concordance, input } = night
  const least = (unrelatedBaseline?.akin ?? 0) - 0.08
  const asked = questions.slice(-maxAsks)
  const pairs: QuestionPair[] = []
  for (const [at, later] of asked.entries()) {
    if (at % 20 === 0) yield
    for (const earlier of asked.slice(0, at)) {
      const likeness = concordance.similarity(earlier, later) ?? 0
      const shares = bond(night, earlier, later) / 2
      if (shares > 0 || (input.reader !== undefined && likeness >= least))
        pairs.push({ earlier, later, likeness, shares })
    }
  }
  if (input.reader === undefined) return pairs
  return pairs.sort((a, b) => b.later - a.later || b.likeness - a.likeness).slice(0, maxPairsRead)
}

/** How surely pairs of questions ask the same; without a reader by what they share. */
function* compareQuestions(night: Night, asked: readonly number[]): Generator<undefined, Likeness[]> {
  const read: Likeness[] = []
  for (const { earlier, later, likeness, shares } of yield* questionPairs(night, asked)) {
    yield
    const standing = night.standingOf(earlier, later)
    // In nearly the same words it is the same question, whatever a reader makes of it.
    const same = likeness >= (night.unrelatedBaseline?.same ?? 1)
    const sure = standing ? sameQuestionIn(questionFeatures(night, earlier, later, standing)) : shares
    read.push({ earlier, later, sure: same ? 1 : sure })
  }
  return read
}

const questionIn = (text: string): string | undefined => sentencesOf(text).find(asks)

interface Matter {
  readonly positions: readonly number[]
  /** How many of the joints are sure. */
  readonly sure: number
}

/** Joins what is likeliest the same first; a question joins others only if it is like them all. */
function gatherMatters(night: Night, pairs: readonly Likeness[]): Matter[] {
  const akin = night.unrelatedBaseline?.akin ?? 1
  const known = new Map(pairs.map(({ earlier, later, sure }) => [`${earlier} ${later}`, sure]))
  const matters = new Map<number, Matter>()
  const matterOf = (position: number): Matter => matters.get(position) ?? { positions: [position], sure: 0 }
  for (const { earlier, later, sure } of pairs.toSorted((a, b) => b.sure - a.sure)) {
    const [one, other] = [matterOf(earlier), matterOf(later)]
    if (sure < perhapsAsks || one.positions.includes(later)) continue
    const between = one.positions.flatMap((a) =>
      other.positions.map((b) => [Math.min(a, b), Math.max(a, b)] as const),
    )
    const mean = between.reduce((sum, [a, b]) => sum + (known.get(`${a} ${b}`) ?? 0), 0) / between.length
    const areAkin = between.every(([a, b]) => (night.concordance.similarity(a, b) ?? 0) >= akin)
    if (night.input.reader !== undefined && mean < (areAkin ? readLikeAkin : readLikeAll)) continue
    const positions = [...one.positions, ...other.positions].sort((a, b) => a - b)
    const joined = { positions, sure: one.sure + other.sure + (sure >= surelyAsks ? 1 : 0) }
    for (const position of positions) matters.set(position, joined)
  }
  return [...new Set(matters.values())]
}

/** The share of a question's words that a note holds; 0 of a single word. */
function shareHeld(night: Night, question: number, place: number): number {
  const { text } = noteAt(night, question)
  const terms = contentTerms(questionIn(text) ?? text)
  const held = new Set(contentTerms(noteAt(night, place).text))
  return terms.length < 2 ? 0 : terms.filter((term) => held.has(term)).length / terms.length
}

/** Whether a note that asks nothing, made after the first asking, may hold the answer. */
function mayBeAnswered(night: Night, { positions }: Matter, asked: ReadonlySet<number>): boolean {
  const answers = (position: number, place: number): number => night.standingOf(position, place)?.answers ?? 0
  const last = positions.at(-1) ?? 0
  const answersThem = (place: number): boolean =>
    place > last &&
    positions.some((position) => shareHeld(night, position, place) >= mostHeld) &&
    positions.reduce((sum, position) => sum + answers(position, place), 0) >= answersAll * positions.length
  return positions.some((position) => {
    const sharing = new Set(
      [...night.concordance.termsOf(position)]
        .filter((term) => isTelling(night, term))
        .flatMap((term) => [...night.concordance.placesOf(term).subarray(-60)])
        .filter((place) => place > position && !asked.has(place)),
    )
    if (night.input.reader === undefined)
      return [...sharing].some((place) => bond(night, position, place) === 2)
    const nearest = nearestAfter(night, position).filter((place) => !asked.has(place))
    return (
      [...sharing].some(
        (place) =>
          bond(night, position, place) > 0 &&
          (answers(position, place) >= answersFrom || solves.test(noteAt(night, place).text)),
      ) ||
      nearest.some((place) => answers(position, place) >= surelyAnswers) ||
      [...sharing, ...nearest].some(answersThem)
    )
  })
}

function word(night: Night, positions: readonly number[]): string {
  const notes = positions.map((position) => noteAt(night, position))
  const last = notes.at(-1)
  if (last === undefined) return ''
  const when = enumerate(notes.map((note) => tellDay(note.at, night.telling)))
  // In words that nobody read as the same it may have been asked more often.
  const times = notes.length === 2 ? 'twice' : `${inWords(notes.length)} times`
  const first = notes[0]
  const earlier =
    first === undefined ? '' : ` It began with ${passage(first.text, [questionIn(first.text) ?? ''], 130)}.`
  return `At least ${times} the same question, and no note answers it: ${passage(last.text, [questionIn(last.text) ?? ''], 150)} (asked${byAgents(notes)} on ${when}).${earlier} Somebody may be waiting: find out once and \`brain remember\` the answer.`
}

/** Questions asked again and never answered, in no particular order. */
export function* questions(night: Night): Generator<undefined, Thought[]> {
  const asked = yield* questionsAsked(night)
  const asking = new Set(asked)
  const present = presentDay(night)
  const found: Thought[] = []
  for (const matter of gatherMatters(night, yield* compareQuestions(night, asked))) {
    yield
    const { positions, sure } = matter
    const days = new Set(positions.map((position) => dayOf(night, position)))
    const last = positions.at(-1) ?? 0
    const waiting = present - dayOf(night, last)
    if (days.size < 2 || sure < positions.length - 1 - (positions.length > 3 ? 1 : 0)) continue
    if (days.size < fewest && waiting < waitDays) continue
    if (mayBeAnswered(night, matter, asking)) continue
    const shared = sharedTerms(night, positions[0] ?? 0, last).slice(0, 3)
    found.push({
      kind: 'question',
      signal: Math.min(1, 0.55 + 0.1 * positions.length),
      sourceMemoryIds: positions.map((position) => noteAt(night, position).id),
      thought: word(night, positions),
      reasons: [
        `asked on ${days.size} days`,
        ...(shared.length > 0
          ? [`about ${enumerate(shared.map((term) => surfaceIn(night, last, term)))}`]
          : []),
        'no later note reads as an answer',
      ],
    })
  }
  return found
}
