/**
 * Whether two clauses contradict each other: one subject, opposite polarity or another value. Judges words alone
 * and prefers silence: a clause that asks, plans or supposes contradicts nothing, and two clauses that each name
 * something the other does not are about two things.
 */
import { weekdayNames } from '../../core/calendar-words.ts'
import { stem } from '../../core/stem.ts'
import { caseStems, comparators, eventWords, exclusiveStems, narrowing } from './lexicon.ts'
import { type Clause, isEveryday, type Token } from './reading.ts'
import { capitalise } from './wording.ts'

export interface Contradiction {
  readonly how: 'denial' | 'opposite' | 'value' | 'order' | 'holder'
  /** Terms both clauses share: what they are about. */
  readonly subject: ReadonlySet<string>
  /** 0..1. */
  readonly strength: number
  /** The two values, as written, where values differ. */
  readonly values?: readonly [string, string]
}

const intersection = (a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> =>
  new Set([...a].filter((term) => b.has(term)))
const difference = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a].filter((term) => !b.has(term))

// A word that only dates or stresses its clause makes no other subject of it.
const incidental = new Set([
  'realli',
  'actual',
  'still',
  'current',
  'also',
  'anymor',
  'longer',
  'everi',
  'whole',
  'complet',
  'now',
  'ani',
  'us',
  'seem',
  'turn',
  'find',
  'found',
  'set',
  'make',
  'good',
  'great',
  'perfectli',
  'well',
  'exactli',
  'onli',
  'time',
  'todai',
  'again',
  'go',
  'went',
  'come',
  'run',
  'ran',
  // Who says so is not what is said.
  'user',
  'ask',
  'said',
  'sai',
  'told',
  'tell',
  'report',
  'prefer',
  'rather',
  'twice',
])

const weekdayStems: ReadonlySet<string> = new Set(
  weekdayNames.flatMap((name) => [stem(name.toLowerCase()), stem(`${name.toLowerCase()}s`)]),
)

/** Its parts are compared, too. */
const isCompound = (term: string): boolean => /^[a-z]{3,}(-[a-z]{3,})+$/.test(term)

interface Subject {
  readonly shared: ReadonlySet<string>
  /** Content that only the one holds, and only the other. */
  readonly ownOfOne: readonly string[]
  readonly ownOfOther: readonly string[]
  /** 0..1 share of the smaller clause's content that is shared. */
  readonly closeness: number
}

function subjectOf(a: Clause, b: Clause): Subject {
  const shared = intersection(a.content, b.content)
  const [one, other] = [difference(a.content, b.content), difference(b.content, a.content)].map((own) =>
    own.filter((term) => !incidental.has(term) && !weekdayStems.has(term) && !isCompound(term)),
  ) as [string[], string[]]
  const smaller = Math.min(one.length, other.length) + shared.size
  return { shared, ownOfOne: one, ownOfOther: other, closeness: smaller > 0 ? shared.size / smaller : 0 }
}

/** Two shared terms of which one is not everyday, and no side a subject of its own that the other lacks. */
function oneSubject(subject: Subject): boolean {
  const { shared, ownOfOne, ownOfOther } = subject
  if (Math.min(ownOfOne.length, ownOfOther.length) > 0 || Math.max(ownOfOne.length, ownOfOther.length) > 4)
    return false
  return (
    shared.size >= 2 ||
    (shared.size === 1 && ![...shared].some(isEveryday) && ownOfOne.length + ownOfOther.length <= 1)
  )
}

const states = new Set('is are be been being'.split(' '))

/** "failed" tells an event, "is limited" a state. */
const isOfEvent = (clause: Clause): boolean =>
  clause.tokens.some(
    (token, at) =>
      eventWords.has(token.lower) ||
      (/[a-z]{3}ed$/.test(token.lower) && !states.has(clause.tokens[at - 1]?.lower ?? '')),
  )

const standing = new Set('is are starts start ends end due every always closes opens happens'.split(' '))

/** The way two clauses contradict each other; undefined when they do not. `close`: their notes mean much the same. */
export function contradict(a: Clause, b: Clause, close = false): Contradiction | undefined {
  // "would rather" is a wish that holds now.
  const order = byOrder(a, b)
  if (order !== undefined && !isOpen(a) && !isOpen(b)) return order
  if (a.hedged || b.hedged) return undefined
  return (
    byDenial(a, b) ??
    byOpposites(a, b) ??
    byValue(a, b) ??
    byHolder(a, b) ??
    (close ? byCloseValue(a, b) : undefined)
  )
}

