/**
 * How good the answers are, every row of ../shared/quality.md for the development sets, FTS5 beside it:
 * `node bench/quality.js [DIR] [--misses] [--ids] [--beside DIR] [--floors] [--recall]`. DIR is the folder of the sets;
 * `--misses` prints every question whose answer is not first, `--ids` the same by their ids, for docs/quality.md;
 * `--beside` takes texts.json and vectors.f32 of another encoder (training/ranking/embed.py writes them);
 * `--floors` ends with 1 where a figure of recall is below what CI asks; `--recall` leaves out gut-check and dreams.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import BetterSqlite3 from 'better-sqlite3'
import { createLab } from '../training/ranking/lab.js'
import { readApart, readChanges, readLogs, readSets, readWorlds, shuffle } from '../training/ranking/sets.js'
import { printMachine, printTable } from './measure.js'
import { createRandom } from './notes.js'
import { importSource } from './source.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const print = (line) => process.stdout.write(`${line}\n`)
const percent = (part, whole) => (whole === 0 ? '-' : `${Math.round((100 * part) / whole)}`)

/** Goals of ../shared/quality.md for sets that are not here, first hit and among ten. */
const goals = {
  all: '75 / 93',
  paraphrase: '- / 86',
  conversation: '- / 75',
  typo: '85 / 95',
  temporal: '60 / 80',
  identifier: '96 / 100',
}

/** A little below what was reached: a change of ranking that loses three points fails. */
const floors = {
  conversation: { all: [31, 74] },
  notes: { all: [59, 97] },
  mixed: { all: [79, 95], paraphrase: [59, 90], typo: [95, 100], temporal: [75, 91], identifier: [95, 100] },
}

/** Plain FTS5 with porter stemming, every word of the query or-ed. */
function createKeywordSearch(notes) {
  const database = new BetterSqlite3(':memory:')
  database.exec("CREATE VIRTUAL TABLE notes USING fts5(text, tokenize='porter unicode61')")
  const insert = database.prepare('INSERT INTO notes (rowid, text) VALUES (?, ?)')
  for (const [at, note] of notes.entries()) insert.run(at + 1, note)
  const search = database.prepare('SELECT rowid FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT 10')
  return (query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
    return search.all(words.map((word) => `"${word}"`).join(' OR ')).map(({ rowid }) => rowid - 1)
  }
}

/** Cosine of another encoder's vectors, and nothing else. */
function createCosineSearch(notes, folder) {
  const bytes = readFileSync(join(folder, 'vectors.f32'))
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const places = new Map(
    JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8')).map((text, at) => [text, at]),
  )
  const width = all.length / places.size
  const vectorOf = (text) => all.subarray(places.get(text) * width, (places.get(text) + 1) * width)
  const vectors = notes.map(vectorOf)
  return (query) => {
    const asked = vectorOf(query)
    const cosines = vectors.map((vector) => vector.reduce((sum, one, at) => sum + one * asked[at], 0))
    return notes.map((_, at) => at).sort((a, b) => cosines[b] - cosines[a])
  }
}

/** First hits and hits among ten by kind, of questions with what was `found`: places of notes, best first. */
function countHits(questions) {
  const kinds = new Map()
  const misses = []
  for (const { found, ...query } of questions) {
    if (query.gold.length === 0) continue
    const place = found.findIndex((at) => query.gold.includes(at))
    for (const kind of ['all', ...query.kinds]) {
      const [first, ten, whole] = kinds.get(kind) ?? [0, 0, 0]
      kinds.set(kind, [first + (place === 0 ? 1 : 0), ten + (place >= 0 && place < 10 ? 1 : 0), whole + 1])
    }
    if (place !== 0) misses.push({ ...query, place, first: found[0] })
  }
  return { kinds, misses }
}

/** The same; `find` gives what is found for a question. */
async function hitsOf(queries, find) {
  const questions = []
  for (const query of queries) {
    if (query.gold.length > 0)
      questions.push({ ...query, kinds: [query.kind], found: await find(query.query) })
  }
  return countHits(questions)
}

