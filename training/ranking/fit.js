/**
 * Fits every number of src/search/weights.ts on the development sets, and says how good they are under
 * cross-validation: `node training/ranking/fit.js texts|fit [--shared DIR] [--model DIR] [--dry]`. See README.md.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { importSource } from '../../bench/source.js'
import { createLab } from './lab.js'
import { fitLogistic, fitOrder } from './logistic.js'
import { createRandom } from '../../bench/notes.js'
import { readApart, readConversations, readHands, readSets, readWorlds, shuffle } from './sets.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    shared: { type: 'string', default: join(root, '../shared') },
    model: { type: 'string', default: join(root, 'models/brain-encoder-v1') },
    cache: { type: 'string', default: join(root, '.cache/ranking') },
    dry: { type: 'boolean', default: false },
  },
})

const sources = await importSource('training/ranking/sources.ts')
const found = readSets(options.shared, sources)
if (found === undefined) throw new Error(`the development sets are not in ${options.shared}`)
const { sets, fillers } = found
const worlds = readWorlds()
const [hands, apart] = [readHands(), readApart()]

if (positionals[0] === 'texts') {
  mkdirSync(options.cache, { recursive: true })
  const neutral = JSON.parse(readFileSync(join(root, 'models/neutral-notes.json'), 'utf8')).slice(0, 64)
  const texts = new Set([...fillers, ...neutral])
  for (const { notes, queries } of [...Object.values(sets), ...worlds, ...hands, ...apart]) {
    for (const text of [...notes, ...queries.map(({ query }) => query)]) texts.add(text)
  }
  writeFileSync(join(options.cache, 'texts.json'), JSON.stringify([...texts]))
  process.exit(0)
}

const lab = createLab(sources, { model: options.model, cache: options.cache, root })
const percent = (share) => (100 * share).toFixed(1).padStart(5)

/** Every question of each set asked of a brain of all its notes. */
async function askWhole() {
  const asked = {}
  for (const [name, { notes, queries, written, now }] of Object.entries(sets)) {
    const brain = await lab.open(notes, { written, now })
    asked[name] = []
    for (const query of queries) asked[name].push({ ...query, found: await brain.ask(query.query) })
    await brain.close()
  }
  const brains = [
    ...worlds.map((one) => [one.isUnseen ? 'unseen' : 'worlds', one]),
    ...hands.map((one) => ['hands', one]),
    ...apart.map((one) => ['apart', one]),
  ]
  for (const [name, { notes, queries }] of brains) {
    const brain = await lab.open(notes)
    const own = (asked[name] ??= [])
    for (const query of queries) own.push({ ...query, found: await brain.ask(query.query) })
    await brain.close()
  }
  return asked
}

/** How much each set tells of what will be asked. */
const shares = { mixed: 3, hands: 3, notes: 1, meeting: 1, facts: 0.5, same: 0.5, plans: 0.5, diary: 1 }

const names = Object.keys(sources.blendWeights)
/** Sign and unit of a feature in the sum; as in rerank.ts. */
const usualLength = Math.log(40)
const rowOf = (features) =>
  names.map((name) => {
    if (name === 'length') return features.cosine === null ? 0 : -Math.max(0, features.length - usualLength)
    return features[name] ?? 0
  })
/** Not fitted: what holds the code that is asked for stands first, whatever else; phrases are too rare in the sets. */
const fixedWeights = { codes: 4, phrases: 0.3 }
/**
 * No set shows all that a feature is for: bounds keep each from vanishing and from ruling. Long dialogues, of which there
 * is no set here, ask for a heavier late interaction and for names; within these bounds the sets here tell nothing apart.
 */
const bounds = {
  coverage: [0.05, 0.3],
  maxSim: [0.3, 0.6],
  names: [0.1, 0.4],
  time: [0.5, 0.6],
  length: [0.04, 0.06],
}

function fitBlend(asked, chosen) {
  const questions = chosen.flatMap((name) => {
    const answered = asked[name].filter(({ gold, found }) => found.candidates.some(({ id }) => gold.includes(id)))
    return answered.map(({ gold, found }) => ({
      rows: found.candidates.map(({ features }) => rowOf({ ...features, codes: 0, phrases: 0 })),
      right: found.candidates.map(({ id }) => gold.includes(id)),
      weight: shares[name] / answered.length,
    }))
  })
  const fixed = names.map((name) => name in fixedWeights)
  const raw = fitOrder(questions, { start: names.map((name) => (name in fixedWeights ? 0 : name === 'cosine' ? 20 : name === 'length' ? 0.5 : 7)), fixed })
  const scale = raw[names.indexOf('cosine')]
  return Object.fromEntries(
    names.map((name, at) => {
      const [low, high] = bounds[name] ?? [0, Number.POSITIVE_INFINITY]
      const value = fixedWeights[name] ?? Math.min(high, Math.max(low, raw[at] / scale))
      return [name, Number(value.toFixed(3))]
    }),
  )
}

