/** What in a note may be a value of a measure, and what it counts: no serial number, no hour, no day. */

import { clockFigures, clockSpans, clockTimesOf } from '../../core/quantities/clock.ts'
import { type Figure, figuresOf } from '../../core/quantities/figures.ts'
import { mayNameQuantity } from '../../core/quantities/words.ts'
import { spansOf } from './days.ts'
import { type Night, noteAt, perNote } from './material.ts'
import { isContent, tokensOf } from './reading.ts'
import { localDay } from './wording.ts'

/** Figures of one note. */
const maxFigures = 12

/** A number without a unit may be of any kind: "248" after "210 euros". */
export const isBare = (kind: string): boolean => kind === 'plain' || kind.startsWith('count')

/** The figures of a note that may be values of a measure. */
export interface FigureReading {
  readonly position: number
  readonly figures: readonly Figure[]
}

/** What a plain number counts, where a noun follows it: "18 membranes". */
function counted(text: string, figure: Figure): string {
  const next = tokensOf(text.slice(figure.end, figure.end + 40))[0]
  if (next === undefined || next.start > 1 || next.kind !== 'word' || !isContent(next)) return ''
  return /s$/.test(next.lower) || next.lower.length > 3 ? next.term : ''
}

/** Directly behind a noun that numbers things: "week 12", "batch 33", "rack 4". */
const numbering =
  /\b(?:week|day|batch|round|no|nr|number|build|version|invoice|page|ticket|issue|pr|run|cycle|box|well|site|sprint|chapter|node|rack|gate|disk|floor|room|port|step|phase|part|lot|order|form|incubator|line|level|grade|class|v|released?|tank|buffers?)\s*$/i

/** Before an hour: "out by 9", "moves the car by 7.30". */
const isHour = /\b(?:by|before|after|until|till)\s+$/i

/** What a decimal below one is a share of. */
const ofWhole = /\b(?:share|fraction|proportion|ratio)\b/i

/** "200 mails, of which it forwarded 37": what is of a number named before. */
function sharesIn(text: string, figures: readonly Figure[]): Figure[] {
  return figures.slice(1).flatMap((part, at) => {
    const whole = figures[at]
    if (whole === undefined || whole.kind !== 'plain' || part.kind !== 'plain' || part.value >= whole.value)
      return []
    if (!/^[^.;!?]*\bof (?:which|them|these|those)\b[^.;!?]*$/i.test(text.slice(whole.end, part.start)))
      return []
    const written = text.slice(whole.start, part.end)
    const value = (100 * part.value) / whole.value
    return [{ value, kind: 'share', written, start: whole.start, end: part.end, scale: 1 }]
  })
}

/** More times of day than this in a note are a timetable; and of more than so many none is the one of what is told. */
const mostTimes = 4
const mostAlone = 2

/** Before a value that ought to be, not one that was read: "should be between 1.2 and 1.8 bar". */
const meant =
  /\b(?:should|must|may|shall|has to|have to|needs? to|ought to)(?: not| never)? be\b(?:[^.;!?]|\.\d){0,40}$/i

/** The figures of a note that were measured; undefined without any, and for a table. */
export const readFigures = (night: Night, position: number): FigureReading | undefined => {
  const { text } = noteAt(night, position)
  const figures = figuresAt(night, position).figures.filter(({ start }) => !meant.test(text.slice(0, start)))
  return figures.length > 0 ? { position, figures } : undefined
}

const figuresAt = perNote((night, position): FigureReading => {
  const none = { position, figures: [] }
  const { text, at } = noteAt(night, position)
  if (!mayNameQuantity.test(text)) return none
  const days = spansOf(text, localDay(at, night.input.timeZone)).map(({ written }) => written)
  const read = figuresOf(text)
  const times = clockTimesOf(text)
  const isTime = ({ start, end }: Figure): boolean =>
    times.some((time) => start < time.end && end > time.start)
  const figures = [...read, ...clockSpans(times, 3, mostTimes), ...sharesIn(text, read)].flatMap((figure) => {
    if (figure.kind === 'plain' && isTime(figure)) return []
    if (figure.value <= 0 || (figure.value === 1 && figure.kind === 'plain')) return []
    if (days.some((written) => written.includes(figure.written) && figure.kind === 'plain')) return []
    if (figure.kind === 'money' && /pounds?$/i.test(figure.written))
      return [figure, { ...figure, kind: 'mass', value: figure.value * 0.453_6 }]
    if (figure.kind !== 'plain') return [figure]
    if (figure.value < 1 && ofWhole.test(text))
      return [{ ...figure, kind: 'share', value: figure.value * 100 }]
    const before = text.slice(Math.max(0, figure.start - 16), figure.start)
    if (numbering.test(before) || (isHour.test(before) && /^\d{1,2}(?:\.[0-5]\d)?$/.test(figure.written)))
      return []
    const noun = counted(text, figure)
    return [noun === '' ? figure : { ...figure, kind: `count of ${noun}` }]
  })
  if (times.length <= mostAlone) figures.push(...clockFigures(times))
  // A table or a log has no one value, and to try all of many takes hours.
  return figures.length <= maxFigures ? { position, figures } : none
})

/** A measure whose values creep does not become so many times as large. */
export const widest = 4
/** And of numbers without a unit less is believed. */
const widestBare = 2.5

/** Whether two notes may hold values of one measure, by their figures alone: of a unit, and without one. */
export function figuresInCommon(
  night: Night,
  earlier: number,
  later: number,
): Readonly<Record<'unit' | 'bare', boolean>> {
  const [ours, theirs] = [figuresAt(night, earlier).figures, figuresAt(night, later).figures]
  const ratio = (a: Figure, b: Figure): number => Math.max(a.value / b.value, b.value / a.value)
  const some = (isMeant: (a: Figure, b: Figure) => boolean): boolean =>
    ours.some((a) => theirs.some((b) => isMeant(a, b)))
  return {
    unit: some((a, b) => a.kind === b.kind && !isBare(a.kind) && ratio(a, b) <= widest),
    bare: some((a, b) => isBare(a.kind) && isBare(b.kind) && ratio(a, b) <= widestBare),
  }
}
