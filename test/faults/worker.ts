/**
 * One process of a drill: writes, forgets, embeds and re-embeds through the store as fast as it may, and writes
 * every intention and acknowledgement into its ledger. Ends when it is killed, or after so many milliseconds.
 */

import { join } from 'node:path'
import { BrainError } from '../../src/core/errors.ts'
import { drawFrom } from '../../src/dreams/reading/chance.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { NewMemory, Store } from '../../src/store/store.ts'
import { matchingOf } from '../store/matching.ts'
import { embed, model } from '../store/test-embedder.ts'
import { createLedger, type Entry } from './ledger.ts'
import { grownMigrations, otherModel, type Task } from './plan.ts'

const task = JSON.parse(process.argv[2] ?? '{}') as Task
const note = createLedger(join(task.ledgers, `${task.name}.ledger`))
const deadline = Date.now() + task.limit

const random = drawFrom(task.seed)

async function recorded(
  action: Entry['action'],
  texts: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> {
  note({ action, state: 'begun', texts })
  await work()
  note({ action, state: 'acknowledged', texts })
}

let written = 0
const nextText = (): string => {
  written += 1
  const words = Array.from({ length: 3 + Math.floor(random() * 30) }, () => `w${Math.floor(random() * 500)}`)
  return `${task.name} ${written} ${words.join(' ')}`
}

const memoryOf = (text: string): NewMemory => ({
  text,
  caution: random() < 0.2 ? 0.9 : 0,
  agent: task.name,
  createdAt: 1,
  // Some are left for healing.
  ...(random() < 0.8 && { embedding: embed(text) }),
})

const own: { id: number; text: string }[] = []

async function add(store: Store): Promise<void> {
  const text = nextText()
  await recorded('add', [text], async () => own.push(await store.memories.add('drill', memoryOf(text))))
}

async function addMany(store: Store, size: number): Promise<void> {
  const texts = Array.from({ length: size }, nextText)
  await recorded('add', texts, async () =>
    own.push(...(await store.memories.addMany('drill', texts.map(memoryOf)))),
  )
}

async function forget(store: Store): Promise<void> {
  const [memory] = own.splice(Math.floor(random() * own.length), 1)
  if (memory === undefined) return
  await recorded('forget', [memory.text], () =>
    store.removal.forget('drill', { kind: 'memory', ids: [memory.id] }, () => {}),
  )
}

async function heal(store: Store): Promise<void> {
  const waiting = await store.index.withoutVector('drill', model, { after: 0, limit: 20 })
  await store.index.addEmbeddings('drill', new Map(waiting.map(({ id, text }) => [id, embed(text)])))
}

async function mixed(store: Store): Promise<void> {
  const choice = random()
  if (choice < 0.55) await Promise.all(Array.from({ length: 1 + Math.floor(random() * 8) }, () => add(store)))
  else if (choice < 0.75) await addMany(store, 2 + Math.floor(random() * 12))
  else if (choice < 0.85) await forget(store)
  else if (choice < 0.9) await heal(store)
  else await matchingOf(store, { project: 'drill', terms: [`w${Math.floor(random() * 500)}`], limit: 10 })
}

/** From one model to the other and back, as `brain reindex` does. */
async function reindex(store: Store): Promise<void> {
  const served = await store.index.servedModel()
  const next = served?.hash === otherModel.hash ? model : otherModel
  for (let after = 0; ; ) {
    const waiting = await store.index.withoutVector('drill', next, { after, limit: 50 })
    if (waiting.length === 0) break
    await store.index.addEmbeddings('drill', new Map(waiting.map(({ id, text }) => [id, embed(text, next)])))
    after = waiting.at(-1)?.id ?? after
  }
  await store.index.serve(next)
  while (await store.index.tidy());
}

async function run(): Promise<void> {
  const store = await openSqliteStore(task.file, {
    durability: 'full',
    create: true,
    label: `drill ${task.name}`,
    warn: () => {},
    ...(task.work === 'upgrade' && { migrations: grownMigrations }),
  })
  process.stdout.write('working\n')
  while (Date.now() < deadline && task.work !== 'upgrade') {
    if (task.work === 'import') await addMany(store, 400)
    else if (task.work === 'reindex') await reindex(store)
    else await mixed(store)
  }
  await store.close()
}

run().catch((error: unknown) => {
  process.stdout.write(
    `${JSON.stringify({ error: String(error), kind: error instanceof BrainError ? error.kind : 'bug' })}\n`,
  )
  process.exitCode = 1
})