/** Shares of the questions whose answer is first and among ten, by kind. */
function recallOf(asked, weights) {
  const kinds = new Map()
  for (const { gold, kind, found } of asked) {
    if (gold.length === 0) continue
    const place = sources.order(found.candidates, weights, found.surroundings).findIndex(({ id }) => gold.includes(id))
    for (const name of [kind, 'all']) {
      const [first, ten, all] = kinds.get(name) ?? [0, 0, 0]
      kinds.set(name, [first + (place === 0 ? 1 : 0), ten + (place >= 0 && place < 10 ? 1 : 0), all + 1])
    }
  }
  return [...kinds]
    .map(([kind, [first, ten, all]]) => `${kind} ${Math.round((100 * first) / all)}/${Math.round((100 * ten) / all)}`)
    .join('  ')
}

/** Sizes of the brains that scores are fitted on: how many of each, and how many questions one is asked. */
const draws = [
  [5, 60, 8], [10, 40, 12], [20, 20, 20], [60, 8, 40], [150, 4, 80], [400, 3, 120], [1000, 2, 150], [10000, 1, 250],
]
/** Sets whose questions are like those of people who know what they are after, and how much each counts. */
const scoredSets = { mixed: 1, notes: 0.4, facts: 0.2, same: 0.2, diary: 0.4 }
/** How many brains of each size are cut from sets of brains, which fill each other up. */
const brainDraws = { 5: 40, 10: 30, 20: 27, 60: 27, 150: 14, 400: 10, 1000: 6, 10000: 1 }
/** These sets, how much each of their questions counts, the share of the draws, and the most questions that a brain is asked. */
const brainSets = [
  ['worlds', worlds.filter(({ isUnseen }) => !isUnseen), 0.5, 1, 60],
  ['unseen', worlds.filter(({ isUnseen }) => isUnseen), 0, 0.3, 60],
  ['hands', hands, 1, 1, 100],
  ['sets apart', apart, 0, 1, 100],
]
const answeredShare = 0.6
const shown = 5

/** Questions asked of a brain of `size`, cut from a set and filled up with other notes, the answer left out in four of ten cases. */
async function askOne({ notes, queries, written, now }, others, { size, count, semantic, random }) {
  const places = shuffle(notes.keys(), random)
  const own = new Set(places.slice(0, Math.min(size, Math.ceil(notes.length * 0.85))))
  const isIn = ({ gold }) => gold.some((at) => own.has(at))
  const answered = shuffle(queries.filter(isIn), random).slice(0, Math.round(count * answeredShare))
  const outside = shuffle(queries.filter((query) => !isIn(query)), random)
  const chosen = [...answered, ...outside.slice(0, Math.round((answered.length * (1 - answeredShare)) / answeredShare))]
  const picked = [...own]
  const beside = others.slice(0, Math.max(0, size - picked.length))
  const all = [...picked.map((at) => [notes[at], at]), ...beside.map((text) => [text, -1])]
  const brain = await lab.open(
    all.map(([text]) => text),
    { written: written && all.map(([, at]) => (at < 0 ? written[0] : written[at])), now },
  )
  const rows = []
  for (const { query, gold, kind } of chosen) {
    const { candidates, surroundings } = await brain.ask(query, semantic)
    const isRight = candidates.map(({ id }) => gold.includes(all[id][1]))
    rows.push({ size, kind, query, candidates, surroundings, isRight, hasAnswer: isIn({ gold }) })
  }
  await brain.close()
  return rows
}

/** Questions asked of brains cut at random. */
async function askCut(random, semantic) {
  const rows = []
  const add = (name, importance, own) => rows.push(...own.map((row) => ({ ...row, name, importance })))
  for (const [size, brains, count] of draws) {
    const begun = Date.now()
    for (const [name, importance] of Object.entries(scoredSets)) {
      if ((name === 'diary' && size > 60) || (name !== 'mixed' && size > 1000)) continue
      for (let turn = 0; turn < Math.max(1, Math.round(brains * (name === 'mixed' ? 1 : 0.4))); turn += 1)
        add(name, importance, await askOne(sets[name], shuffle(fillers, random), { size, count, semantic, random }))
    }
    for (const [name, brains, importance, share, most] of brainSets) {
      const own = shuffle(brains, random)
      for (let turn = 0; turn < Math.ceil(brainDraws[size] * share); turn += 1) {
        const one = own[turn % own.length]
        const others = shuffle(own.filter((other) => other !== one).flatMap(({ notes }) => notes), random)
        const asked = { size, count: Math.min(count, most), semantic, random }
        add(name, importance, await askOne(one, [...others, ...shuffle(fillers, random)], asked))
      }
    }
    console.error(`asked brains of ${size}: ${((Date.now() - begun) / 1000).toFixed(0)} s`)
  }
  return rows
}

