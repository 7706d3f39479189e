/** Makes names of texts, such as a process's environment has about the circumstances in which records are kept. */
import { maxNameLength } from './limits.ts'

/** A text without control characters, truncated to the 128 code points of a name; empty if nothing is left. */
export function inName(text: string): string {
  const clean = text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return [...clean].slice(0, maxNameLength).join('').trim()
}

/** A text as a name; null if nothing is left. */
export const toName = (text: string | undefined): string | null => inName(text ?? '') || null