const showHits = (hits, kind) => {
  const [first, ten, whole] = hits.kinds.get(kind) ?? [0, 0, 0]
  return `${percent(first, whole)} / ${percent(ten, whole)}`
}

async function measureRecall({ sets, lab, rank, beside }) {
  const measured = {}
  for (const [name, { notes, queries, written, now }] of Object.entries(sets)) {
    const brain = await lab.open(notes, { written, now })
    const ours = await hitsOf(queries, async (query) => rank(await brain.ask(query)).map(({ id }) => id))
    const plain = await hitsOf(queries, createKeywordSearch(notes))
    const other =
      beside && name !== 'diary' ? await hitsOf(queries, createCosineSearch(notes, beside)) : undefined
    await brain.close()
    measured[name] = { ours, notes }
    printTable(
      `Recall, ${name}: ${notes.length} notes; share of first hits / hits among ten, %`,
      [
        'kind',
        'questions',
        'brain',
        'FTS5',
        ...(other ? ['cosine of the other encoder'] : []),
        'goal, held out',
      ],
      [...ours.kinds].map(([kind, [, , whole]]) => [
        kind,
        whole,
        showHits(ours, kind),
        showHits(plain, kind),
        ...(other ? [showHits(other, kind)] : []),
        (name === 'mixed' ? goals[kind] : kind === 'all' && goals[name]) || '',
      ]),
    )
  }
  return measured
}

/** Mean distance of score and share of rights over ten bins. */
function calibrationError(results) {
  const bins = Array.from({ length: 10 }, () => [0, 0])
  for (const { score, right } of results) {
    const bin = bins[Math.min(9, Math.floor(10 * score))]
    bin[0] += score
    bin[1] += right ? 1 : 0
  }
  return bins.reduce((sum, [score, right]) => sum + Math.abs(score - right), 0) / Math.max(1, results.length)
}

/** Sizes of brains, how many of each, and questions asked of one. */
const draws = [
  [5, 40, 8],
  [20, 16, 20],
  [60, 6, 40],
  [150, 3, 80],
  [400, 2, 100],
  [1000, 1, 120],
  [10_000, 1, 120],
]
const shown = 5
const scoreColumns = [
  'results',
  'calibration error',
  'right at 0.9 and more, %',
  'of',
  'no answer: none above 0.3, %',
  'answer: above 0.3, %',
]

/** The first results with whether each is right, and the first that is: of several answers it counts. */
function judgeShown(ranked, isRight, answered) {
  const rights = ranked.slice(0, shown).map(isRight)
  const first = rights.indexOf(true)
  return rights.map((right, place) => ({
    score: ranked[place].score,
    place,
    answered,
    right,
    isFound: place === first,
  }))
}

/**
 * Scores of the first results in brains cut from sets by turns, the answer left out in four of ten cases; filled up
 * with `others`.
 */
async function measureScores(what, sets, { others, lab, rank }) {
  const random = createRandom(23)
  const rows = []
  const every = []
  for (const [size, brains, count] of draws) {
    const results = []
    for (let turn = 0; turn < Math.max(brains, sets.length); turn += 1) {
      const { notes, queries } = sets[turn % sets.length]
      const own = new Set(
        shuffle(notes.keys(), random).slice(0, Math.min(size, Math.ceil(0.85 * notes.length))),
      )
      const inside = shuffle(
        queries.filter(({ gold }) => gold.some((at) => own.has(at))),
        random,
      ).slice(0, 0.6 * count)
      const outside = shuffle(
        queries.filter(({ gold }) => !gold.some((at) => own.has(at))),
        random,
      )
      const texts = [
        ...[...own].map((at) => ({ text: notes[at], at })),
        ...shuffle(others, random)
          .slice(0, size - own.size)
          .map((text) => ({ text, at: -1 })),
      ]
      const brain = await lab.open(texts.map(({ text }) => text))
      for (const { query, gold } of [...inside, ...outside.slice(0, Math.round(inside.length / 1.5))]) {
        const answered = gold.some((at) => own.has(at))
        const isRight = ({ id }) => gold.includes(texts[id].at)
        results.push(...judgeShown(rank(await brain.ask(query)), isRight, answered))
      }
      await brain.close()
    }
    every.push(...results)
    rows.push(scoreRow(size, results))
  }
  rows.push(scoreRow('all', every))
  printTable(
    `Scores as probabilities, in brains cut from ${what}, the answer left out in four of ten cases`,
    ['memories', ...scoreColumns],
    rows,
  )
}

