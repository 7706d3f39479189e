/**
 * The history of a repository as notes: what was done and why, released versions, and as flags what was reverted.
 * Knows what is worth remembering; git is called elsewhere.
 */
import { noteOfCommit } from '../agents/capture.ts'
import { type HistoryEntry, readHistory, readTags, type Tag } from '../agents/git.ts'
import { BrainError } from '../core/errors.ts'
import { ForeignSource, originOf } from './foreign-source.ts'
import type { ForeignNote } from './formats/foreign-note.ts'

const maxCommits = 100_000
/** Caution of what had to be taken back, and of what breaks those who upgrade. */
const revertCaution = 0.5

/** Conventional Commits: a change that breaks its users says so in its subject or in a line of its body. */
const isBreaking = ({ subject, body }: HistoryEntry): boolean =>
  /^\w+(?:\([^)]*\))?!:/.test(subject) || /^BREAKING[ -]CHANGE:/m.test(body)

function noteOf(entry: HistoryEntry): ForeignNote[] {
  const note = noteOfCommit(entry)
  if (note === undefined) return []
  const origin = entry.hash.slice(0, 10)
  const about = { id: entry.hash, commit: entry.hash, createdAt: entry.at, origin }
  if (entry.reverts !== undefined) {
    const text = note.text.replace(/^Commit \w+: Revert "(.+)"/, `Reverted (commit ${origin}): $1`)
    return [{ text, caution: revertCaution, ...about }]
  }
  const text = isBreaking(entry) ? note.text.replace(/^Commit/, 'Breaking change, commit') : note.text
  return [{ text, ...about }]
}

const noteOfTag = ({ name, at, subject, body, commit }: Tag): ForeignNote => {
  const said = [subject, body].filter((part) => part !== '' && part !== name).join('\n')
  return {
    text: `Version ${name} (commit ${commit.slice(0, 10)})${said === '' ? '' : `: ${said}`}`,
    id: `${name} ${commit}`,
    commit,
    createdAt: at,
    origin: name,
  }
}

/** The notes of a repository's history, as they are read. @throws BrainError `invalid` where git finds none. */
export function openHistory(directory: string): ForeignSource {
  return new ForeignSource(async function* (source) {
    const give = (note: ForeignNote): ForeignNote => {
      source.count('git')
      return { ...note, ...(note.id !== undefined && { id: originOf('git', note.id) }) }
    }
    let commits = 0
    for await (const entry of readHistory(directory, maxCommits)) {
      commits += 1
      for (const note of noteOf(entry)) yield give(note)
    }
    if (commits === 0)
      throw new BrainError('invalid', `${directory} has no history that git could read: name a repository`)
    for await (const tag of readTags(directory)) yield give(noteOfTag(tag))
  })
}
