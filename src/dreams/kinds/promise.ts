/** Promises whose day has passed without a later note about them. Silent if a later note may be the sequel. */
import { unnamedAgent } from '../../core/agent-names.ts'
import { counted } from '../../core/counts.ts'
import { literally } from '../../core/patterns.ts'
import { lacks, promises, sentencesOf, tellsDone } from '../reading/cues.ts'
import { type Span, spansOf } from '../reading/days.ts'
import {
  contentTerms,
  coverText,
  dayOf,
  hasOneAuthor,
  isTelling,
  type Night,
  noteAt,
  presentDay,
  rareAmong,
  sharedTerms,
} from '../reading/material.ts'
import { focusStart } from '../reading/pairs.ts'
import { tokensOf } from '../reading/reading.ts'
import { rolesAt } from '../reading/roles.ts'
import { nearestAfter } from '../reading/standings.ts'
import { byAgent, localDay, passage, tellDate, tellDay } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** Share of a promise's term weight from which a later note may be its sequel. */
const sequelShare = 0.34
/** The probability from which a note is about what does not work, and no sequel. */
const mostlyOpen = 0.5
/** Days by which what was promised may be noted late. */
const grace = 2
/** Longer ago than this it is water under the bridge, days. */
const longAgo = 120

/** Words of a sentence that takes something on and does not say what. */
const fewWords = 5

interface Promise {
  readonly position: number
  readonly sentence: string
  readonly due: Span
  /** Whether it is worded as a promise; else what the note does, or what was read later, has to tell that it is one. */
  readonly isWorded: boolean
}

/** The first promise with a day; where none is worded as one, the first sentence that something is due by a day. */
function promiseIn(night: Night, position: number): Promise | undefined {
  return dueIn(night, position, true) ?? (night.input.reader && dueIn(night, position, false))
}

function dueIn(night: Night, position: number, isWorded: boolean): Promise | undefined {
  const { text, at } = noteAt(night, position)
  const made = localDay(at, night.input.timeZone)
  const sentences = sentencesOf(text)
  for (const [index, sentence] of sentences.entries()) {
    if (isWorded && !promises(sentence)) continue
    // The day may stand in the sentence before or after: "They go off today. Back by the 22nd, I'll see to it.", or one
    // further on.
    for (const part of [
      sentence,
      `${sentences[index - 1] ?? ''} ${sentence}`,
      `${sentence} ${sentences[index + 1] ?? ''}`,
      `${sentence} ${sentences[index + 1] ?? ''} ${sentences[index + 2] ?? ''}`,
    ]) {
      // "I take this one. Repaired and with the testers on Friday": where so little is said, the day stands behind it.
      const isNear = part === sentence || (part.startsWith(sentence) && tokensOf(sentence).length <= fewWords)
      const due = spansOf(part, made).find(
        (span) =>
          span.to >= made.number &&
          (span.due || (isWorded && isNear && !span.loose && span.from === span.to)),
      )
      if (due !== undefined) return { position, sentence: part.trim(), due, isWorded }
    }
  }
  return undefined
}

interface Sequel {
  /** The last note that touches the matter and says that something lacks. */
  readonly touched: number | undefined
}

/** The reader's probability from which a later note tells that a promise was kept, or that it was not. */
const keptFrom = 0.65
const unkeptFrom = 0.4
/** The same of a note that tells that something was brought to an end. */
const keptFromIfDone = 0.45

/** What is done with anything, and says nothing of what was promised. */
const anyVerb = /^(?:be|have|do|get|make|take|put|see|look|try|go|come|let|keep|also|only|just|then|not)$/
/** How else than by "-ed" a promise is told as kept. */
const pastForms = new Map(
  `bring brought|build built|buy bought|choose chose|draw drew|drive drove|find found|fly flew|give gave|hang hung|lend lent|meet met|pay paid|read read|
  ring rang|sell sold|send sent|speak spoke|sweep swept|teach taught|tell told|write wrote`
    .split('|')
    .map((pair) => pair.trim().split(' ') as [string, string]),
)

const early = /\b(?:hour|day|week)s? (?:early|before (?:I said|time|it was due))\b/i

