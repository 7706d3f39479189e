/**
 * Whether a note can answer a question at all: whether it tells what kind of thing is asked for, a price or a moment, or asks the
 * same itself, and whether it tells of another year, stage or room than the one named. A note may be near in every word
 * and fail in this. Knows English; reports only what is plain, so that most questions and notes fit.
 */
import { cardinals, monthForms, weekdayForms } from '../core/calendar-words.ts'
import type { Misfit } from '../core/misfit.ts'
import { numerals, scales, units } from '../core/quantities/words.ts'
import { createOpenReading } from './open-questions.ts'

const any = (forms: Iterable<string>): string => [...forms].join('|')

/** "May" and "March" with a capital only: both are words of their own. */
const months = monthForms
  .flat()
  .flatMap((form) => [form[0]?.toUpperCase() + form.slice(1), ...(/^mar|^may/.test(form) ? [] : [form])])
const month = `(?:${any(months)})`
const dates = new RegExp(
  String.raw`\b\d{4}-\d\d(?:-\d\d)?\b|\b\d{1,2}(?:st|nd|rd|th)?\.? ?(?:of )?${month}\b|\b${month}\.? \d{1,2}(?:st|nd|rd|th)?\b|\b(?:1[5-9]|20)\d\d\b|\b\d{1,2}/\d{4}\b`,
  'g',
)
const clockTimes = /\b\d{1,2}[:.h]\d\d\b|\b\d{1,2} ?(?:am|pm|o.clock)\b/gi
const versions = /\bv?\d+\.\d+\.\d+\b/g
/** What bears a number as its name: "room 4", "PR 12", "tern-04", "8x". */
const numbered =
  /\b[a-z_-]+\d[\w.-]*|\b\d+[a-z]{3,}\w*|(?:\b(?:no|nr|room|hood|hall|lane|part|phase|step|pr|issue|ticket|line|page|floor|class|till|channel|dock|gate|track|court|table|oven|house|flat|week|zone|van|bus|shelf|locker|pump|tank)|#)[ .]{0,2}\d+\b/gi

/** A text whose figures are quantities: without dates, times, versions and names that have one. */
const quantitiesOf = (text: string): string =>
  [dates, versions, clockTimes, numbered].reduce((rest, pattern) => rest.replace(pattern, ' '), text)

const spelt = any([
  ...numerals.keys(),
  ...scales.keys(),
  ...'half twice once pair couple both all no none nobody single'.split(' '),
])
const hasSpelt = new RegExp(String.raw`\b(?:${spelt})\b`, 'i')
const unitsOf = (kind: string): string =>
  any([...units].flatMap(([name, unit]) => (unit.kind === kind && /^[a-z]/.test(name) ? [name] : [])))
/** What is counted as others measure, besides units. */
const counted: ReadonlySet<string> = new Set([
  'per cent',
  ...'night nights mbit gbit tbit piece pieces roll rolls people persons guests children times x req item items'.split(
    ' ',
  ),
  ...'boxes copies orders users customers pages seats ticket tickets doses trays'.split(' '),
])
const numberAndWord = new RegExp(
  String.raw`(?<![\d.,])(?:\d+(?:[.,]\d+)* ?|\b(?:${any(cardinals.slice(1, 10))}) )(per cent|°\w?|[a-z][a-z/]*)(?!\w)`,
  'gi',
)
/**
 * A text without what measures or counts: no sum, version or number of a thing. By look-up, as so many names take long
 * to compile.
 */
const withoutMeasures = (text: string): string =>
  text.replace(numberAndWord, (written: string, name: string) => {
    const word = name.toLowerCase()
    return counted.has(word) || units.has(word) || word.startsWith('°') ? ' ' : written
  })
const bareSum = /(?<![\w.,-])\d[\d.,]*(?![\d.,]*\w)(?! ?%)/
/** Called so by people beside a sum alone. */
const currency = `(?:${unitsOf('money')}|k|kr|sek|nok|quid|pence|p|ct|bucks|grand)`
const money = new RegExp(
  String.raw`[€$£¥]|%|\bper ?cent\b|\b(?:\d[\d.,]*|${spelt}) ?${currency}\b|(?<![\w-])(?:free|gratis|nothing|included)\b`,
  'i',
)
const lasting = new RegExp(
  String.raw`\b(?:\d[\d.,]*|${spelt}|an?|few|several)[ -]?(?:and a half |working |full |more )?(?:${unitsOf('duration')}|m|d|nights?|quarters?|sprints?|terms?)\b|\b(?:overnight|until|till|forever|fortnight|permanently)\b|\bto \d|\d ?[-–] ?\d|\bfrom\b.*\bto\b`,
  'i',
)
const weekday = any(weekdayForms.flat())
const moment = new RegExp(
  String.raw`\d[:.h]\d\d|\d{4}-\d\d|\b(?:(?:${weekday})s?|yesterday|today|tomorrow|tonight|noon|midnight|(?:morning|evening|afternoon|night|month|year|week(?:end|day)?|quarter|holiday|term|season|hour|minute|day)s?|(?:week|month|dai|night|hour|year|quarter|annual)ly|spring|summer|autumn|winter|easter|christmas|every|each|o.clock|\d{1,2}(?:st|nd|rd|th)|(?:1[5-9]|20)\d\d|soon|never|always|already|once|until|till|before|after|when|while|since|during|end of|dawn|dusk|lunch\w*|sun(?:rise|set)|breakfast|dinner)\b|\b\d{1,2}[./]\d{1,2}\b|\b\d{1,2} ?[-–] ?\d{1,2}\b|\b\d+ ?(?:am|pm)\b`,
  'i',
)

const hasMonth = new RegExp(String.raw`\b${month}\b`)

const does = '(?:is|are|was|were|do|does|did|will|would|has|have|should|can|must)'
/** The words that ask, after what may lead to them. */
const asking = /^\W*(?:(?:and|so|then|by|since|until|from|till|for|on|at) )?(how|what|which|when)/i
const next = (what: string): RegExp => new RegExp(`^(?:${what})`, 'i')

/**
 * What questions ask for: what follows the word that asks, and how a note tells it. In patterns of one word each, since one of
 * all takes a command milliseconds to compile.
 */
interface Kind {
  readonly how?: RegExp
  /** After "which", too. */
  readonly what?: RegExp
  readonly when?: RegExp
  readonly isTold: (note: string) => boolean
}

const kinds: readonly Kind[] = [
  {
    how: next(String.raw` much (?:${does}|for)\b`),
    what: next(
      String.raw`(?: is| are| was| were| will| would| do| does| did|.s)? (?!decides)[^?]*\b(?:prices?|costs?|charges?|fees?|rent|salary|pays?|paid|bill)\b`,
    ),
    isTold: (note) => money.test(note) || bareSum.test(withoutMeasures(quantitiesOf(note))),
  },
  {
    how: next(String.raw` many\b`),
    isTold: (note) => /\d/.test(quantitiesOf(note)) || hasSpelt.test(note),
  },
  { how: next(String.raw` long ${does}\b`), isTold: (note) => lasting.test(note) },
  {
    what: next(
      String.raw`(?: is|.s)? (?:\w+ ){0,2}(?:passcode|code|pin|(?:phone |telephone )?number|port|version|extension)\b(?! (?:of|does|do|is) (?:conduct|review))`,
    ),
    isTold: (note) => /\d/.test(note.replace(dates, ' ').replace(/\b\d{1,2}:\d\d\b/g, ' ')),
  },
  {
    what: next(String.raw` (?:day|date|time|month|year|week)s? ${does}\b`),
    when: next(String.raw` ${does}\b`),
    isTold: (note) => moment.test(note) || hasMonth.test(note),
  },
]

/** The kinds of thing that a question asks for. */
function kindsAsked(question: string): Kind[] {
  const [opening = '', word = ''] = asking.exec(question) ?? []
  const lower = word.toLowerCase() as '' | 'how' | 'what' | 'which' | 'when'
  if (lower === '') return []
  const rest = question.slice(opening.length)
  return kinds.filter((kind) => kind[lower === 'which' ? 'what' : lower]?.test(rest))
}

/** Words of which one excludes the others of its row, each with what else it is called. */
const exclusive: Readonly<Record<string, readonly string[]>> = {
  stage: ['production prod live', 'staging stage', 'development dev local locally', 'testing test qa'],
  title: ['mr', 'ms mrs'],
  scope: ['internal', 'public external'],
  direction: ['inbound incoming', 'outbound outgoing'],
  stream: ['upstream', 'downstream'],
  end: ['frontend', 'backend'],
  place: ['indoor indoors', 'outdoor outdoors'],
  system: ['ios', 'android', 'windows', 'macos', 'linux'],
  country: [
    'austria austrian',
    'belgium belgian',
    'brazil brazilian',
    'canada canadian',
    'czechia czech',
    'denmark danish',
    'finland finnish',
    'france french',
    'germany german',
    'greece greek',
    'hungary hungarian',
    'iceland icelandic',
    'india indian',
    'ireland irish',
    'italy italian',
    'japan japanese',
    'mexico mexican',
    'netherlands dutch',
    'norway norwegian',
    'poland',
    'portugal portuguese',
    'romania romanian',
    'spain spanish',
    'sweden swedish',
    'switzerland swiss',
  ],
  colour: ['red', 'blue', 'green', 'yellow', 'black', 'white', 'grey gray', 'brown', 'purple'],
}
const choiceOfWord = new Map(
  Object.entries(exclusive).flatMap(([choice, rows]) =>
    rows.flatMap((row) => {
      const [which = '', ...others] = row.split(' ')
      return [which, ...others].map((word) => [word, [choice, which] as const] as const)
    }),
  ),
)
/** With capitals only: each is a word of its own. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const isMonth: ReadonlySet<string> = new Set(months)
const isWeekday: ReadonlySet<string> = new Set(weekdayForms.flat().flatMap((form) => [form, `${form}s`]))
/** Behind these a day or month bounds what is asked for, and is not itself asked for. */
const bounding = /\b(?:before|after|until|till|by|since|from|to|eve of)\s+$/i
const boundedWithin = 16

/** Of a word that is one of several that exclude each other: which several, and which of them. */
function choiceOf(word: string): readonly [choice: string, which: string] | undefined {
  const lower = word.toLowerCase()
  const known = choiceOfWord.get(lower)
  if (known !== undefined) return known
  if (methods.has(word)) return ['method', word]
  if (/^(?:19|20)\d\d$/.test(word)) return ['year', word]
  if (/^q[1-4]$/.test(lower)) return ['quarter', lower]
  if (isMonth.has(word)) return ['month', lower.slice(0, 3)]
  // "Sat" and "sun" are words of their own.
  return isWeekday.has(lower) && lower.length > 3 ? ['weekday', lower.slice(0, 3)] : undefined
}

/** The choices that a text makes: year, stage and the like, and the numbers of numbered things ("part two", "room 4"). */
function choicesOf(text: string, { bounds }: { bounds: boolean }): Map<string, Set<string>> {
  const choices = new Map<string, Set<string>>()
  const add = (choice: string, which: string): void => {
    choices.set(choice, (choices.get(choice) ?? new Set()).add(which))
  }
  for (const { 0: word, index } of text.matchAll(/[A-Za-z]+|\d+/g)) {
    if (/\d/.test(word) && /[\w.:-]/.test(text[index - 1] ?? '')) continue
    const found = choiceOf(/^q$/i.test(word) ? text.slice(index, index + 2) : word)
    if (
      found !== undefined &&
      (bounds || !bounding.test(text.slice(Math.max(0, index - boundedWithin), index)))
    )
      add(...found)
  }
  const bare = withoutMeasures(text)
  // Patterns that need a digit are not compiled for a text without one.
  if (/\d/.test(text)) {
    for (const [version] of bare.matchAll(release)) add('version', version.replace(/^v/i, ''))
    for (const [, name = '', number = ''] of text.matchAll(numberedName))
      add(`number of ${name.toLowerCase()}`, number)
  }
  for (const [, thing = '', number = ''] of mayNumber(bare) ? bare.matchAll(numberedThing) : []) {
    const name = thing.toLowerCase().replace(/s$/, '')
    // A small letter is an article: "we have a backup" numbers nothing.
    if (/^[a-z]$/.test(number) || choiceOf(thing) !== undefined || unnumbered.test(name)) continue
    const spelled = cardinals.indexOf(number.toLowerCase())
    add(`number of ${name}`, spelled > 0 ? String(spelled) : number.toUpperCase())
  }
  return choices
}
/** "4.19", "v3.8.1"; a price or a size has a unit or a sign. */
const release = new RegExp(
  String.raw`(?<![\w.,$€£-])v?\d{1,3}\.\d{1,3}(?:\.\d{1,4})?(?![\w%]|[.,]\d| ?(?:%|${currency})(?!\w))`,
  'gi',
)
/** Whether two versions may be one: "5.2" and "5.2.1". */
const isOneVersion = (a: string, b: string): boolean =>
  `${a}.`.startsWith(`${b}.`) || `${b}.`.startsWith(`${a}.`)

/** Codes of one series: "ERR_CONN_4417", "E-171", "db-07", "E4012". */
const numberedName = /\b([a-z][a-z_.-]{0,24}[_-](?=\d\d)|[a-z]{1,8}(?=\d{3}))(\d{2,8})(?![\w.]*\w)/gi
/** Before a number they name no thing that bears it. */
const unnumbered =
  /^(?:about|until|around|than|at|in|of|the|to|for|is|on|by|a|from|with|and|or|port|version|only|takes?|costs?)$/
const numberedThing = new RegExp(
  String.raw`\b([a-z]+)\.?[ -](\d{1,3}|[A-HJ-Z]|${any(cardinals.slice(1, 10))})\b(?![:.,]\d)(?! ?(?:${month}|%))`,
  'gi',
)

/** Whether a text holds a number, or a letter in the place of one: to compile the pattern takes a command two milliseconds. */
const mayNumber = (text: string): boolean =>
  text
    .split(/\W+/)
    .some((word) => /^(?:\d{1,3}|[A-HJ-Z])$/.test(word) || cardinals.includes(word.toLowerCase()))

/** Characters that are read, of the question and of a note: what longer ones tell is of many things. */
const maxRead = 2_000

/** Finds what keeps notes from answering a question; undefined where nothing could. */
export function createMisfit(question: string): ((note: string) => Misfit | undefined) | undefined {
  if (question.length > maxRead) return undefined
  const asked = kindsAsked(question)
  const named = choicesOf(question, { bounds: false })
  const leavesOpen = createOpenReading(question)
  if (asked.length === 0 && named.size === 0 && leavesOpen === undefined) return undefined
  return (note) => {
    // The question itself, kept as a note, is what is asked for if anything is.
    if (note.trim() === question.trim()) return undefined
    // Of a long note nobody can say what it does not tell.
    if (note.length > maxRead) return undefined
    if (leavesOpen?.(note)) return 'open'
    if (asked.some(({ isTold }) => !isTold(note))) return 'untold'
    if (named.size === 0) return undefined
    const told = choicesOf(note, { bounds: true })
    for (const [choice, which] of named) {
      const others = told.get(choice)
      const isMet = (one: string): boolean =>
        others?.has(one) === true ||
        (choice === 'version' && [...(others ?? [])].some((other) => isOneVersion(one, other)))
      if (others !== undefined && ![...which].some(isMet)) return 'other'
    }
    return undefined
  }
}
