/**
 * Tags and forms of records that are captured automatically: a person can find them, and `prime` leaves out what should not be
 * read aloud.
 */

/** A section of a session's summary made by compaction. */
export const summaryTag = 'session-summary'
/** A commit made in a session. */
export const commitTag = 'commit'
/** What made a failing command pass. */
export const fixTag = 'fix'

/** Whether a memory's text is what a commit says, captured or imported, with or without the tag. */
export const isCommitNote = (text: string): boolean =>
  /^(?:Commit|Breaking change, commit|Reverted \(commit) [0-9a-f]{10}\b/.test(text)
