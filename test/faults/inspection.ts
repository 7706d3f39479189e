/** Looks a brain over after a drill: its own check-up, and its texts against the ledgers. */

import type { Migrations } from '../../src/store/sqlite/migrations.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { judge, readLedgers, type Verdict } from './ledger.ts'

export interface Looked extends Verdict {
  /** What the check-up found wrong, in words. */
  readonly troubles: string[]
  readonly memories: number
}

async function listTexts({ memories, maintenance }: Store): Promise<string[]> {
  const texts: string[] = []
  for (const project of await maintenance.projects()) {
    for (let after = 0; ; ) {
      const page = await memories.list(project, { after, limit: 1_000 })
      if (page.length === 0) break
      texts.push(...page.map(({ text }) => text))
      after = page.at(-1)?.id ?? after
    }
  }
  return texts
}

/** Opens the brain as the next process would, and compares. Every process of the drill has to be gone. */
export async function lookOver(file: string, ledgers: string, migrations?: Migrations): Promise<Looked> {
  const store = await openSqliteStore(file, {
    durability: 'full',
    create: false,
    label: 'drill judge',
    warn: () => {},
    ...(migrations && { migrations }),
  })
  try {
    const findings = await store.maintenance.check()
    const texts = await listTexts(store)
    return {
      ...judge(readLedgers(ledgers), texts),
      troubles: findings.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`),
      memories: texts.length,
    }
  } finally {
    await store.close()
  }
}

/** Everything that must be empty. */
export const faultsOf = ({ lost, undead, doubled, halves, unknown, troubles }: Looked): string[] => [
  ...lost.map((text) => `lost: ${text}`),
  ...undead.map((text) => `forgotten, but there: ${text}`),
  ...doubled.map((text) => `twice: ${text}`),
  ...halves.map((text) => `half: ${text}`),
  ...unknown.map((text) => `from nowhere: ${text}`),
  ...troubles,
]
