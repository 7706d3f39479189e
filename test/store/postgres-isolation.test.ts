/**
 * That the database itself holds a transaction to one project: whatever a statement leaves out, nothing of another project is
 * read, changed or told, and no table stands outside of it.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { requireReady } from '../../src/store/postgres/requirements.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { Transaction } from '../../src/store/postgres/transaction.ts'
import { listedKinds, type Store } from '../../src/store/store.ts'
import { emptyServer, patience } from './contract.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

/** What a statement asks of its project's rows, asked of all rows; how many there are is no secret, as their project's name is none. */
const withoutProject = (sql: string): string =>
  sql
    .replaceAll(/\b(\w+\.)?project_id = (\w+)\.project_id\b/g, 'true')
    .replaceAll(/(?<!FROM tally WHERE )\b(\w+\.)?project_id = (\$\d+)/g, '(($2::bigint IS NULL) IS NOT NULL)')

/** A database whose statements have lost their filters by project; values that are inserted stay. */
class Unfiltered extends Database {
  readonly statements = new Set<string>()

  #strip(transaction: Transaction): Transaction {
    const strip = (sql: string): string => {
      const stripped = withoutProject(sql)
      if (stripped !== sql) this.statements.add(stripped)
      return stripped
    }
    return {
      get projectId() {
        return transaction.projectId
      },
      all: (sql, ...rest) => transaction.all(strip(sql), ...rest),
      first: (sql, values) => transaction.first(strip(sql), values),
      run: (sql, values) => transaction.run(strip(sql), values),
      enter: (projectId) => transaction.enter(projectId),
    }
  }

  override read<T>(project: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return super.read(project, (transaction) => work(this.#strip(transaction)))
  }

  override write<T>(
    project: string,
    work: (transaction: Transaction) => Promise<T>,
    options?: { makes?: boolean },
  ): Promise<T> {
    return super.write(project, (transaction) => work(this.#strip(transaction)), options)
  }

  override readAnywhere<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return super.readAnywhere((transaction) => work(this.#strip(transaction)))
  }

  override writeAnywhere<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return super.writeAnywhere((transaction) => work(this.#strip(transaction)))
  }
}

const day = 86_400_000
const resolution = { outcome: 'correct', actual: 'so', surprise: 0.1, resolvedAt: 3 } as const

/** Something in every table that a project has rows in, all with the project's name in its texts. */
async function fill(store: Store, project: string) {
  const { memories, beliefs, predictions, dreams } = store
  const beside = {
    circumstances: { session: `session of ${project}`, branch: 'main', origin: `there ${project}` },
    citations: [{ path: `src/${project}.ts`, firstLine: 1, lastLine: 2, hash: 'h', stampedAt: 1 }],
  }
  const note = {
    caution: 0,
    agent: `agent of ${project}`,
    createdAt: day,
    tags: ['shared', project],
    pinnedAt: 1,
  }
  const memory = await memories.add(project, {
    ...note,
    ...beside,
    text: `the cache of ${project} is warm`,
    embedding: embed(`the cache of ${project} is warm`),
  })
  const flag = await memories.add(project, {
    ...note,
    text: `never drop the table of ${project}`,
    caution: 0.9,
    embedding: embed(`never drop the table of ${project}`),
  })
  await memories.add(project, { ...note, text: `no vector in ${project}` })
  const edited = { text: `the cache of ${project} is cold`, caution: 0, agent: 'a', now: 2 * day }
  await memories.amend(project, memory.id, () => ({ ...edited, embedding: embed(edited.text) }))
  await store.exemptions.add(project, { flagId: flag.id, topic: `a plan of ${project}`, now: 1 })
  await store.verdicts.add(project, { memoryId: memory.id, score: 0.5, right: true, createdAt: 1 })
  const belief = await beliefs.add(project, {
    text: `claim of ${project}`,
    confidence: 0.5,
    createdAt: 1,
    ...beside,
  })
  const evidence = (kind: 'supporting' | 'refuting') => () => ({
    event: { kind, strength: 0.5, logLikelihood: 1, note: `seen in ${project}`, createdAt: 2, source: 'ci' },
    logRatio: 0.1,
    confidence: 0.6,
    status: 'accumulating' as const,
    run: `run of ${project}`,
    ...beside,
  })
  const { event } = await beliefs.amend(project, { id: belief.id }, evidence('supporting'))
  await beliefs.amend(project, { id: belief.id }, evidence('refuting'))
  const old = await beliefs.add(project, { text: `old claim of ${project}`, confidence: 0.5, createdAt: 1 })
  await beliefs.supersede(project, old.id, () => ({
    text: `new claim of ${project}`,
    confidence: 0.5,
    createdAt: 2,
  }))
  const guess = { domain: 'infra', confidence: 0.5, basis: null, createdAt: 1, dueAt: 5, ...beside }
  const check = { command: `true # ${project}`, prove: () => null }
  const { id } = await predictions.add(project, { ...guess, prediction: `migration of ${project}`, check })
  await predictions.forecast(project, id, () => ({ confidence: 0.7, note: project, createdAt: 2 }))
  await predictions.resolve(project, id, () => resolution)
  await predictions.reopen(project, id, () => ({ ...resolution, note: project, createdAt: 4 }))
  const done = await predictions.add(project, {
    ...guess,
    circumstances: {},
    prediction: `release of ${project}`,
  })
  await predictions.resolve(project, done.id, () => resolution)
  const observed = await store.observations.add(project, {
    observerAgent: `observer of ${project}`,
    subjectAgent: 'builder',
    observation: `early in ${project}`,
    kind: null,
    createdAt: 1,
    circumstances: { branch: 'main' },
  })
  const thought = {
    novelty: 1,
    createdAt: day,
    reasons: [`a reason of ${project}`],
    sourceMemoryIds: [memory.id, flag.id],
  }
  const [dream] = await dreams.addMany(project, [
    { ...thought, kind: 'bridge', thought: `a thought of ${project}` },
    { ...thought, kind: 'echo', thought: `another of ${project}` },
  ])
  if (dream === undefined) throw new Error('nothing was dreamt')
  await dreams.rate(project, { id: dream.id, verdict: 'keep', now: 1 })
  await dreams.claimNight(project, { since: 0, now: day, holdFor: 1 })
  await store.keys.add({
    id: `key${project}`.padEnd(8, '0'),
    project,
    label: `key of ${project}`,
    createdAt: 1,
    expiresAt: null,
    secretHash: new Uint8Array(32).fill(7),
  })
  store.activity.count(project, day)
  return {
    memory: memory.id,
    flag: flag.id,
    belief: belief.id,
    evidence: event.id,
    prediction: id,
    dream: dream.id,
    observation: observed.id,
  }
}

type Ids = Awaited<ReturnType<typeof fill>>

/** All that can be read as a project, asked with ids of its own and of another. */
async function readAll(store: Store, project: string, ...all: readonly Ids[]) {
  const each = <T>(of: (ids: Ids) => T): T[] => all.map(of)
  const { memories, records, beliefs, predictions, dreams, index, citations } = store
  const overdue = { now: 9 * day, madeBefore: 9 * day }
  const query = { now: 0, limit: 50, skip: 0 }
  const found = <T>(find: (ids: Ids) => Promise<T>): Promise<T[]> => Promise.all(each(find))
  const exported: unknown[] = []
  for await (const record of store.transfer.records(project)) exported.push(record)
  return {
    memories: await found(({ memory }) => memories.find(project, memory)),
    many: await memories.findMany(
      project,
      each(({ flag }) => flag),
    ),
    listed: await memories.list(project, { after: 0, limit: 50 }),
    newest: await memories.newest(project, { limit: 50, now: 0 }),
    pinned: await memories.pinned(project, { limit: 50, now: 0 }),
    counted: await memories.count(project),
    versions: await found(({ memory }) => memories.versions(project, memory)),
    merged: await found(({ memory }) => memories.mergedInto(project, memory)),
    records: await records.list(project, { ...query, kinds: listedKinds }),
    tagged: await records.list(project, { ...query, kinds: listedKinds, tags: ['shared'] }),
    branch: await records.list(project, { ...query, kinds: listedKinds, branch: 'main' }),
    only: await records.list(project, {
      ...query,
      kinds: listedKinds,
      only: each(({ belief }) => ({ kind: 'belief' as const, id: belief })),
    }),
    agents: await records.agents(project),
    dream: await found(({ dream }) => records.findDream(project, dream)),
    observation: await found(({ observation }) => records.findObservation(project, observation)),
    dreamsOf: await found(({ memory }) => records.dreamsOf(project, memory)),
    revised: await found(({ belief }) => records.revisedFrom(project, belief + 2)),
    provenance: await records.provenance(
      project,
      'memory',
      each(({ memory }) => memory),
    ),
    citations: await citations.find(
      project,
      'evidence',
      each(({ evidence }) => evidence),
    ),
    citing: await citations.list(project),
    beliefOf: await found(({ evidence }) => citations.beliefOf(project, evidence)),
    beliefs: await beliefs.list(project, { limit: 50 }),
    trails: await found(({ belief }) => beliefs.trail(project, belief)),
    grounds: await beliefs.grounds(
      project,
      each(({ belief }) => belief),
    ),
    contested: await beliefs.countContested(project, {}),
    predictions: await predictions.list(project, { limit: 50, skip: 0, overdue }),
    open: await predictions.listOpen(project, 50),
    checks: await predictions.listDueChecks(project, 9),
    outcomes: await predictions.listOutcomes(project),
    adjacent: await predictions.listAdjacent(project, ['releas']),
    summary: await predictions.summarise(project),
    overdue: await predictions.listOverdue(project, { ...overdue, limit: 50 }),
    origins: await predictions.knownOrigins(project, ['there mine', 'there theirs']),
    histories: await found(({ prediction }) => predictions.trail(project, prediction)),
    observations: await store.observations.list(project, { limit: 50 }),
    dreams: await dreams.list(project, { limit: 50 }),
    unread: await dreams.countUnread(project),
    reasons: await dreams.explain(
      project,
      each(({ dream }) => dream),
    ),
    liked: await dreams.feedback(project),
    exemptions: await store.exemptions.list(
      project,
      each(({ flag }) => flag),
    ),
    verdicts: await store.verdicts.list(project),
    calls: await store.activity.window(project, 0),
    near: await index.nearest(project, { model, vector: vectorOf('the cache'), limit: 50 }),
    terms: await index.termStatistics(project, ['cach', 'tabl']),
    from: await index.termsFrom(project, ''),
    backlog: await index.backlog(project),
    passages: await index.passages(
      project,
      model,
      each(({ memory }) => memory),
    ),
    lacking: await index.withoutVector(project, model, { after: 0, limit: 50 }),
    found: await index.candidates(project, {
      terms: ['cach', 'tabl'],
      matches: 50,
      nearest: { model, vector: vectorOf('the cache'), limit: 50 },
      among: { now: 0 },
      texts: true,
    }),
    flags: await index.flagCandidates(project, {
      terms: ['tabl'],
      gravest: 50,
      now: 0,
      nearest: { model, vector: vectorOf('the table'), limit: 50 },
    }),
    exported,
  }
}

async function openBoth() {
  const server = await emptyServer()
  const options = { label: 'test', connections: server.connections, patience }
  const [database, unfiltered] = [new Database(server.url, options), new Unfiltered(server.url, options)]
  for (const one of [database, unfiltered]) one.useExtension(await one.readAnywhere(requireReady))
  const stores = [
    createPostgresStore(database, 'service'),
    createPostgresStore(unfiltered, 'service'),
  ] as const
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))))
  const [store, careless] = stores
  const mine = await fill(store, 'mine')
  const theirs = await fill(store, 'theirs')
  return { server, database, unfiltered, store, careless, mine, theirs }
}

describe('a project on PostgreSQL', () => {
  test('is all that is read, where no statement asks for a project', async () => {
    const { unfiltered, store, careless, mine, theirs } = await openBoth()
    const expected = await readAll(store, 'mine', mine, theirs)
    const read = await readAll(careless, 'mine', mine, theirs)
    expect(unfiltered.statements.size).toBeGreaterThan(50)
    expect(read).toEqual(expected)
    expect(JSON.stringify(read)).not.toContain('theirs')
    expect(read.memories[1]).toBe('elsewhere')
  })

  test('is all that is changed, where no statement asks for a project', async () => {
    const { store, careless, mine, theirs } = await openBoth()
    const before = await readAll(store, 'theirs', mine, theirs)
    const found: unknown[] = []
    const look = (record: unknown): never => {
      found.push(record)
      throw new Error('not this one')
    }
    const attempts = [
      () => careless.memories.amend('mine', theirs.memory, look),
      () => careless.memories.mark('mine', theirs.memory, look),
      () => careless.beliefs.amend('mine', { id: theirs.belief }, look),
      () => careless.beliefs.supersede('mine', theirs.belief, look),
      () => careless.predictions.forecast('mine', theirs.prediction, look),
      () => careless.predictions.resolve('mine', theirs.prediction, look),
      () => careless.predictions.reopen('mine', theirs.prediction, look),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow('not this one')
    expect(found).toEqual(attempts.map(() => 'elsewhere'))
    const kinds = ['memory', 'belief', 'prediction', 'dream', 'observation'] as const
    for (const kind of kinds) await careless.removal.forget('mine', { kind, ids: [theirs[kind]] }, () => {})
    const ids = { kept: mine.memory, older: [theirs.memory] }
    expect(await careless.memories.merge('mine', ids, look)).toBe(false)
    expect(
      await careless.predictions.prove('mine', theirs.prediction, { command: 'true # theirs', proof: 'x' }),
    ).toBe(false)
    expect(
      await careless.dreams.rate('mine', { id: theirs.dream, verdict: 'dismiss', now: 9 }),
    ).toBeUndefined()
    expect(await careless.dreams.markRead('mine', theirs.dream, 9)).toBeUndefined()
    expect((await careless.dreams.take('mine', 50, 9)).map(({ id }) => id)).not.toContain(theirs.dream)
    expect(await careless.exemptions.add('mine', { flagId: theirs.flag, topic: 'x', now: 9 })).toBe(false)
    await careless.verdicts.add('mine', { memoryId: theirs.memory, score: 1, right: false, createdAt: 9 })
    await expect(
      careless.citations.replace('mine', { kind: 'memory', id: theirs.memory }, []),
    ).rejects.toThrow('is gone')
    const embedding = embed('another text')
    expect(await careless.index.addEmbeddings('mine', new Map([[theirs.memory, embedding]]))).toBe(0)
    await careless.dreams.endNight('mine', 9)
    expect(await readAll(store, 'theirs', mine, theirs)).toEqual(before)
  })

  test('has every table that names a project to itself', async () => {
    const { server, database, store } = await openBoth()
    await store.close()
    const tables = (await server.administer(
      `SELECT relname::text AS name, EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = pg_class.oid
         AND attname = 'project_id') AS owned
       FROM pg_class WHERE relnamespace = 'brain'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') ORDER BY 1`,
    )) as { name: string; owned: boolean }[]
    const shared = tables.filter(({ owned }) => !owned).map(({ name }) => name)
    expect(shared).toEqual(['model', 'project', 'schema', 'setting'])
    const again = new Database(server.url, { label: 'test', connections: server.connections })
    onTestFinished(() => again.close())
    for (const { name } of tables.filter(({ owned, name }) => owned && name !== 'tally')) {
      const seen = await again.read('mine', (transaction) =>
        transaction.all(`SELECT 1 FROM ${name} WHERE project_id <> $1`, [transaction.projectId]),
      )
      expect([name, seen.length]).toEqual([name, 0])
      const none = await again.readAnywhere((transaction) => transaction.all(`SELECT 1 FROM ${name}`))
      expect([name, none.length]).toEqual([name, 0])
      const gone = await again.write('mine', (transaction) =>
        transaction.run(`DELETE FROM ${name} WHERE project_id <> $1`, [transaction.projectId]),
      )
      expect([name, gone]).toEqual([name, 0])
      const take = () =>
        again.write('mine', (transaction) =>
          transaction.run(`UPDATE ${name} SET project_id = project_id + 1`),
        )
      const [held] = (await server.administer(`SELECT count(*)::int AS n FROM brain.${name}`)) as {
        n: number
      }[]
      if (name !== 'indexed') expect([name, (held?.n ?? 0) >= 2]).toEqual([name, true])
      if ((held?.n ?? 0) > 0) await expect(take(), name).rejects.toMatchObject({ kind: 'storage' })
      else await take()
    }
    expect(database.losses).toBe(0)
  })

  test('is told of a key by whoever has its id, and of no other', async () => {
    const { careless, server } = await openBoth()
    expect(await careless.keys.find('keymine0')).toMatchObject({ project: 'mine' })
    expect(await careless.keys.find('keytheir')).toBeUndefined()
    const database = new Database(server.url, { label: 'test', connections: server.connections })
    onTestFinished(() => database.close())
    const seen = await database.readAnywhere(async (transaction) => {
      await transaction.first("SELECT set_config('brain.key', 'keymine0', true)")
      return transaction.all('SELECT id FROM key')
    })
    expect(seen).toEqual([{ id: 'keymine0' }])
  })
})
