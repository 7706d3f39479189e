/** How text looks on a terminal: colours where wanted, and control bytes made visible. */
import { styleText } from 'node:util'

export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
  /** Columns to wrap at; infinite where nobody reads on a terminal. */
  readonly width: number
}

const plain = (text: string): string => text

const painted =
  (format: Exclude<keyof Style, 'width'>) =>
  (text: string): string =>
    // Whether to colour was decided by then: Node would look at its own standard output.
    styleText(format, text, { validateStream: false })

export const createStyle = (colour: boolean, width = Number.POSITIVE_INFINITY): Style => {
  if (!colour) return { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain, width }
  return {
    bold: painted('bold'),
    dim: painted('dim'),
    red: painted('red'),
    green: painted('green'),
    yellow: painted('yellow'),
    cyan: painted('cyan'),
    width,
  }
}

/** As JSON writes it, so that a line of JSON stays what it is. */
const escaped = (characters: string): string =>
  characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** What a terminal can do nothing with but print: the most of what there is. */
const harmless = /^[\n\t\u0020-\u007e]*$/

/**
 * Controls, both old sets, and separators of lines; what turns the direction of writing; what has no width, or none on most
 * terminals, tags and fillers among them. Joiners are left where scripts and pictures are written with them.
 */
const createHidden = (): RegExp =>
  new RegExp(
    '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069' +
      '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb' +
      '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]' +
      '|(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\u0900-\\u0dff])[\\u200c\\u200d]',
    'gu',
  )

let hidden: RegExp | undefined

/**
 * Stored text for a terminal: whatever could move the cursor, change colours, turn the order of what is read or hide is shown,
 * not done. All text that is not ours goes through here before it reaches one.
 */
export function visible(text: string): string {
  if (harmless.test(text)) return text
  hidden ??= createHidden()
  return text.replace(hidden, escaped)
}
