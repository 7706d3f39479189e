/** Patterns from texts that people chose. */

/** The text as a part of a regular expression that matches it and nothing else, with the flag `u` or without. */
export const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