function byDenial(a: Clause, b: Clause): Contradiction | undefined {
  const subject = subjectOf(a, b)
  if (!oneSubject(subject) || subject.shared.size < 2) return undefined
  const [denying, other] = a.negations > 0 ? [a, b] : [b, a]
  // Two negations undo each other; and where both deny, word order alone cannot tell what differs.
  if (denying.negations !== 1 || other.negations !== 0) return undefined
  if (![...denying.denied].some((term) => other.content.has(term))) return undefined
  // "not for tests" denies a part: what the negation reaches must be shared, all of it.
  if ([...denying.denied].some((term) => !other.content.has(term) && !incidental.has(term))) return undefined
  return { how: 'denial', subject: subject.shared, strength: 0.6 + 0.3 * subject.closeness }
}

function byOpposites(a: Clause, b: Clause): Contradiction | undefined {
  const axis = [...a.stance].find(([name, side]) => b.stance.has(name) && b.stance.get(name) !== side)
  if (axis === undefined) return undefined
  const subject = subjectOf(a, b)
  if (!oneSubject(subject)) return undefined
  return { how: 'opposite', subject: subject.shared, strength: 0.55 + 0.3 * subject.closeness }
}

function byValue(a: Clause, b: Clause): Contradiction | undefined {
  if (isOfEvent(a) || isOfEvent(b) || boundOf(a) * boundOf(b) < 0) return undefined
  const subject = subjectOf(a, b)
  if (!oneSubject(subject)) return undefined
  const values = differingValues(a, b)
  if (values === undefined || isNarrowed(a, subject) || isNarrowed(b, subject)) return undefined
  return { how: 'value', subject: subject.shared, strength: 0.6 + 0.3 * subject.closeness, values }
}

/** One quantity or weekday each, of one measure, and not the same. */
function differingValues(a: Clause, b: Clause): readonly [string, string] | undefined {
  const [one, ...more] = a.quantities
  const [other, ...others] = b.quantities
  if (more.length > 0 || others.length > 0) return undefined
  if (one !== undefined && other !== undefined) {
    if (one.measure !== other.measure || one.amount === other.amount) return undefined
    // "invoice 2207" and "paid 2209" number two things; "port 8080" and "port 9090" are one thing's two values.
    if (one.measure === 'count' && wordBefore(a, one.written) !== wordBefore(b, other.written))
      return undefined
    return [one.written, other.written]
  }
  if (one !== undefined || other !== undefined) return undefined
  // "Yoga on Tuesday" leaves room for Thursday; "the window is on Tuesday" does not.
  if (![a, b].every((clause) => clause.tokens.some((token) => standing.has(token.lower)))) return undefined
  const [day, otherDay] = [a.weekdays[0], b.weekdays[0]]
  if (a.weekdays.length !== 1 || b.weekdays.length !== 1 || day === undefined || otherDay === undefined)
    return undefined
  return day === otherDay ? undefined : [capitalise(day), capitalise(otherDay)]
}

const wordBefore = (clause: Clause, written: string): string | undefined =>
  clause.tokens[clause.tokens.findIndex(({ surface }) => surface === written) - 1]?.term

/** Whether a clause speaks of one case only ("for partners") that the other does not name. */
function isNarrowed(clause: Clause, { ownOfOne, ownOfOther }: Subject): boolean {
  const own = new Set([...ownOfOne, ...ownOfOther])
  return clause.tokens.some((token, at) => {
    if (!own.has(token.term)) return false
    const before = clause.tokens.slice(Math.max(0, at - 2), at)
    return caseStems.has(token.term) || before.some(({ lower }) => narrowing.has(lower))
  })
}

/** One measure, two values, in words of their own: only where the notes mean much the same and neither names a case. */
function byCloseValue(a: Clause, b: Clause): Contradiction | undefined {
  if (isOfEvent(a) || isOfEvent(b) || a.negations + b.negations > 0) return undefined
  if (boundOf(a) * boundOf(b) < 0) return undefined
  const subject = subjectOf(a, b)
  if (![...subject.shared].some((term) => !isEveryday(term))) return undefined
  if (Math.max(subject.ownOfOne.length, subject.ownOfOther.length) > 3) return undefined
  const values = differingValues(a, b)
  if (values === undefined || isNarrowed(a, subject) || isNarrowed(b, subject)) return undefined
  if (namesAnother(a, subject) || namesAnother(b, subject)) return undefined
  return { how: 'value', subject: subject.shared, strength: 0.55, values }
}

const lowest = new Set('minimum min least smallest lowest'.split(' '))
const highest = new Set('maximum max most largest highest'.split(' '))

