/**
 * The upgrade drill: a process that brings an older brain up to date is killed at random moments, or inside a
 * chosen write or sync. What is left has the old schema or the new one, and every record.
 */

import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { migrations } from '../../src/store/sqlite/migrations.ts'
import { faultsOf, lookOver } from './inspection.ts'
import { grownMigrations, type Task } from './plan.ts'
import { canTrace, kill, sleep, startWorker } from './processes.ts'

export interface UpgradeFigures {
  readonly kills: number
  readonly leftOld: number
  readonly leftNew: number
  readonly faults: string[]
}

interface Schema {
  readonly version: number
  readonly grown: boolean
  readonly feelings: number
}

/** What the file holds, as the next process finds it. */
function readSchema(file: string): Schema {
  const database = loadDatabase(file)
  try {
    const version = Number(database.pragma('user_version', { simple: true }))
    const names = (database.pragma('table_info(memory)') as { name: string }[]).map(({ name }) => name)
    const grown = names.includes('mood')
    const row = grown ? database.prepare('SELECT count(*) AS feelings FROM feeling').get() : undefined
    return { version, grown, feelings: (row as { feelings: number } | undefined)?.feelings ?? 0 }
  } finally {
    database.close()
  }
}

export interface UpgradeOptions {
  readonly directory: string
  readonly rounds: number
  readonly seed: number
  /** Milliseconds of importing that make the older brain. */
  readonly filling: number
}

export async function upgradeDrill({
  directory,
  rounds,
  seed,
  filling,
}: UpgradeOptions): Promise<UpgradeFigures> {
  const random = drawFrom(seed)
  const ledgers = join(directory, 'ledgers')
  mkdirSync(ledgers, { recursive: true })
  const older = join(directory, 'older.db')
  const task = (work: Task['work'], file: string, limit: number): Task => ({
    file,
    ledgers,
    name: work,
    work,
    seed,
    limit,
  })
  await (await startWorker(task('import', older, filling))).ended
  const { memories } = await lookOver(older, ledgers)
  const tracing = canTrace()
  const faults: string[] = []
  const left = { old: 0, new: 0 }
  let kills = 0
  for (let round = 0; round < rounds && faults.length === 0; round += 1) {
    const place = join(directory, `round-${round}`)
    mkdirSync(place, { mode: 0o700 })
    const file = join(place, 'brain.db')
    copyFileSync(older, file)
    const traced = tracing && round % 2 === 1
    const n = 1 + Math.floor(random() * 60)
    const upgrade = task('upgrade', file, 60_000)
    const running = await startWorker(upgrade, traced ? { call: 'pwrite64', n: n * 20 } : undefined)
    if (!traced) {
      await sleep(60 + random() * 400)
      await kill(running)
    }
    if ((await running.ended) === null) kills += 1
    const schema = readSchema(file)
    if (schema.version === migrations.length && !schema.grown) left.old += 1
    else if (schema.version === grownMigrations.length && schema.grown && schema.feelings === memories)
      left.new += 1
    else faults.push(`round ${round}: between two schemas: ${JSON.stringify(schema)}`)
    const looked = await lookOver(file, ledgers, grownMigrations)
    faults.push(...faultsOf(looked).map((fault) => `round ${round}: ${fault}`))
    const copies = readdirSync(place).filter((name) => name.startsWith('before-schema-'))
    if (copies.length === 0) faults.push(`round ${round}: no copy was made before the upgrade`)
    for (const copy of copies) {
      const kept = await lookOver(join(place, copy), ledgers)
      faults.push(...faultsOf(kept).map((fault) => `round ${round}, ${copy}: ${fault}`))
    }
    rmSync(place, { recursive: true, force: true })
  }
  return { kills, leftOld: left.old, leftNew: left.new, faults }
}