/** Whether a later note tells of something done early: of the same matter, where one author tells of everything. */
const tellsEarly = (night: Night, position: number, later: number): boolean =>
  early.test(noteAt(night, later).text) &&
  (!hasOneAuthor(night) || sharedTerms(night, position, later).some((term) => isTelling(night, term)))

/** What others tell of whoever promised: "Piet sent it at noon", "Wen's list is here". */
const deedOf = (author: string): RegExp =>
  new RegExp(
    String.raw`\b${literally(author)}(?:\s+(?:has\s+|have\s+)?(?:sent|brought|handed|delivered|finished|fixed|posted|mailed)\b|['’]s\s+(?:\w+\s+){1,2}(?:is|are|has|have)\s+(?:here|in|there|come|arrived)\b)`,
    'i',
  )

/** Whether a later note tells the promised deed as done: "I rang him" by its author, "the cradles are ordered" by anybody. */
function tellsDeed(night: Night, { position, sentence }: Promise, later: number): boolean {
  const { text, agent } = noteAt(night, later)
  const author = noteAt(night, position).agent
  if (tellsEarly(night, position, later)) return true
  const isTold = author !== unnamedAgent && deedOf(author).test(text)
  if (isTold && sharedTerms(night, position, later).some((term) => isTelling(night, term))) return true
  const verb = /\b(?:i'?ll|i will|i shall)\s+(\w+)/i.exec(sentence)?.[1]?.toLowerCase()
  if (verb === undefined || anyVerb.test(verb)) return false
  const past =
    pastForms.get(verb) ??
    (/[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb.replace(/e$/, '')}${verb.at(-1)}?ed`)
  const byWhom = agent === author ? 'i|is|are|was|were|been' : 'is|are|was|were|been'
  return new RegExp(String.raw`\b(?:${byWhom})\s+(?:have\s+|just\s+|now\s+)?${past}\b`, 'i').test(text)
}

/**
 * What the reader of two notes makes of the later notes nearest to a promise, and of the last that touches it by its words;
 * undefined when one tells that it was kept.
 */
function readSequel(night: Night, promise: Promise, { touched: near }: Sequel): Sequel | undefined {
  if (night.input.reader === undefined) return { touched: near }
  const { position, due } = promise
  const { agent } = noteAt(night, position)
  for (let place = position + 1; place < night.concordance.notes.length; place += 1) {
    const later = noteAt(night, place)
    if (dayOf(night, place) > due.to + grace) break
    // Whoever is early says so without naming the matter: "the page is ready, a day before I said".
    if (later.agent === agent && tellsEarly(night, position, place)) return undefined
  }
  let touched: number | undefined
  for (const place of new Set([...nearestAfter(night, position), ...(near === undefined ? [] : [near])])) {
    const read = night.standingOf(position, place)
    const least = tellsDone.test(noteAt(night, place).text) ? keptFromIfDone : keptFrom
    if ((read?.kept ?? 0) >= least || tellsDeed(night, promise, place)) return undefined
    if ((read?.unkept ?? 0) >= unkeptFrom && (touched === undefined || place > touched)) touched = place
  }
  return { touched }
}

/** Whether two notes are nearer than notes of two matters are; a name alone is in notes about anything. */
const isClose = (night: Night, earlier: number, later: number): boolean =>
  (night.concordance.similarity(earlier, later) ?? 1) >= (night.unrelatedBaseline?.near ?? 1)

/** What later notes make of a promise; undefined when one of them may tell that it was kept. */
function follow(night: Night, promise: Promise): Sequel | undefined {
  const { concordance } = night
  const dated = new Set(tokensOf(promise.due.written).map(({ term }) => term))
  const terms = contentTerms(noteAt(night, promise.position).text).filter((term) => !dated.has(term))
  // Where one author tells of everything, who tells of it says nothing.
  const isAlone = hasOneAuthor(night)
  let touched: number | undefined
  for (const cover of coverText(night, terms, 60, promise.position + 1)) {
    const rare = rareAmong(night, cover.distinctive)
    const { text, agent } = noteAt(night, cover.position)
    // What the note tells of the matter, and not of what else happened.
    const onIt = sentencesOf(text)
      .filter((sentence) => tokensOf(sentence).some(({ term }) => cover.shared.includes(term)))
      .join(' ')
    const isDone = tellsDone.test(onIt)
    const isOwn = !isAlone && agent === noteAt(night, promise.position).agent && cover.shared.length >= 2
    const tellsOwn = isDone && isOwn && cover.distinctive.length > 0
    if (rare.length === 0 && cover.distinctive.length < 2 && !tellsOwn) continue
    const role = rolesAt(night, cover.position)
    const open = lacks.test(onIt) || /\?/.test(text) || Math.max(role.trouble, role.unkept) >= mostlyOpen
    if (open && !(isDone && cover.share >= sequelShare)) {
      if (touched === undefined || cover.position > touched) touched = cover.position
      continue
    }
    const names = rare.filter((term) => concordance.isName(term))
    const isNameAlone =
      cover.shared.length === 1 && names.length === 1 && !isClose(night, promise.position, cover.position)
    const isNamed = names.some((term) => concordance.placesOf(term).length <= 3)
    const isAbout = !isNameAlone && (isNamed || cover.share >= sequelShare)
    const isSequel = isAbout || tellsOwn || (isDone && rare.length >= 2)
    if (!isSequel) continue
    // What was done is noted by its day, or told as done; a later note that only names the matter shows that it waits.
    const isLate = dayOf(night, cover.position) - promise.due.to > grace
    if (!isLate || isDone || tellsDeed(night, promise, cover.position)) return undefined
    if (touched === undefined || cover.position > touched) touched = cover.position
  }
  return { touched }
}

/** The probability that a note promises, by what it does as a whole, from which it needs no wording of one. */
const promisesFrom = 0.12

/** What lasts until a day, or is so every week. */
const isNoDeed =
  /\b(?:until|till|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|every (?:day|week|month))\b/i

/** Whether something is promised, by its wording or by what the whole note does. */
const isPromised = (night: Night, { position, sentence, isWorded }: Promise): boolean =>
  isWorded || (rolesAt(night, position).promise >= promisesFrom && !isNoDeed.test(sentence))

/** Promises whose day has passed without another mention, in no particular order. */
export function* brokenPromises(night: Night): Generator<undefined, Thought[]> {
  const { concordance } = night
  const found: Thought[] = []
  const present = presentDay(night)
  const today = localDay(night.input.now, night.input.timeZone).number
  for (let position = focusStart(concordance); position < concordance.notes.length; position += 1) {
    if (position % 100 === 0) yield
    const note = noteAt(night, position)
    if (note.caution > 0) continue
    const promise = promiseIn(night, position)
    if (promise === undefined) continue
    const over = present - promise.due.to
    if (over < 1 || over > longAgo || promise.due.to - dayOf(night, position) > 200) continue
    if (![...concordance.termsOf(position)].some((term) => isTelling(night, term))) continue
    const sequel = follow(night, promise)
    if (sequel === undefined) continue
    const read = readSequel(night, promise, sequel)
    if (read === undefined) continue
    const isLate = read.touched !== undefined && dayOf(night, read.touched) > promise.due.to
    if (!isLate && !isPromised(night, promise)) continue
    const after = read.touched === undefined ? undefined : noteAt(night, read.touched)
    const trace =
      after === undefined
        ? 'No later note says that it was kept.'
        : `No later note says that it was kept; the last one near it, of ${tellDay(after.at, night.telling)}, reads ${passage(after.text, [], 150)}.`
    found.push({
      kind: 'promise',
      signal: 0.75 + (after === undefined ? 0 : 0.1),
      sourceMemoryIds: [note.id, ...(after === undefined ? [] : [after.id])],
      thought: `A promise noted${byAgent(note.agent)} on ${tellDay(note.at, night.telling)} was due on ${tellDate(promise.due.to, night.telling)}: ${passage(promise.sentence, [], 180)}. ${trace} Ask whether it was kept, and \`brain remember\` the answer.`,
      reasons: [
        `due ${promise.due.written}, ${counted(today - promise.due.to, 'day')} ago`,
        'no later note is about the same and tells an end',
      ],
    })
  }
  return found
}
