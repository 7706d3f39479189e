/**
 * A brain on PostgreSQL beside one in SQLite: `node bench/postgres.js postgres://admin@host/postgres [sizes]`, with the URL of an
 * administrator, who makes a database for each size. Memories are spread over 100 projects; their texts are made up, their
 * vectors strewn around those that the built-in model gave some hundred of them. Told are the store's part of a
 * search and whole recalls, both by the wall and by the processor's time (a busy machine changes that little), what
 * one search above 50,000 vectors misses that pgvector's index is asked for, and how many writes a second 64 clients in eight
 * processes have acknowledged, beside the same rows written by the driver alone and bare inserts by as many.
 */
import { fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { scratch } from './brains.js'
import { printMachine, printTable, quantile, say } from './measure.js'
import { createNotes, createRandom } from './notes.js'
import { importSource } from './source.js'

const projects = 100
const processes = 8
const clientsEach = 8
const writeSeconds = Number(process.env.BENCH_SECONDS ?? 20)
const largeSize = Number(process.env.BENCH_LARGE ?? 60_000)

/** Of eight that bundle into the same file some would read half of it. */
const isWriter = process.argv[2] === '--writer'
const { openStore } = await importSource('src/store/open.ts', isWriter)
const { termsOf } = await importSource('src/store/rows/memories.ts', isWriter)

const open = (address) =>
  openStore(address, {
    durability: 'full',
    create: true,
    mode: 'service',
    label: 'bench',
    password: 'bench',
    warn: say,
  })

/** Source of notes with vectors: `kept(at)` is one to keep, `asked()` a question with its vector. */
function createSource(seed, real) {
  const notes = createNotes(seed)
  const random = createRandom(seed)
  const near = (vector, spread) => {
    const other = Float32Array.from(vector, (component) => component + spread * (random() - 0.5))
    const length = Math.hypot(...other)
    return other.map((component) => component / length)
  }
  const one = (list) => list[Math.floor(random() * list.length)]
  return {
    kept: (createdAt) => {
      const text = notes.note()
      const { start, vector, tokens } = one(real.passages)
      return {
        text,
        caution: random() < 0.01 ? 0.5 : 0,
        agent: 'bench',
        createdAt,
        embedding: {
          model: real.model,
          passages: [{ start, end: text.length, vector: near(vector, 0.12), tokens }],
        },
      }
    },
    asked: () => ({ text: notes.query(), vector: near(one(real.passages).vector, 0.05) }),
  }
}

async function readReal() {
  const { createEmbedderPool } = await importSource('src/models/pool.ts')
  const { defaults } = await importSource('src/config/config.ts')
  const embedders = createEmbedderPool({ config: defaults, environment: {}, warn: say })
  const embedder = await embedders.configured()
  const notes = createNotes(3)
  const texts = Array.from({ length: 300 }, () => notes.note())
  const passages = (await embedder.embedTexts(texts)).map(([passage]) => passage)
  return { model: embedder.identity, passages, embedders }
}

const nameOf = (at) => `team-${at % projects}`

/** Keeps `size` memories through the port; returns the seconds that took. */
async function fill(store, { size, source, name = nameOf }) {
  const start = performance.now()
  const batch = 500
  for (let at = 0; at < size; at += batch) {
    const memories = Array.from({ length: Math.min(batch, size - at) }, (_, own) =>
      source.kept(1_000 + at + own),
    )
    await store.memories.addMany(name(at / batch), memories)
    if (at % 50_000 === 0) say(`${at} of ${size}`)
  }
  return (performance.now() - start) / 1000
}

/** Milliseconds of the processor that this process and the server's have taken so far. */
function createClock(serverRoot) {
  const ticks = 10
  const ofProcess = (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return { parent: Number(fields[1]), took: ticks * (Number(fields[11]) + Number(fields[12])) }
  }
  return () => {
    const { user, system } = process.cpuUsage()
    let server = 0
    for (const pid of serverRoot === undefined
      ? []
      : readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        const { parent, took } = ofProcess(pid)
        if (parent === serverRoot) server += took
      } catch {
        // It ended between two looks.
      }
    }
    return (user + system) / 1000 + server
  }
}