/** Recall and scores in brains that are measured each by itself; `groupOf` names the column of each. */
async function measureBrains({ lab, rank }, what, brains, groupOf) {
  const groups = new Map()
  for (const { notes, queries, ...one } of brains) {
    const group = groupOf(one)
    const { hits, results } = groups.get(group) ?? { hits: [], results: [] }
    groups.set(group, { hits, results })
    const brain = await lab.open(notes)
    for (const { query, gold, kind } of queries) {
      const ranked = rank(await brain.ask(query))
      results.push(...judgeShown(ranked, ({ id }) => gold.includes(id), gold.length > 0))
      const kinds = sources.asksPresent(query) ? [kind, 'how things stand now'] : [kind]
      hits.push({ gold, kinds, found: ranked.map(({ id }) => id) })
    }
    await brain.close()
  }
  const names = [...groups.keys()]
  const counted = names.map((name) => countHits(groups.get(name).hits))
  printTable(
    `Recall, ${what}; share of first hits / hits among ten, %`,
    ['kind', ...names],
    [...counted[0].kinds.keys()].map((kind) => [kind, ...counted.map((own) => showHits(own, kind))]),
  )
  printTable(
    'Scores as probabilities, in the same',
    ['written by', ...scoreColumns],
    names.map((name) => scoreRow(name, groups.get(name).results)),
  )
}

/** Notes that are put together to a long one. */
const together = 10

/** A brain, half of whose notes are put together to long ones. */
function withLongNotes({ notes, queries, ...one }) {
  const half = notes.length >> 1
  const long = Array.from({ length: Math.ceil(half / together) }, (_, at) =>
    notes.slice(at * together, Math.min(half, (at + 1) * together)).join('\n\n'),
  )
  const placeOf = (at) => (at < half ? Math.floor(at / together) : long.length + at - half)
  return {
    ...one,
    notes: [...long, ...notes.slice(half)],
    queries: queries.map(({ query, gold }) => ({
      query,
      kind: gold.some((at) => at < half) ? 'told in a long note' : 'told in a short one, or nowhere',
      gold: [...new Set(gold.map(placeOf))],
    })),
  }
}

const changeKinds = {
  now: 'a changed fact, in the present tense',
  sibling: 'one of two things that are alike',
  past: 'how it was before',
  plain: 'what has not changed',
  'among three later notes': 'a changed fact, later notes beside it that leave the old one true',
}

/** What recall says of facts that changed. */
async function measureChanges({ lab }) {
  const counts = new Map()
  for (const { notes, written, queries } of readChanges()) {
    const brain = await lab.open(notes, { written, now: Date.UTC(2026, 10, 20) })
    for (const { query, kind, gold, old } of queries) {
      const [first] = await brain.recall(query)
      const count = counts.get(kind) ?? { all: 0, right: 0, named: 0, outdated: 0 }
      count.all += 1
      if (gold.includes(first?.id)) count.right += 1
      else if (old.includes(first?.id))
        count[first.newer.some((id) => gold.includes(id)) ? 'named' : 'outdated'] += 1
      counts.set(kind, count)
    }
    await brain.close()
  }
  printTable(
    'Changed facts: what comes first, %',
    [
      'asked for',
      'questions',
      'the right note',
      'the outdated one, the right one named beside it',
      'the outdated one alone',
    ],
    [...counts].map(([kind, { all, right, named, outdated }]) => [
      ...[changeKinds[kind], all, percent(right, all), percent(named, all), percent(outdated, all)],
    ]),
  )
}

