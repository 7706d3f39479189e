/**
 * Days that a text tells relative to a moment, read by those of chrono's parsers that its words call for: all of them take
 * a process that asks once longer to compile than everything else it does. Knows chrono; which words call for it stands
 * in `dates.ts`.
 */
import { Chrono, ParsingContext } from 'chrono-node'
import { configuration } from 'chrono-node/en'

/** A time as chrono found it. */
export interface FoundTime {
  /** Where it begins, in UTF-16 code units, and its words. */
  readonly index: number
  readonly text: string
  /** Milliseconds since the epoch; the end is undefined where it tells none. */
  readonly start: number
  readonly end: number | undefined
}

/**
 * The times in `text`, by the parsers whose patterns hold any of `marks`; by all of them where none does. `now` in
 * milliseconds since the epoch.
 */
export function readRelativeTimes(text: string, now: number, marks: readonly RegExp[]): FoundTime[] {
  const moment = new Date(now)
  const { parsers, refiners } = configuration.createCasualConfiguration()
  const context = new ParsingContext(text, moment)
  const called = parsers.filter((parser) => {
    const { source } = parser.pattern(context)
    return marks.some((mark) => mark.test(source))
  })
  const chrono = new Chrono({ parsers: called.length > 0 ? called : parsers, refiners })
  return chrono.parse(text, moment).map(({ index, text: found, start, end }) => ({
    index,
    text: found,
    start: start.date().getTime(),
    end: end?.date().getTime(),
  }))
}
