/**
 * A word for the model alone: issued by whoever checks a connection, revealed by the hook at the start of a session.
 * An agent that can tell the word has read what the hook said. Knows one small file in the brain's directory.
 */
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { msPerHour } from '../core/durations.ts'
import { isObject } from '../core/json.ts'
import { readPlain } from '../direct-files.ts'
import { replaceFile } from '../replace-file.ts'
import { directoryIn, isOurs, makeDirectoryIn } from './session-state.ts'

/** How long a word is revealed, in milliseconds. */
const lifetime = msPerHour

export interface IssuedWord {
  readonly agent: string
  readonly word: string
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
  /** When a hook last revealed it to the agent; null where none has. */
  readonly revealedAt: number | null
}

const fileIn = (brain: string): string => join(directoryIn(brain), 'live-check.json')

const maxBytes = 4_096

/** The word that was issued to an agent; undefined where there is none, or none any more. */
export function readIssued(brain: string, agent: string, now: number): IssuedWord | undefined {
  try {
    if (!isOurs(directoryIn(brain))) return undefined
    const kept: unknown = JSON.parse(readPlain(fileIn(brain), maxBytes)?.bytes.toString() ?? 'null')
    if (!isObject(kept)) return undefined
    const { word, issuedAt, revealedAt } = kept
    if (kept.agent !== agent || typeof word !== 'string' || !/^[a-z]+-\d{4}$/.test(word)) return undefined
    if (typeof issuedAt !== 'number' || now - issuedAt > lifetime || issuedAt > now) return undefined
    return { agent, word, issuedAt, revealedAt: typeof revealedAt === 'number' ? revealedAt : null }
  } catch {
    return undefined
  }
}

function write(brain: string, issued: IssuedWord): void {
  makeDirectoryIn(brain)
  replaceFile(fileIn(brain), JSON.stringify(issued))
}

const names = [
  'heron',
  'maple',
  'copper',
  'lantern',
  'harbour',
  'pepper',
  'granite',
  'willow',
  'saddle',
  'ember',
]

/** Issues a word that no model knows, in the place of any before it. @throws BrainError `storage`. */
export function issueCheck(brain: string, agent: string, now: number): IssuedWord {
  const word = `${names[randomInt(names.length)]}-${String(randomInt(10_000)).padStart(4, '0')}`
  const issued = { agent, word, issuedAt: now, revealedAt: null }
  write(brain, issued)
  return issued
}

/** What the hook says of an issued word at the start of a session; empty where none is issued. */
export function revealCheck(brain: string, agent: string, now: number): string {
  const issued = readIssued(brain, agent, now)
  if (issued === undefined) return ''
  try {
    write(brain, { ...issued, revealedAt: now })
  } catch {
    // The model is told all the same, which is what the person asks it about.
  }
  return `- check: the code word of this brain is ${issued.word}`
}