const logKinds = {
  passing: 'what a note tells beside its matter',
  main: 'what a note is about',
  changed: 'how things stand, once told otherwise',
  none: 'what no note tells',
}

/** What recall finds in logs of one author, whose notes hold several matters. */
async function measureLogs({ lab }) {
  const counts = new Map()
  for (const { notes, written, queries } of readLogs()) {
    const brain = await lab.open(notes, { written, now: Math.max(...written) + 3_600_000 })
    for (const { query, kind, gold, old } of queries) {
      const found = await brain.recall(query)
      const place = found.findIndex(({ id }) => gold.includes(id))
      const sure = found.filter(({ score }) => score >= 0.9)
      const count = counts.get(kind) ?? {
        all: 0,
        first: 0,
        ten: 0,
        likely: 0,
        none: 0,
        sure: 0,
        right: 0,
        old: 0,
      }
      count.all += 1
      count.first += place === 0 ? 1 : 0
      count.ten += place >= 0 && place < 10 ? 1 : 0
      count.likely += place >= 0 && found[place].score > 0.3 ? 1 : 0
      count.none += (found[0]?.score ?? 0) <= 0.3 ? 1 : 0
      count.sure += sure.length
      count.right += sure.filter(({ id }) => gold.includes(id)).length
      count.old += old.includes(found[0]?.id) && !found[0].newer.some((id) => gold.includes(id)) ? 1 : 0
      counts.set(kind, count)
    }
    await brain.close()
  }
  printTable(
    'Logs of one author',
    [
      ...['asked for', 'questions', 'first / among ten, %', 'answer above 0.3, %', 'none above 0.3, %'],
      ...['right at 0.9 and more', 'outdated first, alone, %'],
    ],
    [...counts].map(([kind, { all, first, ten, likely, none, sure, right, old }]) => [
      ...[logKinds[kind], all, `${percent(first, all)} / ${percent(ten, all)}`, percent(likely, all)],
      ...[percent(none, all), `${right} of ${sure}`, percent(old, all)],
    ]),
  )
}

function scoreRow(size, results) {
  const sure = results.filter(({ score }) => score >= 0.9)
  const none = results.filter(({ place, answered }) => place === 0 && !answered)
  const askedFor = results.filter(({ place, answered }) => place === 0 && answered).length
  return [
    size,
    results.length,
    calibrationError(results).toFixed(3),
    percent(sure.filter(({ right }) => right).length, sure.length),
    sure.length,
    percent(none.filter(({ score }) => score <= 0.3).length, none.length),
    percent(results.filter(({ isFound, score }) => isFound && score > 0.3).length, askedFor),
  ]
}

function printMisses(name, { ours, notes }) {
  print(`\n### Misses, ${name}\n`)
  for (const kind of new Set(ours.misses.map((miss) => miss.kind))) {
    const misses = ours.misses.filter((miss) => miss.kind === kind)
    print(`\n${kind}: ${misses.length}\n`)
    for (const { query, gold, place, first } of misses) {
      const clip = (at) => (notes[at] ?? '').replaceAll(/\s+/g, ' ').slice(0, 110)
      print(`- ${place < 0 ? 'not found' : `place ${place + 1}`}: ${query}`)
      print(`  - asked for: ${clip(gold[0])}`)
      print(`  - first: ${clip(first)}`)
    }
  }
}

/** The same without a text of the sets. */
function printMissedIds(name, { ours }) {
  print(`\n### Questions of ${name} whose answer is not first, with its place\n`)
  print('| kind | questions |\n|---|---|')
  for (const kind of new Set(ours.misses.map((miss) => miss.kind))) {
    const own = ours.misses.filter((miss) => miss.kind === kind)
    print(
      `| ${kind} | ${own.map(({ id, place }) => `${id} (${place < 0 ? 'not found' : place + 1})`).join(', ')} |`,
    )
  }
}