/** Brains of conversations: how many sessions of one, all of them if more, how many such brains of each, and how many other notes beside. */
const conversationDraws = [[1, 8, 0], [3, 6, 0], [7, 4, 0], [12, 3, 0], [12, 2, 400], [12, 1, 2000]]

/** Questions asked of some sessions of a conversation, whose turns stay in their order, the answer left out in four of ten cases. */
async function askConversations(random) {
  const rows = []
  for (const [count, brains, beside] of conversationDraws) {
    for (const { name, turns, queries } of readConversations()) {
      for (let turn = 0; turn < brains; turn += 1) {
        const sessions = new Set(shuffle(new Set(turns.map(({ session }) => session)), random).slice(0, count))
        const own = [...turns.keys()].filter((at) => sessions.has(turns[at].session))
        const isHeld = ({ gold }) => gold.every((at) => sessions.has(turns[at].session))
        const answered = shuffle(queries.filter(isHeld), random).slice(0, 40)
        const outside = shuffle(queries.filter(({ gold }) => !gold.some((at) => sessions.has(turns[at].session))), random)
        const chosen = [...answered, ...outside.slice(0, Math.round((answered.length * (1 - answeredShare)) / answeredShare))]
        const others = shuffle(fillers, random).slice(0, beside)
        const brain = await lab.open([...own.map((at) => turns[at].text), ...others], {
          written: [...own.map((at) => turns[at].written), ...others.map(() => turns[0].written)],
          now: Math.max(...turns.map(({ written }) => written)) + 86_400_000,
        })
        for (const { query, gold, kind } of chosen) {
          const { candidates, surroundings } = await brain.ask(query)
          if (!surroundings.conversation) continue
          const isRight = candidates.map(({ id }) => id < own.length && gold.includes(own[id]))
          const hasAnswer = gold.some((at) => sessions.has(turns[at].session))
          rows.push({ size: count + beside, name, kind, query, importance: 1, candidates, surroundings, isRight, hasAnswer })
        }
        await brain.close()
      }
    }
  }
  return rows
}

const inputNames = {
  semantic: [
    'blend', 'cosine', 'coverage', 'held', 'rarest', 'lacking', 'codes', 'missing', 'names', 'unnamed', 'time', 'distance', 'remote',
    'lead', 'lag', 'crest', 'crowd', 'size', 'tiny', 'first',
  ],
  keyword: ['coverage', 'held', 'rarest', 'lacking', 'codes', 'missing', 'names', 'unnamed', 'time', 'lead', 'lag', 'crest', 'size', 'tiny', 'first'],
}

/**
 * How much a question without an answer counts: as if every other had none, since an agent's every prompt is asked, and a wrong
 * memory shown costs more than one that is not. By words alone most such questions find nothing, and need no more weight.
 */
const unansweredWeights = { semantic: 1.5, conversation: 1, keyword: 1 }

/** The results that count, with what the model looks at; brains of every size weigh alike. */
function toResults(rows, weights, mode) {
  const weightOf = ({ hasAnswer, importance }) => importance * (hasAnswer ? 1 : unansweredWeights[mode])
  const bySize = new Map()
  for (const row of rows) bySize.set(row.size, (bySize.get(row.size) ?? 0) + weightOf(row))
  const share = rows.length / bySize.size
  return rows.flatMap(({ candidates, isRight, surroundings, ...question }) => {
    const right = new Map(candidates.map(({ id }, at) => [id, isRight[at]]))
    const ordered = sources.order(candidates, weights, surroundings)
    const inputs = sources.scoreInputs(ordered.slice(0, shown), surroundings)
    return inputs.map((input, at) => ({
      ...question,
      question,
      place: at,
      inputs: [1, ...(inputNames[mode] ?? inputNames.semantic).map((name) => input[name] ?? 0)],
      right: right.get(ordered[at].id) ? 1 : 0,
      weight: (weightOf(question) * share) / bySize.get(question.size),
    }))
  })
}

const chanceOf = (weights, { inputs }) =>
  1 / (1 + Math.exp(-inputs.reduce((sum, value, at) => sum + value * weights[at], 0)))

/** Chances of the results of each question, never rising down the list. */
function withChances(results, weights) {
  let highest = 1
  return results.map((result) => {
    highest = Math.min(result.place === 0 ? 1 : highest, chanceOf(weights, result))
    return { ...result, chance: highest }
  })
}

