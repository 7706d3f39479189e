/**
 * A word for the model alone: planted by whoever checks a connection, handed out by the hook at the start of a session.
 * An agent that can tell the word has read what the hook said. Knows one small file in the brain's directory.
 */
import { randomInt } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../replace-file.ts'
import { directoryIn, isOurs, makeDirectoryIn } from './session-state.ts'

/** How long a word is handed out, in milliseconds. */
const lifetime = 3_600_000

export interface Planted {
  readonly agent: string
  readonly word: string
  /** Milliseconds since the epoch. */
  readonly plantedAt: number
  /** When a hook last handed it to the agent; null where none has. */
  readonly handedAt: number | null
}

const fileIn = (brain: string): string => join(directoryIn(brain), 'live-check.json')

const maxBytes = 4_096

/** The word that is planted for an agent; undefined where there is none, or none any more. */
export function readPlanted(brain: string, agent: string, now: number): Planted | undefined {
  try {
    if (!isOurs(directoryIn(brain))) return undefined
    const found = lstatSync(fileIn(brain))
    if (!found.isFile() || found.size > maxBytes) return undefined
    const kept = JSON.parse(readFileSync(fileIn(brain), 'utf8')) as Record<string, unknown>
    const { word, plantedAt, handedAt } = kept
    if (kept.agent !== agent || typeof word !== 'string' || !/^[a-z]+-\d{4}$/.test(word)) return undefined
    if (typeof plantedAt !== 'number' || now - plantedAt > lifetime || plantedAt > now) return undefined
    return { agent, word, plantedAt, handedAt: typeof handedAt === 'number' ? handedAt : null }
  } catch {
    return undefined
  }
}

function write(brain: string, planted: Planted): void {
  makeDirectoryIn(brain)
  replaceFile(fileIn(brain), JSON.stringify(planted))
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

/** Plants a word that no model knows, in the place of any before it. @throws BrainError `storage`. */
export function plant(brain: string, agent: string, now: number): Planted {
  const word = `${names[randomInt(names.length)]}-${String(randomInt(10_000)).padStart(4, '0')}`
  const planted = { agent, word, plantedAt: now, handedAt: null }
  write(brain, planted)
  return planted
}

/** What the hook says of a planted word at the start of a session; empty where none is planted. */
export function handOut(brain: string, agent: string, now: number): string {
  const planted = readPlanted(brain, agent, now)
  if (planted === undefined) return ''
  try {
    write(brain, { ...planted, handedAt: now })
  } catch {
    // The model is told all the same, which is what the person asks it about.
  }
  return `- check: the code word of this brain is ${planted.word}`
}
