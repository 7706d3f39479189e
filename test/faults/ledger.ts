/**
 * What happened to a brain, written down outside of it: each intention before, each acknowledgement after. Knows
 * which texts must be there, which must not, and which may be either; never half of a group.
 */
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Entry {
  readonly action: 'add' | 'forget'
  readonly state: 'begun' | 'acknowledged'
  /** Added or forgotten together, all or none. */
  readonly texts: readonly string[]
}

/** Appends in one system call, so that a killed process leaves whole lines. */
export function createLedger(file: string): (entry: Entry) => void {
  return (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`)
}

export function readLedgers(directory: string): Entry[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter((name) => name.endsWith('.ledger'))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry)
}

export interface Verdict {
  /** Acknowledged additions and forgettings that were looked for. */
  readonly checked: number
  /** Acknowledged, and not there. */
  readonly lost: string[]
  /** Acknowledged as forgotten, and still there. */
  readonly undead: string[]
  /** There more than once. */
  readonly doubled: string[]
  /** Groups of which some are there and some are not. */
  readonly halves: string[]
  /** There, and nobody's. */
  readonly unknown: string[]
}

/** Compares what the ledgers say with the texts that are there. */
export function judge(entries: readonly Entry[], present: readonly string[]): Verdict {
  const count = new Map<string, number>()
  for (const text of present) count.set(text, (count.get(text) ?? 0) + 1)
  const ofKind = (action: Entry['action'], state: Entry['state']): Entry[] =>
    entries.filter((entry) => entry.action === action && entry.state === state)
  const begunForgetting = new Set(ofKind('forget', 'begun').flatMap(({ texts }) => texts))
  const forgotten = ofKind('forget', 'acknowledged').flatMap(({ texts }) => texts)
  const begun = ofKind('add', 'begun')
  const added = ofKind('add', 'acknowledged').flatMap(({ texts }) => texts)
  const intended = new Set(begun.flatMap(({ texts }) => texts))
  return {
    checked: added.length + forgotten.length,
    lost: added.filter((text) => !count.has(text) && !begunForgetting.has(text)),
    undead: forgotten.filter((text) => count.has(text)),
    doubled: [...count].filter(([, times]) => times > 1).map(([text]) => text),
    halves: begun
      .map(({ texts }) => texts.filter((text) => !begunForgetting.has(text)))
      .filter((texts) => texts.some((text) => count.has(text)) && !texts.every((text) => count.has(text)))
      .map((texts) => texts[0] ?? ''),
    unknown: [...count.keys()].filter((text) => !intended.has(text)),
  }
}
