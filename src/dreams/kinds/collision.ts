/**
 * Collisions: a plan for a day on which someone or something it needs is unavailable, or two plans for one day and
 * hour. Both must be stated explicitly; two things on one day that do not need each other are no collision.
 */

import { unnamedAgent } from '../../core/agent-names.ts'
import { addTo } from '../../core/lists.ts'
import { mentions } from '../../core/patterns.ts'
import { absenceIn, concernsAll, isDue } from '../reading/cues.ts'
import { type Span, spansOf } from '../reading/days.ts'
import {
  dayOf,
  isTelling,
  type Night,
  noteAt,
  perNight,
  presentDay,
  sameBearer,
  sharedTerms,
  surfaceIn,
  termSet,
} from '../reading/material.ts'
import { collisionFeatures, collisionIn, type Meeting } from '../reading/odds.ts'
import { focusStart } from '../reading/pairs.ts'
import { tokensOf } from '../reading/reading.ts'
import { rolesAt } from '../reading/roles.ts'
import { numberingIn } from '../reading/sorts.ts'
import { capitalise, enumerate, localDay, passage, tellDate, tellDay } from '../reading/wording.ts'
import type { Thought } from '../thought.ts'

/** Days after the event for which it is still reported. */
const past = 14
/**
 * The probability from which a collision that was read is told: in 33 brains, each by a table without it, 38 of the 45
 * from there on are planted, and two of the eight between 0.35 and it; in 33 others three of nine.
 */
const likely = 0.6
/** A day with more plans than this is a holiday or a common deadline. */
const maxOnOneDay = 6

/** Before a stretch of days: what was on the first of them is on the last instead. */
const moves =
  /\b(?:mov(?:e[ds]?|ing)|postponed?|shift(?:ed|s)?|rescheduled?|put (?:\S+ ){0,4}?(?:off|back)|brought forward)(?:\s+(?!to\b)\S+){0,4}\s+from\s+$/i

/** What met on a day is told to meet there no longer. */
const reschedules =
  /\b(?:mov(?:e[ds]?|ing)(?:\s+(?!to\b)\S+){0,4}\s+from|postpon\w+|reschedul\w+|cancel\w*|called off|brought forward|put (?:\S+ ){0,5}?(?:off|back)(?! (?:in|into|on|up)\b))\b/i

/** Who does it is told: whoever is away and not among them is not missed. */
const tellsWho =
  /\b(?:alone|by myself|on my own|just (?:the two of us|us two))\b|\b\p{L}+ and (?:i|me)\b|\bonly \p{Lu}\p{L}+ and \p{Lu}\p{L}+/iu

interface Plan {
  readonly position: number
  readonly span: Span
  readonly absence: 'person' | 'thing' | undefined
  /** The absence is told by its wording: what a reader takes for one may be a plan that such stands in the way of. */
  readonly isWorded: boolean
}

/** The probability that a note tells of an absence, by what it does as a whole, from which it needs no wording of one. */
const absentFrom = 0.5

function absenceOf(night: Night, position: number): Pick<Plan, 'absence' | 'isWorded'> {
  const worded = absenceIn(noteAt(night, position).text)
  const isRead = rolesAt(night, position).absence >= absentFrom
  return { absence: worded ?? (isRead ? 'person' : undefined), isWorded: worded !== undefined }
}

function* plansOf(night: Night): Generator<undefined, Plan[]> {
  const { concordance, input } = night
  const plans: Plan[] = []
  const present = presentDay(night)
  for (let position = focusStart(concordance); position < concordance.notes.length; position += 1) {
    if (position % 100 === 0) yield
    const { text, at } = noteAt(night, position)
    const made = localDay(at, input.timeZone)
    for (const told of spansOf(text, made)) {
      // "Moves from 4 to 11 October": it is on the later day, and nobody is asked to keep the days between.
      const before = text.slice(0, told.start)
      const span = told.from < told.to && moves.test(before) ? { ...told, from: told.to } : told
      // What a note tells of its own day is no plan.
      if (span.loose || span.to <= made.number || span.to < present - past) continue
      plans.push({ position, span, ...absenceOf(night, position) })
    }
  }
  return plans
}

