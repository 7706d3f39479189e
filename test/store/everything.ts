/** Something of all that a project can keep, and all that can be asked of it. */
import { listedKinds, type Store } from '../../src/store/store.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const day = 86_400_000
const resolution = { outcome: 'correct', actual: 'so', surprise: 0.1, resolvedAt: 3 } as const

/** Something in every table that a project has rows in, all with the project's name in its texts. */
export async function fill(store: Store, project: string) {
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
export async function readAll(store: Store, project: string, ...all: readonly Ids[]) {
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