/** Kinds below what CI asks. */
function belowFloors(measured) {
  return Object.entries(floors).flatMap(([name, kinds]) =>
    Object.entries(kinds).flatMap(([kind, [minFirst, minTen]]) => {
      const [first, ten, whole] = measured[name].ours.kinds.get(kind) ?? [0, 0, 1]
      const reached = [(100 * first) / whole, (100 * ten) / whole]
      return reached[0] >= minFirst && reached[1] >= minTen
        ? []
        : [
            `${name}, ${kind}: ${reached.map((one) => one.toFixed(1)).join(' / ')} is below ${minFirst} / ${minTen}`,
          ]
    }),
  )
}

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    misses: { type: 'boolean' },
    ids: { type: 'boolean' },
    floors: { type: 'boolean' },
    recall: { type: 'boolean' },
    beside: { type: 'string' },
    cache: { type: 'string', default: join(root, '.cache/ranking') },
  },
})
const shared = positionals[0] ?? join(root, '../shared')
const sources = await importSource('training/ranking/sources.ts')
const found = readSets(shared, sources)
if (found === undefined) throw new Error(`the development sets are not in ${shared}: give their folder`)
const { mixed, notes, meeting, conversation, diary } = found.sets
const sets = options.floors ? { mixed, notes, conversation } : { mixed, notes, meeting, conversation, diary }
const lab = createLab(sources, { model: join(root, 'models/brain-encoder-v1'), cache: options.cache, root })
const rank = ({ query, notes, candidates, surroundings }) => {
  const scored = sources.score(sources.order(candidates, sources.blendWeights, surroundings), surroundings)
  const misfitOf = sources.createMisfit(query) ?? (() => undefined)
  return sources.holdBack(scored, new Map(scored.map(({ id }) => [id, misfitOf(notes[id])])))
}

printMachine()
const measured = await measureRecall({ sets, lab, rank, beside: options.beside })
if (options.misses) for (const [name, one] of Object.entries(measured)) printMisses(name, one)
if (options.ids) for (const [name, one] of Object.entries(measured)) printMissedIds(name, one)
if (options.floors) {
  const low = belowFloors(measured)
  for (const line of low) print(line)
  if (low.length > 0) process.exitCode = 1
} else {
  const others = found.fillers
  await measureScores('the mixed set', [mixed], { others, lab, rank })
  await measureScores('five sets apart', readApart(), { others, lab, rank })
  print(
    '\nGoal, held out: calibration error 0.03 at every size, 93 % right at 0.9 and more, 85 % none above 0.3.',
  )
  // Every fourth question of a world asks what no note tells though one is near.
  await measureBrains({ lab, rank }, '27 worlds of 50 notes', readWorlds(), ({ isUnseen }) =>
    isUnseen ? 'writers unseen' : 'others',
  )
  await measureBrains({ lab, rank }, 'five sets apart of 200 notes', readApart(), () => 'sets apart')
  const long = readWorlds().map(withLongNotes)
  await measureBrains(
    { lab, rank },
    '27 worlds, half of their notes put together ten by ten',
    long,
    ({ isUnseen }) => (isUnseen ? 'writers unseen' : 'others'),
  )
  await measureChanges({ lab })
  await measureLogs({ lab })
}
lab.close()
if (!options.floors && !options.recall) {
  const { measureDreams } = await import('./quality-dreams.js')
  await measureDreams({ shared, misses: options.misses ?? false })
  const assess = join(root, 'bench/quality-assess.js')
  if (existsSync(assess)) {
    const [{ measureAssess, measureEveryday }, { openBrain }] = await Promise.all([
      import(assess),
      import('../dist/library.js'),
    ])
    const { rows } = await measureAssess(openBrain, join(shared, 'dev'))
    printTable('Gut-check', ['what', 'figure', 'goal, held out'], rows)
    const everyday = await measureEveryday(openBrain)
    printTable('Everyday commands beside a warning about their tool', ['what', 'figure'], everyday.rows)
  }
}
