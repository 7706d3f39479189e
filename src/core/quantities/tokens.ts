/** Takes a text apart for `figures.ts`: words, marks, and numbers without what is written onto them. */
import { units } from './words.ts'

export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Directly behind the token before it. */
  readonly joined: boolean
}

/** A number with what is written onto it: "€16,300", "5.4kg", "2h05", "5-10", "96%". */
const numeric =
  /^(?<sign>[€$£])?(?<number>\d{1,3}(?:[ ,'’]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?:[-–](?<upTo>\d+(?:[.,]\d+)?))?-?(?<unit>°?\p{L}+³?(?:\/s)?|[%€$£°])?(?<more>\d\d)?$/u

/** Letters that multiply: "800k rows", "5M rows". Metres are "5m". */
const scaleLetters: ReadonlyMap<string, string> = new Map([
  ['k', 'thousand'],
  ['K', 'thousand'],
  ['M', 'million'],
])

const opening = /^["'“‘([~≈<>]*/u
const closing = new Set('"\'”’)],.;:!?…')

/** What is written between the marks around it; step by step, since a pattern tries the end from each of its places. */
function withoutMarks(chunk: string): { open: string; core: string; close: string } {
  const [open = ''] = opening.exec(chunk) ?? []
  let end = chunk.length
  while (end > open.length && closing.has(chunk.charAt(end - 1))) end -= 1
  return { open, core: chunk.slice(open.length, end), close: chunk.slice(end) }
}

/** The tokens of a text; what has digits and is no number (versions, paths, dates, names) is one that nothing reads. */
export function tokensIn(text: string): Token[] {
  const tokens: Token[] = []
  const add = (written: string, start: number, { joined = false, length = written.length } = {}): void => {
    tokens.push({ text: written.toLowerCase(), start, end: start + length, joined })
  }
  // Cubic metres are written with a digit by most.
  for (const chunk of text
    .replace(/(?<!\p{L})m3(?![\p{L}\p{N}])/gu, 'm³')
    .matchAll(/(?<!\S)\d{1,3}(?: \d{3})+(?![\p{L}\p{N}.,:/-])|\S+/gu)) {
    const { open, core, close } = withoutMarks(chunk[0])
    const start = chunk.index + open.length
    if (/\d/.test(core)) {
      const {
        sign = '',
        number = '',
        upTo,
        unit = '',
        more,
      } = numeric.exec(core.replace(/ish$/, ''))?.groups ?? {}
      const minus = /^[-−]$/.test(core.slice(0, 1))
      if (minus) {
        // "-20 °C", and no range or option.
        const cold = numeric.exec(core.slice(1))?.groups
        if (cold?.number !== undefined && cold.sign === undefined && cold.upTo === undefined) {
          add('minus', start, { length: 1 })
          add(cold.number, start + 1, { joined: true })
          if (cold.unit !== undefined) add(cold.unit, start + core.length - cold.unit.length)
          continue
        }
      }
      const [, minutes, seconds] = /^(\d{1,3})m(\d{1,2})s$/.exec(core) ?? []
      if (minutes !== undefined && seconds !== undefined) {
        add(minutes, start)
        add('min', start + minutes.length, { length: 1 })
        add(seconds, start + minutes.length + 1)
        add('s', start + core.length - 1)
        continue
      }
      const scale = scaleLetters.get(unit)
      const isUnit = unit === '' || scale !== undefined || units.has(unit.toLowerCase())
      // "0203" names something; "9 min 05 s" does not.
      const isPart = number.length === 2 && units.get(tokens.at(-1)?.text ?? '')?.kind === 'duration'
      const isCode = /^0\d+$/.test(number) && unit === '' && !isPart
      if (number === '' || isCode || !isUnit || (more !== undefined && unit !== 'h')) add('', start)
      else {
        if (sign !== '') add(sign, start)
        add(number, start + sign.length)
        if (upTo !== undefined) add(upTo, start + core.length - unit.length - upTo.length, { joined: true })
        if (scale !== undefined) add(scale, start + core.length - 1, { length: 1 })
        else if (unit !== '') add(unit, start + core.length - (more ?? '').length - unit.length)
        if (more !== undefined) add(more, start + core.length - more.length)
      }
    } else {
      for (const word of core.matchAll(/°[cf]?|\p{L}+³?(?:\/s)?|\S/giu))
        add(word[0], start + word.index, { joined: word.index > 0 })
    }
    if (close !== '') add(close.slice(0, 1), start + core.length, { joined: true })
  }
  return tokens
}
