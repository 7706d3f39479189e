/** How text looks on a terminal: colours where wanted, and control bytes made visible. */
import kleur from 'kleur'

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

export const createStyle = (colour: boolean, width = Number.POSITIVE_INFINITY): Style => {
  kleur.enabled = colour
  if (!colour) return { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain, width }
  return {
    bold: (text) => kleur.bold(text),
    dim: (text) => kleur.dim(text),
    red: (text) => kleur.red(text),
    green: (text) => kleur.green(text),
    yellow: (text) => kleur.yellow(text),
    cyan: (text) => kleur.cyan(text),
    width,
  }
}

/** Stored text for a terminal: whatever could move the cursor or change colours is shown, not done. */
export const visible = (text: string): string =>
  text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
