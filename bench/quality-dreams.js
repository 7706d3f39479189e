/**
 * How good dreams are: brains with planted things and decoys, their notes arriving by their times, dreamt over
 * fourteen nights: `node bench/quality-dreams.js [DIR] [--only NAME,...] [--misses]`, where DIR holds d1.jsonl and so on
 * with answer-key.json, and all are meant or those named. The brains of `training/night/brains` and the tests' own are
 * measured beside them. `--misses` prints
 * every thought.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printMachine, printTable } from './measure.js'
import { importSource } from './source.js'

const nights = 14
const perNight = 5
const hour = 3_600_000

/** Kinds of thoughts that name a planted thing, by how the answer keys call it. */
const fitting = {
  contradiction: ['tension', 'reversal'],
  reversal: ['reversal', 'tension'],
  trend: ['trend'],
  recurrence: ['recurrence'],
  question: ['question'],
  promise: ['promise'],
  cause: ['cause', 'recurrence', 'bridge'],
  collision: ['collision'],
  'broken-rule': ['rule', 'echo', 'tension'],
  rule: ['rule', 'echo', 'tension'],
  forgotten: ['preference', 'rule', 'reversal', 'tension'],
  preference: ['preference', 'rule', 'reversal', 'tension'],
}

const readLines = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** The development brains of a directory with their answer key. */
function readBrains(folder) {
  const key = JSON.parse(readFileSync(join(folder, 'answer-key.json'), 'utf8'))
  return readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => {
      const name = file.replace('.jsonl', '')
      const notes = readLines(join(folder, file))
        .filter(({ text }) => text !== undefined)
        .map(({ id, text, caution, agent, created_at }) => ({
          id,
          text,
          caution,
          agent,
          at: Date.parse(created_at),
        }))
      return { name, notes, planted: key[name], decoys: key.decoys[name] }
    })
}

/** The brain that the tests hold. */
function readOwn() {
  const file = fileURLToPath(new URL('../test/dreams/bicycle-shop.json', import.meta.url))
  const { notes, planted, decoys } = JSON.parse(readFileSync(file, 'utf8'))
  const marked = (mark) => notes.flatMap((note, at) => (note.mark === mark ? [at + 1] : []))
  const listed = (things) =>
    Object.entries(things).map(([mark, what]) => ({
      kind: mark.split('-')[0],
      what,
      memory_ids: marked(mark),
    }))
  return {
    name: 'own',
    notes: notes.map(({ at, agent, text, caution = 0 }, index) => ({
      id: index + 1,
      text,
      caution,
      agent,
      at: Date.parse(`${at}:00Z`),
    })),
    planted: listed(planted),
    decoys: listed(decoys),
  }
}

/** Whether a thought says a planted thing: of a fitting kind, from most of its notes; of a promise its own note is most. */
function names(thought, { kind, memory_ids }) {
  if (!(fitting[kind] ?? []).includes(thought.kind)) return false
  const held = thought.sources.filter((id) => memory_ids.includes(id)).length
  return kind === 'promise'
    ? thought.sources.includes(memory_ids[0])
    : held >= Math.max(2, Math.ceil(memory_ids.length / 2))
}

/** Whether two thoughts tell one matter: of a kind, half of the smaller one's notes in both. */
function repeats(thought, earlier) {
  const shared = thought.sources.filter((id) => earlier.sources.includes(id)).length
  const smaller = Math.min(thought.sources.length, earlier.sources.length)
  return thought.kind === earlier.kind && shared * 2 >= smaller && shared > 0
}