/** -1 for a lower bound, 1 for an upper one, 0 for neither. */
const boundOf = (clause: Clause): number =>
  clause.tokens.some(({ lower }) => lowest.has(lower))
    ? -1
    : clause.tokens.some(({ lower }) => highest.has(lower))
      ? 1
      : 0

/** Whether a clause has a name or identifier that the other lacks. */
const namesAnother = (clause: Clause, { ownOfOne, ownOfOther }: Subject): boolean =>
  clause.tokens.some(
    (token) =>
      (ownOfOne.includes(token.term) || ownOfOther.includes(token.term)) &&
      (token.kind === 'identifier' || (!token.opens && /^\p{Lu}\p{Ll}/u.test(token.surface))),
  )

const isCapital = (token: Token): boolean => /^\p{Lu}/u.test(token.surface)

/** "Marta owns the billing service" against "Jonas owns the billing service": one place, two holders. */
function byHolder(a: Clause, b: Clause): Contradiction | undefined {
  const verb = [...a.content].find((term) => exclusiveStems.has(term) && b.content.has(term))
  if (verb === undefined || a.denied.size + b.denied.size > 0 || isOfPast(a) || isOfPast(b)) return undefined
  const subject = subjectOf(a, b)
  if (subject.shared.size < 2 || subject.ownOfOne.length !== 1 || subject.ownOfOther.length !== 1)
    return undefined
  const [mine, theirs] = [placed(a, subject.ownOfOne[0], verb), placed(b, subject.ownOfOther[0], verb)]
  if (mine === undefined || theirs === undefined || mine.before !== theirs.before) return undefined
  if (!isCapital(mine.token) || !isCapital(theirs.token)) return undefined
  return {
    how: 'holder',
    subject: subject.shared,
    strength: 0.7,
    values: [mine.token.surface, theirs.token.surface],
  }
}

const isOfPast = (clause: Clause): boolean =>
  clause.tokens.some((token) =>
    ['was', 'were', 'had', 'used', 'formerly', 'until', 'before'].includes(token.lower),
  )

/** The token of a term, if it stands at its clause's verb and on which side. */
function placed(
  clause: Clause,
  term: string | undefined,
  verb: string,
): { token: Token; before: boolean } | undefined {
  const at = clause.tokens.findIndex((token) => token.term === term)
  const turn = clause.tokens.findIndex((token) => token.term === verb)
  const token = clause.tokens[at]
  return token === undefined || turn < 0 ? undefined : { token, before: at < turn }
}

/** "tabs over spaces" against "spaces over tabs". */
function byOrder(a: Clause, b: Clause): Contradiction | undefined {
  const [one, other] = [comparisonIn(a), comparisonIn(b)]
  if (one === undefined || other === undefined || one.by !== other.by) return undefined
  // What stands on the same side in both, such as who prefers, is not what is compared.
  const moved = (from: ReadonlySet<string>, same: ReadonlySet<string>, to: ReadonlySet<string>): boolean =>
    [...from].some((term) => !same.has(term) && to.has(term))
  if (!moved(one.left, other.left, other.right) || !moved(one.right, other.right, other.left))
    return undefined
  if (a.denied.size > 0 !== b.denied.size > 0) return undefined
  const subject = subjectOf(a, b)
  if (Math.min(subject.ownOfOne.length, subject.ownOfOther.length) > 1) return undefined
  return { how: 'order', subject: subject.shared, strength: 0.9 }
}

/** Whether a clause doubts or asks, "would" and "prefer" aside. */
const isOpen = (clause: Clause): boolean =>
  clause.hedged && !clause.tokens.some(({ lower }) => lower === 'rather' || lower === 'prefer')

/** How many words of either side take part in a comparison. */
const sideWords = 3

interface Comparison {
  readonly left: ReadonlySet<string>
  readonly by: 'rather' | 'earlier'
  readonly right: ReadonlySet<string>
}

function comparisonIn(clause: Clause): Comparison | undefined {
  const at = clause.tokens.findIndex((token) => comparators.has(token.lower))
  const middle = clause.tokens[at]
  if (middle === undefined) return undefined
  const contentOf = (tokens: readonly Token[]): Set<string> =>
    new Set(tokens.filter((token) => clause.content.has(token.term)).map((token) => token.term))
  const before = contentOf(clause.tokens.slice(0, at).slice(-sideWords))
  const after = contentOf(clause.tokens.slice(at + 1, at + 1 + sideWords))
  if (middle.lower === 'after') return { left: after, by: 'earlier', right: before }
  return { left: before, by: middle.lower === 'before' ? 'earlier' : 'rather', right: after }
}