/** p50 and p95 by the wall, and the processor's time of one, in milliseconds. */
async function time(runs, clock, work) {
  for (let run = 0; run < Math.min(runs, 100); run += 1) await work(run)
  const samples = []
  const before = clock()
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now()
    await work(run)
    samples.push(performance.now() - start)
  }
  return [quantile(samples, 0.5), quantile(samples, 0.95), (clock() - before) / runs]
}

async function prepare(administrator, database, role) {
  const { prepareDatabase } = await importSource('src/store/postgres/roles.ts')
  const client = new pg.Client({ connectionString: administrator })
  await client.connect()
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
  if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`)
  await client.end()
  const url = new URL(administrator)
  url.pathname = `/${database}`
  const preparation = await prepareDatabase(url.href, { role, owner: `${role}_owner` })
  await preparation.run()
  await preparation.close()
  const inside = new pg.Client({ connectionString: url.href })
  await inside.connect()
  await inside.query(`ALTER ROLE ${role} PASSWORD 'bench'`)
  const address = new URL(url)
  address.username = role
  return { inside, address: address.href, isNew: rowCount === 0 }
}

const megabytes = async (inside) =>
  Number((await inside.query('SELECT pg_database_size(current_database()) AS size')).rows[0].size) / 2 ** 20

/** Searches of the store, as recall asks them: by words and vector, with texts. */
const searchOf = (store, source, model) => (run) => {
  const { text, vector } = source.asked()
  return store.index.candidates(nameOf(run), {
    terms: termsOf(text).split(' '),
    matches: 60,
    nearest: { model, vector, limit: 100 },
    sample: { size: 32, from: 300 },
    among: { now: 0 },
    texts: true,
  })
}

/** Share of the first ten memories of each answer that another store gave for the same question, too. */
function agreement(answers, others) {
  let [found, wanted] = [0, 0]
  for (const [at, own] of answers.entries()) {
    const known = new Set(others[at])
    wanted += own.length
    found += own.filter((id) => known.has(id)).length
  }
  return found / wanted
}

/** Whole recalls, embedding and ranking included. */
async function recallOf(store, { source, real }) {
  const { search } = await importSource('src/search/index.ts')
  return (run) =>
    search({ project: nameOf(run), store, embedders: real.embedders, now: () => 0 }, source.asked().text)
}

async function compareSize(administrator, size, real) {
  const role = `brain_bench_${size}`
  const { inside, address, isNew } = await prepare(administrator, role, role)
  const serverRoot = Number(
    readFileSync(`/proc/${(await inside.query('SELECT pg_backend_pid() AS pid')).rows[0].pid}/stat`, 'utf8')
      .split(') ')[1]
      .split(' ')[1],
  )
  const file = join(scratch, `postgres-${size}.db`)
  const stores = [
    ['SQLite', file, undefined],
    ['PostgreSQL', address, serverRoot],
  ]
  // Filled together, so that both hold the same under the same ids; a million takes too long to be filled anew each time.
  if (isNew) for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  const filled = {}
  for (const [name, at, root] of stores) {
    if (root === undefined ? existsSync(file) : !isNew) continue
    say(`filling ${name} with ${size}`)
    const store = await open(at)
    filled[name] = size / (await fill(store, { size, source: createSource(size, real) }))
    // As an import does, and a daemon with nothing else to do.
    while (await store.index.tidy());
    await store.close()
    if (root !== undefined) await inside.query('VACUUM (ANALYZE)')
  }
  const rows = []
  const answers = []
  for (const [name, at, root] of stores) {
    const clock = createClock(root)
    const runs = Number(process.env.BENCH_RUNS ?? 300)
    const start = performance.now()
    const store = await open(at)
    const source = createSource(5, real)
    const first = await searchOf(store, source, real.model)(0).then(() => performance.now() - start)
    // Each project's vectors are read once, as in a daemon that lives for days.
    for (let at = 1; at < projects; at += 1) await searchOf(store, source, real.model)(at)
    say(
      `${name}: first search ${Math.round(first)} ms, of all projects ${Math.round(performance.now() - start)} ms`,
    )
    const found = await time(runs, clock, searchOf(store, createSource(7, real), real.model))
    const recall = await recallOf(store, { source: createSource(9, real), real })
    const own = []
    const recalled = await time(runs, clock, async (run) => {
      own.push((await recall(run)).ranked.slice(0, 10).map(({ id }) => id))
    })
    answers.push(own)
    say(`${name}: search ${found.map((ms) => ms.toFixed(1))}, recall ${recalled.map((ms) => ms.toFixed(1))}`)
    const same = agreement(own, answers[0])
    const bytes = root === undefined ? statSync(file).size / 2 ** 20 : await megabytes(inside)
    rows.push([name, first, ...found, ...recalled, same, filled[name], bytes])
    await store.close()
  }
  printTable(
    `${size} memories in ${projects} projects`,
    [
      'store',
      'first search, ms',
      ...['search p50, ms', 'p95', 'processor'],
      ...['recall p50, ms', 'p95', 'processor'],
      "first ten as SQLite's",
      ...['memories kept a second', 'database, MB'],
    ],
    rows,
  )
  await inside.end()
}

/** Recall@10 of pgvector's index against all vectors, in one project beside another. */
async function compareIndex(administrator, real) {
  const role = 'brain_bench_large'
  const { inside, address, isNew } = await prepare(administrator, role, role)
  const store = await open(address)
  if (isNew) {
    say(`filling two projects with ${largeSize} each`)
    for (const name of ['large', 'beside'])
      await fill(store, { size: largeSize, source: createSource(name.length, real), name: () => name })
  }
  const source = createSource(21, real)
  const questions = Array.from({ length: 200 }, () => source.asked().vector)
  const { Database } = await importSource('src/store/postgres/connection.ts')
  const { createIndexStore } = await importSource('src/store/postgres/search.ts')
  const database = new Database(address, { label: 'bench', password: 'bench' })
  // Fewer vectors than an index is made for are built sooner.
  const index = createIndexStore(database, { exactUpTo: Math.min(50_000, largeSize - 1) })
  const ask = (vector) => index.nearest('large', { model: real.model, vector, limit: 100 })
  const clock = createClock(undefined)
  const [
    {
      rows: [{ ready }],
    },
  ] = [await inside.query('SELECT count(*)::int AS ready FROM brain.indexed WHERE ready')]
  if (ready === 0) {
    const exact = []
    await ask(questions[0])
    const tookExact = await time(questions.length, clock, async (run) => {
      exact[run] = await ask(questions[run])
    })
    say('putting the vectors into the index')
    const start = performance.now()
    while (await index.tidy());
    const built = (performance.now() - start) / 1000
    const near = []
    const tookIndexed = await time(questions.length, clock, async (run) => {
      near[run] = await ask(questions[run])
    })
    const share = (wanted) => {
      let found = 0
      for (const [at, all] of exact.entries()) {
        const best = new Set(all.slice(0, wanted).map(({ memoryId }) => memoryId))
        for (const { memoryId } of near[at].slice(0, wanted)) if (best.has(memoryId)) found += 1
      }
      return found / (wanted * exact.length)
    }
    printTable(
      `${largeSize} vectors in each of two projects`,
      ['nearest 100', 'p50, ms', 'p95', 'recall@10', 'recall@100', 'seconds to build'],
      [
        ['all compared', tookExact[0], tookExact[1], 1, 1],
        ["pgvector's index", tookIndexed[0], tookIndexed[1], share(10), share(100), built],
      ],
    )
  }
  await database.close()
  await store.close()
  await inside.end()
}

/** Writes of `kind` a second that all clients together had acknowledged. */
async function writeRate(kind, address, real) {
  const children = Array.from({ length: processes }, (_, at) =>
    fork(fileURLToPath(import.meta.url), ['--writer', kind, address, String(at)], {
      serialization: 'advanced',
    }),
  )
  // Nobody else hears of one that fails.
  for (const child of children) child.on('exit', (code) => code && process.exit(code))
  const answers = children.map((child) => new Promise((resolve) => child.on('message', resolve)))
  for (const child of children) child.send({ model: real.model, passages: real.passages })
  await Promise.all(answers)
  const counts = children.map((child) => new Promise((resolve) => child.on('message', resolve)))
  for (const child of children) child.send('go')
  const rates = await Promise.all(counts)
  for (const child of children) child.kill()
  return rates.reduce((sum, { acknowledged }) => sum + acknowledged, 0) / writeSeconds
}

async function compareWrites(administrator, real) {
  const role = 'brain_bench_writes'
  const { inside, address } = await prepare(administrator, role, role)
  await inside.query(
    `CREATE TABLE IF NOT EXISTS bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text); GRANT ALL ON bare TO ${role}`,
  )
  const rates = {}
  // The first makes the model and the projects.
  for (const kind of ['memory', 'bare', 'plain', 'memory', 'one-project'])
    rates[kind] = await writeRate(kind, address, real)
  printTable(
    `Writes acknowledged a second, ${processes * clientsEach} clients in ${processes} processes, ${writeSeconds} s each`,
    ['what', 'a second', 'share of the plain ones'],
    [
      ['bare inserts of a text', rates.bare, rates.bare / rates.plain],
      ['the rows of a memory, by the driver alone', rates.plain, 1],
      [`memories with vectors in ${projects} projects`, rates.memory, rates.memory / rates.plain],
      ['the same in a single project', rates['one-project'], rates['one-project'] / rates.plain],
    ],
  )
  await inside.end()
}

/** Writes the rows of a memory as anybody would by hand: a transaction of prepared statements, one after the other. */
async function insertPlainly(pool, project, { text, createdAt, embedding }) {
  const client = await pool.connect()
  const ask = (name, text, values) => client.query({ name, text, values })
  try {
    await client.query('BEGIN')
    await ask('project', "SELECT set_config('brain.project', $1, true)", [String(project)])
    const terms = termsOf(text)
    const { rows } = await ask(
      'memory',
      `INSERT INTO brain.memory (project_id, text, terms, length, caution, agent, created_at)
       VALUES ($1, $2, $3, $4, 0, 'bench', $5) RETURNING id`,
      [project, text, terms, terms.split(' ').length, createdAt],
    )
    await ask(
      'posting',
      `INSERT INTO brain.posting (project_id, memory_id, count, length, term)
       SELECT $1, $2, count(*), $3, term FROM unnest($4::text[]) AS term GROUP BY term`,
      [project, rows[0].id, terms.split(' ').length, terms.split(' ')],
    )
    for (const { start, end, tokens, vector } of embedding.passages)
      await ask(
        'passage',
        `INSERT INTO brain.passage (project_id, memory_id, model_id, flag, first, last, tokens, vector)
         VALUES ($1, $2, 1, false, $3, $4, $5, $6)`,
        [
          project,
          rows[0].id,
          start,
          end,
          Buffer.from(tokens.buffer, tokens.byteOffset, tokens.byteLength),
          Buffer.from(Int8Array.from(vector, (component) => Math.round(127 * component)).buffer),
        ],
      )
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}

/** A process of the write test: eight clients, each of which writes when its last write was acknowledged. */
async function write(kind, address, at) {
  const message = () => new Promise((resolve) => process.once('message', resolve))
  const real = await message()
  const source = createSource(1_000 + Number(at), real)
  const random = createRandom(Number(at))
  const url = new URL(address)
  url.password = 'bench'
  const isOwn = kind !== 'bare' && kind !== 'plain'
  const pool = isOwn ? undefined : new pg.Pool({ connectionString: url.href, max: clientsEach })
  const store = isOwn ? await open(address) : undefined
  const ids = (await pool?.query('SELECT id FROM brain.project'))?.rows.map(({ id }) => Number(id))
  const once = () => {
    const memory = source.kept(Date.now())
    if (kind === 'plain') return insertPlainly(pool, ids[Math.floor(random() * ids.length)], memory)
    if (pool)
      return pool.query({
        name: 'insert',
        text: 'INSERT INTO public.bare (text) VALUES ($1)',
        values: [memory.text],
      })
    return store.memories.add(kind === 'memory' ? nameOf(Math.floor(random() * projects)) : 'one', memory)
  }
  for (let run = 0; run < 50; run += 1) await once()
  const going = message()
  process.send({ ready: true })
  await going
  const end = performance.now() + 1000 * writeSeconds
  let acknowledged = 0
  const client = async () => {
    while (performance.now() < end) {
      await once()
      acknowledged += 1
    }
  }
  await Promise.all(Array.from({ length: clientsEach }, client))
  process.send({ acknowledged })
}

const [first, ...rest] = process.argv.slice(2)
if (isWriter) await write(...rest)
else {
  printMachine()
  const real = await readReal()
  for (const size of rest.map(Number).filter((size) => size > 0)) await compareSize(first, size, real)
  if (!rest.includes('no-index')) await compareIndex(first, real)
  if (!rest.includes('no-writes')) await compareWrites(first, real)
  await real.embedders.close()
}
