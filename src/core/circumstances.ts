/** Normalises what a process's environment says about the circumstances in which records are kept. */

const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g
const maxLength = 128

/** A text as a name of 1 to 128 code points without control characters, truncated if longer; null if nothing is left. */
export function toName(text: string | undefined): string | null {
  const clean = (text ?? '').toWellFormed().replace(controlCharacters, ' ').trim()
  return clean === '' ? null : [...clean].slice(0, maxLength).join('').trim()
}
