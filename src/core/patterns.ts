/** What patterns need of names and texts that people chose. */

/** Decimal numbers: `Number` alone would accept 0x10 as 16. */
export const decimalNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

export const controlCharacters = /\p{Cc}/u

/** The text as a part of a regular expression that matches it and nothing else, with the flag `u` or without. */
export const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Whether a text has a name in it, as a word or several. */
export const mentions = (text: string, name: string): boolean =>
  new RegExp(`(?<!\\p{L})${literally(name)}(?!\\p{L})`, 'iu').test(text)

/** The text with each run of white space as one blank or line end: patterns that look for it try every part of a run. */
export const squeeze = (text: string): string =>
  text.replace(/\s{2,}/g, (run) => (run.includes('\n') ? '\n' : ' '))