const hoursMeet = (a: Span, b: Span): boolean =>
  a.hours !== undefined && b.hours !== undefined && a.hours[0] < b.hours[1] && b.hours[0] < a.hours[1]

/** Minutes between two appointments of one day after which both are kept. */
const apart = 120

/** Whether both are of one day and one is over long before the other. */
const areHoursApart = (a: Span, b: Span): boolean =>
  [a, b].every(({ from, to }) => from === to) &&
  a.hours !== undefined &&
  b.hours !== undefined &&
  (a.hours[1] + apart <= b.hours[0] || b.hours[1] + apart <= a.hours[0])

/** What a note of an absence may begin with that is no name. */
const noName =
  /^(?:The|An?|All|Our|My|It|Holidays?|Vacation|Leave|Off|Away|Out|Gone|No|Not|On|From|Next|This|Days?|Weeks?|Back|Please|Just|Tomorrow|\w+day)$/

/** Who is away by a note: the one of those who write here that it begins with, else its author or the name it begins with. */
function absentee(night: Night, position: number): string {
  const { text, agent } = noteAt(night, position)
  const [, first = agent] = /^(?:\P{L}*)(\p{Lu}\p{Ll}+)(?!\p{L})/u.exec(text) ?? []
  const writes = night.input.notes.some((note) => note.agent.toLowerCase() === first.toLowerCase())
  // "Bea told me of the wedding: she flies on the 16th."
  const isOther =
    !noName.test(first) &&
    /\b(?:she|he|they)(?:'s|'re| (?:is|are|flies|fly|goes|go|has|have|leaves?|will))\b/i.test(text)
  if (isOther && !/\bI(?:'m|'ll| am| fly| go| have| leave| will)\b/.test(text)) return first
  return !writes && (noName.test(first) || /\b(?:I|I'm|me|my|we)\b/.test(text)) ? agent : first
}

interface Need {
  readonly why: string
  /** Whether whoever is away is named for the plan. */
  readonly named?: boolean
}

/** Why an absence matters to a plan; undefined when it does not. */
function needs(night: Night, away: Plan, plan: Plan): Need | undefined {
  const [absent, planned] = [noteAt(night, away.position), noteAt(night, plan.position)]
  const common = sharedTerms(night, away.position, plan.position)
  const shared = common.filter((term) => isTelling(night, term))
  if (away.absence === 'person') {
    const agent = absentee(night, away.position)
    const who = agent === unnamedAgent ? 'the author' : agent
    const own = planned.agent === agent && /\b(?:I|I'm|I'll|me|my)\b/.test(planned.text)
    const named =
      who === agent && mentions(planned.text, who) && sameBearer(night, who, [away.position, plan.position])
    if (named) return { why: `${who} is named in both`, named }
    if (own) return { why: `both are ${who}'s` }
    if (concernsAll.test(planned.text))
      return { why: `it needs one of those who share these notes, and ${who} is away` }
    // Nobody is named for what must be done: it may be anyone's.
    const open = /\b(?:must|has to|have to|needs? to) be\b/i.test(planned.text) && planned.agent !== agent
    return open ? { why: `nobody is named for the one, and ${who} is away` } : undefined
  }
  const tokens = night.concordance.read(plan.position).tokens
  const ours = numberingIn(night.concordance.read(away.position).tokens)
  const numbered = numberingIn(tokens).filter(([noun]) => ours.some(([other]) => other === noun))
  const same = numbered.find(([noun, label]) => ours.some((one) => one[0] === noun && one[1] === label))
  if (same !== undefined) {
    const [noun, label] = same
    return { why: `both are about ${tokens.find(({ term }) => term === noun)?.lower ?? noun} ${label}` }
  }
  if (numbered.length > 0) return undefined
  // Everyday words name a thing where there are two of them: "test server".
  const dated = new Set(tokensOf(`${away.span.written} ${plan.span.written}`).map(({ term }) => term))
  const plain = common.filter((term) => !dated.has(night.concordance.termAt(term)))
  const place =
    shared.find((term) => !night.concordance.isName(term)) ??
    shared[0] ??
    (plain.length > 1 ? plain[0] : undefined)
  if (place !== undefined) return { why: `both are about ${surfaceIn(night, plan.position, place)}` }
  const stops = /\bnothing can be\b|\beverything\b|\ball\b|\bwhole\b/i.test(absent.text)
  return stops && plan.span.due ? { why: 'nothing can be done while it lasts' } : undefined
}

/** An absence with what it may upset, of two plans: who is away misses a migration as well as a dinner. */
const absencesOf = (a: Plan, b: Plan): (readonly [away: Plan, plan: Plan])[] =>
  (
    [
      [a, b],
      [b, a],
    ] as const
  ).filter(
    ([away, plan]) =>
      away.absence !== undefined &&
      (!plan.isWorded || (away.absence === 'person' && plan.absence === 'thing')),
  )

/** The first and the last day that two plans have in common; one if they are the same. */
const commonDays = ({ a, b }: Clash): number[] => [
  ...new Set([Math.max(a.span.from, b.span.from), Math.min(a.span.to, b.span.to)]),
]

interface Clash {
  readonly a: Plan
  readonly b: Plan
  readonly why: string
}

/**
 * Two plans that are worth being read together: of different matters, not hours apart, and both lie ahead of notes days
 * apart.
 */
export function meetingOf(night: Night, a: Plan, b: Plan): Meeting | undefined {
  const [earlier, later] = [Math.min(a.position, b.position), Math.max(a.position, b.position)]
  const ahead = Math.min(a.span.to, b.span.to) - dayOf(night, later)
  if (ahead < 1 || dayOf(night, later) - dayOf(night, earlier) < 2) return undefined
  // Two who are away do not miss each other, and two notes about one event name it.
  const areBothAway = a.isWorded && b.isWorded
  const names = termSet(
    night,
    sharedTerms(night, earlier, later).filter((term) => isTelling(night, term)),
  )
  // "db-07" is one name, of which the parts are terms, too.
  const shared = [...names].filter(
    (name) => ![...names].some((whole) => whole !== name && whole.split(/[-_./]/).includes(name)),
  ).length
  const fewest = Math.min(...[earlier, later].map((place) => night.concordance.termsOf(place).length))
  const isOneEvent = shared >= 3 || (shared === 2 && fewest <= 4)
  const absences = absencesOf(a, b)
  const needed = absences.some(([away, plan]) => needs(night, away, plan))
  const areOthers = absences.some(
    ([away, plan]) => away.absence === 'person' && tellsWho.test(noteAt(night, plan.position).text),
  )
  const areKept = absences.length === 0 && areHoursApart(a.span, b.span)
  return areBothAway || isOneEvent || (areOthers && !needed) || areKept
    ? undefined
    : { earlier, later, ahead, away: absences.length > 0, needed }
}

function clashOf(night: Night, a: Plan, b: Plan): Clash | undefined {
  const [texts, days] = [
    [noteAt(night, a.position).text, noteAt(night, b.position).text],
    Math.abs(dayOf(night, a.position) - dayOf(night, b.position)),
  ]
  // A reminder of the same thing.
  if (
    (night.concordance.similarity(a.position, b.position) ?? 0) >= (night.unrelatedBaseline?.same ?? 1) ||
    (days === 0 && texts[0] === texts[1])
  )
    return undefined
  for (const [away, plan] of absencesOf(a, b)) {
    const need = needs(night, away, plan)
    const oneDay = plan.span.from === plan.span.to
    const due =
      isDue.test(noteAt(night, plan.position).text) ||
      plan.span.due ||
      (away.absence === 'thing' && oneDay) ||
      (need?.named === true && oneDay && plan.span.from > dayOf(night, plan.position))
    if (need !== undefined && due) return { a: away, b: plan, why: need.why }
  }
  const oneDay = a.span.from === a.span.to && b.span.from === b.span.to
  if (oneDay && a.absence === undefined && b.absence === undefined && hoursMeet(a.span, b.span)) {
    const shared = sharedTerms(night, a.position, b.position).filter((term) => isTelling(night, term))
    const similar =
      (night.concordance.similarity(a.position, b.position) ?? 0) >= (night.unrelatedBaseline?.near ?? 1)
    // Two notes about one appointment.
    if (shared.length >= 2 || similar) return undefined
    if (night.input.reader === undefined) return { a, b, why: 'the hours overlap' }
  }
  const meeting = meetingOf(night, a, b)
  const standing = meeting && night.standingOf(meeting.earlier, meeting.later)
  return meeting !== undefined &&
    standing !== undefined &&
    collisionIn(collisionFeatures(night, meeting, standing)) >= likely
    ? { a, b, why: 'read together, they seem to get in each other’s way' }
    : undefined
}

function word(night: Night, clashes: readonly Clash[], positions: readonly number[]): string {
  const told = positions.map((position) => {
    const note = noteAt(night, position)
    const written = clashes.flatMap(({ a, b }) => [a, b]).find((plan) => plan.position === position)
      ?.span.written
    return `${passage(note.text, written === undefined ? [] : [written], 170)} (${note.agent === unnamedAgent ? '' : `${note.agent}, `}${tellDay(note.at, night.telling)})`
  })
  const days = clashes.map((clash) => commonDays(clash).map((day) => tellDate(day, night.telling)))
  const when = enumerate([...new Set(days.map((told) => told.join(' to ')))])
  return `Plans meet on ${when}: ${enumerate(told)}. ${capitalise([...new Set(clashes.map(({ why }) => why))].join('; '))}: move one of them or find a stand-in while there is time.`
}

/** Plans of different notes for one day, as often as they meet and the later note does not move one of them. */
export function* plansTogether(night: Night): Generator<undefined, (readonly [Plan, Plan])[]> {
  const byDay = new Map<number, Plan[]>()
  for (const plan of yield* plansOf(night)) {
    for (let day = plan.span.from; day <= plan.span.to; day += 1) addTo(byDay, day, plan)
  }
  const found: (readonly [Plan, Plan])[] = []
  for (const [, together] of byDay) {
    yield
    if (together.length > maxOnOneDay) continue
    for (const [at, a] of together.entries())
      for (const b of together.slice(at + 1)) {
        const later = noteAt(night, Math.max(a.position, b.position))
        if (a.position !== b.position && !reschedules.test(later.text)) found.push([a, b])
      }
  }
  return found
}

/** The ids of two memories whose plans were told to meet, by earlier nights. */
const toldTogether = perNight(({ input }) => {
  const told = new Set<string>()
  for (const { kind, sourceMemoryIds: ids } of input.told ?? [])
    if (kind === 'collision') for (const a of ids) for (const b of ids) told.add(`${a} ${b}`)
  return told
})

/** Whether an earlier night told of two plans: what meets one of them since is news by itself. */
const wereTold = (night: Night, a: Plan, b: Plan): boolean =>
  toldTogether(night).has(`${noteAt(night, a.position).id} ${noteAt(night, b.position).id}`)

/** Conflicting plans that were not told yet, in no particular order; those of one day together. */
export function* collisions(night: Night): Generator<undefined, Thought[]> {
  const clashes = new Map<string, Clash>()
  for (const [a, b] of yield* plansTogether(night)) {
    yield
    if (wereTold(night, a, b)) continue
    const clash = clashOf(night, a, b)
    const name = `${Math.min(a.position, b.position)} ${Math.max(a.position, b.position)}`
    if (clash !== undefined) clashes.set(name, clash)
  }
  return join([...clashes.values()]).map((group) => {
    const positions = [...new Set(group.flatMap(({ a, b }) => [a.position, b.position]))].sort(
      (a, b) => a - b,
    )
    return {
      kind: 'collision' as const,
      signal: Math.min(1, 0.8 + 0.05 * group.length),
      sourceMemoryIds: positions.map((position) => noteAt(night, position).id),
      thought: word(night, group, positions),
      reasons: group.map(({ a, b, why }) => `${a.span.written} and ${b.span.written}: ${why}`),
    }
  })
}

/** The plans of an absence, and those that meet on the same days, are reported as one where they share a plan. */
function join(clashes: readonly Clash[]): Clash[][] {
  const groups: Clash[][] = []
  for (const clash of clashes) {
    const touches = (other: Clash): boolean =>
      [other.a, other.b].some(
        ({ position, absence }) =>
          (position === clash.a.position || position === clash.b.position) &&
          (absence !== undefined || commonDays(other).join() === commonDays(clash).join()),
      )
    const group = groups.find((one) => one.some(touches))
    if (group === undefined) groups.push([clash])
    else group.push(clash)
  }
  return groups
}
