/** What keeps a note from answering a question, and how people are told. */

export const misfits = {
  open: 'asks the same and does not tell',
  untold: 'does not tell what kind of thing is asked for',
  other: 'tells of another one than the question names',
  elsewhen: 'is of another time than the question asks about',
} as const

/**
 * The note leaves open what is asked for; or it tells nothing of that kind; or it tells of another year, stage, room
 * than the one named; or it is of another time, and others are of the one asked about.
 */
export type Misfit = keyof typeof misfits
