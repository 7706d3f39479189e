/**
 * Due dates as iCalendar (RFC 5545): an event for each open prediction that has one, for whichever calendar the person
 * keeps. Knows the format's lines; nothing of files.
 */
import { toInstant } from '../../core/instant.ts'
import { endsDay } from '../../core/moments.ts'
import { version } from '../../version.ts'

export interface DuePrediction {
  readonly id: number
  readonly prediction: string
  readonly domain: string
  readonly confidence: number
  readonly created_at: string
  readonly due_at: string | null
  readonly outcome: string | null
}

/** Maximum octets of a line; a longer one is continued on the next, after a space. */
const longestLine = 75

/** Text as a value: its own marks escaped, and no character that would end the line or not be there. */
const toValue = (text: string): string =>
  text
    .replace(/[\\;,]/g, (mark) => `\\${mark}`)
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ')

function fold(line: string): string {
  let folded = ''
  let room = longestLine
  for (const character of line) {
    const octets = Buffer.byteLength(character)
    if (octets > room) {
      folded += '\r\n '
      room = longestLine - 1
    }
    folded += character
    room -= octets
  }
  return folded
}

/** 20260131T120000Z */
const toStamp = (milliseconds: number): string =>
  `${toInstant(milliseconds).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** The whole day where the due date is one, else the moment. */
const toStart = (due: number): string =>
  endsDay(due) ? `DTSTART;VALUE=DATE:${toStamp(due).slice(0, 8)}` : `DTSTART:${toStamp(due)}`

function toEvent({ id, prediction, domain, confidence, created_at, due_at }: DuePrediction): string[] {
  if (due_at === null) return []
  const [made, due] = [Date.parse(created_at), Date.parse(due_at)]
  return [
    'BEGIN:VEVENT',
    // The same at every reading, so that a calendar moves the entry it has.
    `UID:prediction-${id}-${made}@brain`,
    `DTSTAMP:${toStamp(made)}`,
    toStart(due),
    `SUMMARY:${toValue(`Prediction ${id}: ${prediction}`)}`,
    `DESCRIPTION:${toValue(`${Math.round(confidence * 100)} % in ${domain}. brain resolve ${id} correct|incorrect|partial --actual "…"`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** The calendar, without its last line end. */
export const toCalendar = (predictions: readonly DuePrediction[]): string =>
  `${[
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//brain//predictions ${version}//EN`,
    'CALSCALE:GREGORIAN',
    ...predictions.filter(({ outcome }) => outcome === null).flatMap(toEvent),
    'END:VCALENDAR',
  ]
    .map(fold)
    .join('\r\n')}\r`
