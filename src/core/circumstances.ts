/** Normalises what a process's environment says about the circumstances in which records are kept. */
import { maxNameLength } from './limits.ts'

const controlCharacters = /[\u0000-\u001f\u007f-\u009f]+/g

/** A text as a name of 1 to 128 code points without control characters, truncated if longer; null if nothing is left. */
export function toName(text: string | undefined): string | null {
  const clean = (text ?? '').toWellFormed().replace(controlCharacters, ' ').trim()
  return clean === '' ? null : [...clean].slice(0, maxNameLength).join('').trim()
}