/** Chances under cross-validation: every question is judged by a model that has not seen it, in any brain. */
function crossValidate(results, folds = 5) {
  const queries = shuffle(new Set(results.map(({ query }) => query)), createRandom(5))
  const foldOf = new Map(queries.map((query, at) => [query, at % folds]))
  return Array.from({ length: folds }).flatMap((_, fold) =>
    judgeApart(results, ({ query }) => foldOf.get(query) === fold),
  )
}

/** Chances of some results by a model that was fitted on the others. */
function judgeApart(results, isApart) {
  const weights = fitLogistic(results.filter((one) => !isApart(one)))
  return withChances(results.filter(isApart), weights)
}

/** Mean distance of chance and share of rights over ten bins of chance. */
function calibrationError(results) {
  const bins = Array.from({ length: 10 }, () => [0, 0, 0])
  for (const { chance, right } of results) {
    const bin = bins[Math.min(9, Math.floor(10 * chance))]
    bin[0] += 1
    bin[1] += chance
    bin[2] += right
  }
  return bins.reduce((sum, [, chance, right]) => sum + Math.abs(chance - right), 0) / Math.max(1, results.length)
}

function report(label, judged) {
  const sure = judged.filter(({ chance }) => chance >= 0.9)
  const none = judged.filter(({ place, hasAnswer }) => place === 0 && !hasAnswer)
  const answered = judged.filter(({ place, hasAnswer }) => place === 0 && hasAnswer)
  const told = new Set(judged.flatMap(({ right, chance, question }) => (right && chance > 0.3 ? [question] : [])))
  console.log(
    label.padStart(14), `${judged.length} results`.padStart(14),
    `error ${calibrationError(judged).toFixed(3)}`,
    `right at 0.9 ${percent(sure.filter(({ right }) => right).length / Math.max(1, sure.length))} of ${sure.length}`,
    `no answer, none above 0.3: ${percent(none.filter(({ chance }) => chance <= 0.3).length / Math.max(1, none.length))} of ${none.length}`,
    `answer above 0.3: ${percent(told.size / Math.max(1, answered.length))} of ${answered.length}`,
  )
}

/** What scores reach in brains of each size, and on each set with a model that has seen none of it. */
function reportAll(results) {
  const judged = crossValidate(results)
  for (const name of ['mixed', 'worlds', 'unseen', 'hands', 'sets apart', 'all']) {
    const own = judged.filter((one) => (name === 'all' ? one.importance > 0 : one.name === name))
    if (own.length === 0) continue
    for (const size of new Set(own.map((one) => one.size))) report(`${name} ${size}`, own.filter((one) => one.size === size))
    report(name, own)
  }
  for (const name of new Set(results.map((one) => one.name))) report(`apart ${name}`, judgeApart(results, (one) => one.name === name))
}

const asked = await askWhole()
const chosen = Object.keys(shares)
const blend = fitBlend(asked, chosen)
console.log('blend', JSON.stringify(blend))
for (const name of chosen) {
  const apart = fitBlend(asked, chosen.filter((other) => other !== name))
  if (name === 'mixed') console.log('without mixed', JSON.stringify(apart))
  console.log(name.padEnd(8), recallOf(asked[name], blend), '| without it:', recallOf(asked[name], apart))
}
for (const name of ['worlds', 'unseen', 'apart']) console.log(name.padEnd(8), recallOf(asked[name], blend))

const models = {}
for (const mode of ['semantic', 'conversation', 'keyword']) {
  const random = createRandom(11)
  const rows = mode === 'conversation' ? await askConversations(random) : await askCut(random, mode === 'semantic')
  const results = toResults(rows, blend, mode)
  console.log(`\n${mode}: under cross-validation`)
  reportAll(results)
  const [intercept, ...coefficients] = fitLogistic(results)
  models[mode] = {
    intercept: Number(intercept.toFixed(3)),
    coefficients: Object.fromEntries((inputNames[mode] ?? inputNames.semantic).map((name, at) => [name, Number(coefficients[at].toFixed(3))])),
  }
  console.log(JSON.stringify(models[mode]))
}
lab.close()

/** Puts a value in the place of the one that is declared under a name. */
function replace(source, name, value) {
  const start = source.indexOf(' = ', source.indexOf(`export const ${name}`)) + 3
  const end = source.indexOf('\n}\n', start) + 2
  return `${source.slice(0, start)}${JSON.stringify(value, undefined, 2).replaceAll('"', '')}${source.slice(end)}`
}

if (!options.dry) {
  const file = join(root, 'src/search/weights.ts')
  let source = readFileSync(file, 'utf8')
  source = replace(source, 'blendWeights', blend)
  source = replace(source, 'scoreModels', models)
  writeFileSync(file, source.replaceAll(/^( +\S+: -?[\d.]+|\s+\})$/gm, '$1,'))
}