/** Everything a brain dreams over the nights, each with the ids of the file it was read from. */
async function dreamOver({ notes }, { openBrain, defaults, dreamNight }) {
  const directory = mkdtempSync(join(tmpdir(), 'brain-dreams-'))
  const brain = await openBrain({
    directory,
    config: { ...defaults, durability: 'normal' },
    as: 'worker',
    create: true,
    label: 'bench',
    warn: () => {},
  })
  try {
    const context = brain.context({ project: 'default', agent: 'default' })
    const embedder = await context.embedders.current()
    const idOf = new Map()
    const told = []
    const [first, last] = [notes[0].at, notes.at(-1).at]
    let from = 0
    for (let night = 1; night <= nights; night += 1) {
      const now = Math.round(first + ((last - first) * night) / nights) + hour
      const arrived = notes.slice(from).filter(({ at }) => at <= now)
      from += arrived.length
      const passages =
        embedder === undefined ? [] : await embedder.embedTexts(arrived.map(({ text }) => text))
      const added = await context.store.memories.addMany(
        'default',
        arrived.map(({ text, caution, agent, at }, index) => ({
          text,
          caution,
          agent,
          createdAt: at,
          ...(embedder && { embedding: { model: embedder.identity, passages: passages[index] } }),
        })),
      )
      for (const [index, { id }] of added.entries()) idOf.set(id, arrived[index].id)
      const seed = Math.floor(now / 86_400_000)
      const kept = await dreamNight(context, { now, seed, timeZone: 'UTC', limit: perNight })
      for (const { kind, thought, sourceMemoryIds } of kept) {
        told.push({ night, kind, thought, sources: sourceMemoryIds.map((id) => idOf.get(id)) })
      }
    }
    return told
  } finally {
    await brain.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What one brain gave: planted things named, decoys told, repeats, and the thoughts themselves. */
async function measure(brain, parts) {
  const told = await dreamOver(brain, parts)
  return {
    name: brain.name,
    told,
    missed: brain.planted.filter((thing) => !told.some((thought) => names(thought, thing))),
    planted: brain.planted.length,
    fooled: brain.decoys.filter(({ memory_ids }) =>
      told.some(({ sources }) => memory_ids.filter((id) => sources.includes(id)).length >= 2),
    ),
    repeated: told.filter((thought, at) => told.slice(0, at).some((earlier) => repeats(thought, earlier)))
      .length,
    beside: told.filter((thought) => !brain.planted.some((thing) => names(thought, thing))).length,
  }
}

/**
 * Measures the brains of a directory, or all there are; prints a table, and with `misses` all that
 * was told.
 */
export async function measureDreams({ folder, only, shared = '../shared', misses = false } = {}) {
  const [{ openBrain }, { defaults }, { dreamNight }] = await Promise.all(
    ['src/brain.ts', 'src/config/config.ts', 'src/dreams/night.ts'].map((file) => importSource(file)),
  )
  const results = []
  const folders = folder
    ? [folder]
    : [join(shared, 'dev/dreams'), fileURLToPath(new URL('../training/night/brains', import.meta.url))]
  const brains = folders
    .filter(existsSync)
    .flatMap(readBrains)
    .filter(({ name }) => only?.includes(name) ?? true)
  for (const brain of folder ? brains : [...brains, readOwn()]) {
    results.push(await measure(brain, { openBrain, defaults, dreamNight }))
  }
  const row = ({ name, missed, planted, fooled, told, repeated, beside }) => [
    name,
    planted - missed.length,
    planted,
    fooled.length,
    told.length,
    beside,
    repeated,
  ]
  printTable(
    `Dreams of ${nights} nights`,
    ['brain', 'named', 'planted', 'decoys told', 'thoughts', 'beside the planted', 'repeats'],
    results.map(row),
  )
  if (!misses) return results
  for (const { name, missed, fooled, told } of results) {
    process.stdout.write(`\n${name}\n`)
    for (const { kind, memory_ids, what } of missed)
      process.stdout.write(`  missed ${kind} [${memory_ids}]: ${what}\n`)
    for (const { what } of fooled) process.stdout.write(`  DECOY: ${what}\n`)
    for (const { night, kind, sources, thought } of told)
      process.stdout.write(`  night ${night}, ${kind} [${sources}]: ${thought}\n`)
  }
  return results
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2)
  const names = words.indexOf('--only') + 1
  const only = names > 0 ? words.splice(names, 1)[0]?.split(',') : undefined
  const folder = words.find((word) => !word.startsWith('--'))
  printMachine()
  await measureDreams({
    ...(folder && { folder }),
    ...(only && { only }),
    misses: words.includes('--misses'),
  })
}
