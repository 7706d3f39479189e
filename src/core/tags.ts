/**
 * Tags of records that are captured automatically: a person can find them, and `prime` leaves out what should not be
 * read aloud.
 */

/** A section of a session's summary made by compaction. */
export const summaryTag = 'session-summary'
/** A commit made in a session. */
export const commitTag = 'commit'
/** What made a failing command pass. */
export const fixTag = 'fix'
