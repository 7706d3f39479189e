/**
 * How well recall finds: development notes with paraphrased queries, ours beside plain FTS5 and cosine alone:
 * `node bench/quality.js DIR`, where DIR holds notes.json (notes, queries, distractors) and sts.jsonl.gz.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import BetterSqlite3 from 'better-sqlite3'
import { printMachine, printTable } from './measure.js'
import { importSource } from './source.js'

const folder = process.argv[2] ?? '../shared/embedder/dev'
const { notes, queries, distractors } = JSON.parse(readFileSync(join(folder, 'notes.json'), 'utf8'))
const all = [...notes, ...distractors]

/** Shares of queries whose note is first, and among the first ten; `find` returns texts, best first. */
async function recallOf(find) {
  let first = 0
  let ten = 0
  for (const [at, query] of queries.entries()) {
    const found = (await find(query)).indexOf(notes[at])
    if (found === 0) first += 1
    if (found >= 0 && found < 10) ten += 1
  }
  return [(100 * first) / queries.length, (100 * ten) / queries.length]
}

/** Plain FTS5 with porter stemming, every word of the query or-ed. */
function createKeywordSearch() {
  const database = new BetterSqlite3(':memory:')
  database.exec("CREATE VIRTUAL TABLE notes USING fts5(text, tokenize='porter unicode61')")
  const insert = database.prepare('INSERT INTO notes (text) VALUES (?)')
  for (const note of all) insert.run(note)
  const search = database.prepare('SELECT text FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT 10')
  return (query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
    return search.all(words.map((word) => `"${word}"`).join(' OR ')).map(({ text }) => text)
  }
}

const { openBrain } = await import('../dist/library.js')
const { openBuiltinModel } = await importSource('src/models/builtin-model.ts')
const model = openBuiltinModel('models/brain-encoder-v1')
const dot = (a, b) => a.reduce((sum, component, at) => sum + component * b[at], 0)

/** Cosine of the built-in model's vectors, and nothing else. */
function createCosineSearch() {
  const vectors = all.map((text) => ({ text, vector: model.embed(text) }))
  return (query) => {
    const asked = model.embed(query)
    return vectors
      .map(({ text, vector }) => ({ text, cosine: dot(vector, asked) }))
      .sort((a, b) => b.cosine - a.cosine)
      .map(({ text }) => text)
  }
}

const directory = mkdtempSync(join(tmpdir(), 'brain-quality-'))
const brain = await openBrain({ dir: directory, create: true })
for (const text of all) await brain.remember({ text })
const recall = async (query) => (await brain.recall({ query })).results.map(({ text }) => text)
printMachine()
printTable(
  `Paraphrased notes: ${queries.length} queries, ${all.length} notes`,
  ['ranking', 'recall@1, %', 'recall@10, %'],
  [
    ['FTS5, porter', ...(await recallOf(createKeywordSearch()))],
    ['cosine alone', ...(await recallOf(createCosineSearch()))],
    ['brain recall', ...(await recallOf(recall))],
  ],
)

/** Rank correlation (Spearman): Pearson's of the ranks, ties sharing their mean rank. */
function spearman(a, b) {
  const ranksOf = (values) => {
    const order = values.map((_, at) => at).sort((x, y) => values[x] - values[y])
    const ranks = new Array(values.length)
    for (let from = 0; from < order.length; ) {
      let to = from
      while (to < order.length && values[order[to]] === values[order[from]]) to += 1
      for (let at = from; at < to; at += 1) ranks[order[at]] = (from + to - 1) / 2
      from = to
    }
    return ranks
  }
  const [x, y] = [ranksOf(a), ranksOf(b)]
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [mx, my] = [mean(x), mean(y)]
  const covariance = mean(x.map((value, at) => (value - mx) * (y[at] - my)))
  return (
    covariance /
    Math.sqrt(mean(x.map((value) => (value - mx) ** 2)) * mean(y.map((value) => (value - my) ** 2)))
  )
}

const pairs = gunzipSync(readFileSync(join(folder, 'sts.jsonl.gz')))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
/** Share of words in common (Jaccard): what a keyword index can know of a pair. */
const overlap = (a, b) => {
  const [x, y] = [wordsOf(a), wordsOf(b)]
  const common = [...x].filter((word) => y.has(word)).length
  return common / Math.max(1, x.size + y.size - common)
}
const graded = pairs.map(({ score }) => score)
printTable(
  `Graded sentence pairs: ${pairs.length}`,
  ['measure', 'Spearman'],
  [
    [
      'words in common',
      spearman(
        pairs.map(({ a, b }) => overlap(a, b)),
        graded,
      ),
    ],
    [
      'cosine of the built-in model',
      spearman(
        pairs.map(({ a, b }) => dot(model.embed(a), model.embed(b))),
        graded,
      ),
    ],
  ],
)
model.close()
await brain.close()
rmSync(directory, { recursive: true, force: true })
