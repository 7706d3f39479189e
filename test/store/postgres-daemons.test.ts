/**
 * Several daemons on one PostgreSQL, as several stores with connections of their own: nothing is lost, handed out twice or
 * acknowledged and gone. Needs a server that runs transactions side by side, which PGlite does not.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Belief, Found } from '../../src/core/records.ts'
import type { BeliefAmendment } from '../../src/store/belief-store.ts'
import { openPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { own } from './by-project.ts'
import { emptyServer, timeouts } from './contract.ts'
import { embed } from './test-embedder.ts'

const daemons = 8
const note = (text: string) => ({ text, caution: 0, agent: 'a', createdAt: 1 })

async function openDaemons() {
  const server = await emptyServer()
  const open = async (): Promise<Store> => {
    const store = await openPostgresStore(server.url, {
      label: 'test',
      connections: 2,
      timeouts,
      warn: () => {},
    })
    onTestFinished(() => store.close())
    return store
  }
  const stores = await Promise.all(Array.from({ length: daemons }, open))
  const [store] = stores
  if (store === undefined) throw new Error('no daemon was opened')
  return { server, stores, store }
}

/** The same of each at once, so many times. */
const all = <T>(stores: readonly Store[], times: number, act: (store: Store, at: number) => Promise<T>) =>
  Promise.all(
    stores.flatMap((store, which) =>
      Array.from({ length: times }, (_, at) => act(store, which * times + at)),
    ),
  )

const adding =
  (step: number) =>
  (found: Found<Belief>): BeliefAmendment => ({
    event: { kind: 'supporting', strength: 0.5, logLikelihood: step, note: null, createdAt: 2 },
    logRatio: (own(found)?.logRatio ?? Number.NaN) + step,
    confidence: 0.8,
    status: 'accumulating',
  })

const troubles = async (store: Store) => (await store.maintenance.check()).filter(({ ok }) => !ok)

describe.skipIf(process.env.BRAIN_TEST_POSTGRES === undefined)('daemons on one server', () => {
  test('lose no evidence that reaches one belief at once', async () => {
    const { stores, store } = await openDaemons()
    const { id } = await store.beliefs.add('mine', { text: 'it holds', confidence: 0.5, createdAt: 1 })
    await all(stores, 25, (one) => one.beliefs.amend('mine', { id }, adding(0.125)))
    const { belief, events } = await store.beliefs.trail('mine', id)
    expect(belief).toMatchObject({ logRatio: 25, evidenceCount: 200 })
    expect(events).toHaveLength(200)
  })

  test('count a run once, however many tell of it', async () => {
    const { stores, store } = await openDaemons()
    const { id } = await store.beliefs.add('mine', { text: 'it holds', confidence: 0.5, createdAt: 1 })
    const told = await all(stores, 2, (one) =>
      one.beliefs
        .amend('mine', { id, run: 'r1' }, (found, known) => {
          if (known.counted !== undefined) throw new Error('counted')
          return { ...adding(1)(found), run: 'r1' }
        })
        .then(
          () => 'weighed',
          () => 'refused',
        ),
    )
    expect(told.filter((word) => word === 'weighed')).toHaveLength(1)
  })

  test('hand each dream out once, and every one', async () => {
    const { stores, store } = await openDaemons()
    const { id } = await store.memories.add('mine', note('the cache is warm'))
    const dreams = Array.from({ length: 90 }, (_, at) => ({
      kind: 'echo' as const,
      thought: `thought ${at}`,
      sourceMemoryIds: [id],
      novelty: 1,
      createdAt: at,
    }))
    const others = await store.memories.addMany(
      'mine',
      dreams.map(({ thought }) => note(thought)),
    )
    await store.dreams.addMany(
      'mine',
      dreams.map((dream, at) => ({ ...dream, sourceMemoryIds: [id, others[at]?.id ?? 0] })),
    )
    const taken = (await all(stores, 4, (one) => one.dreams.take('mine', 3, 9))).flat()
    const left = await store.dreams.take('mine', 90, 9)
    const ids = [...taken, ...left].map((dream) => dream.id)
    expect(ids).toHaveLength(90)
    expect(new Set(ids).size).toBe(90)
  })

  test('let one of them dream a night', async () => {
    const { stores, store } = await openDaemons()
    await store.memories.add('mine', note('the cache is warm'))
    const night = { since: 0, now: 1_000, holdFor: 500 }
    const claims = await all(stores, 3, (one) => one.dreams.claimNight('mine', night))
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  test('supersede a belief and resolve a prediction once', async () => {
    const { stores, store } = await openDaemons()
    const { id } = await store.beliefs.add('mine', { text: 'it holds', confidence: 0.5, createdAt: 1 })
    const guess = { prediction: 'it ships', domain: 'infra', confidence: 0.5, basis: null, createdAt: 1 }
    const prediction = await store.predictions.add('mine', guess)
    const once = <T>(ended: boolean, value: T): T => {
      if (ended) throw new Error('ended already')
      return value
    }
    const settled = await Promise.allSettled([
      ...stores.map((one, at) =>
        one.beliefs.supersede('mine', id, (found) =>
          once(own(found)?.supersededBy !== null, { text: `${at}`, confidence: 0.5, createdAt: 2 }),
        ),
      ),
      ...stores.map((one) =>
        one.predictions.resolve('mine', prediction.id, (found) =>
          once(own(found)?.resolution !== null, {
            outcome: 'correct' as const,
            actual: 'so',
            surprise: 0.5,
            resolvedAt: 2,
          }),
        ),
      ),
    ])
    const won = settled.map(({ status }) => status === 'fulfilled')
    expect(won.slice(0, daemons).filter(Boolean)).toHaveLength(1)
    expect(won.slice(daemons).filter(Boolean)).toHaveLength(1)
  })

  test('keep tags and texts that are changed at once', async () => {
    const { stores, store } = await openDaemons()
    const { id } = await store.memories.add('mine', note('version 0'))
    await all(stores, 4, (one, at) =>
      one.memories.mark('mine', id, (found) => ({ tags: [...(own(found)?.tags ?? []), `t${at}`] })),
    )
    await all(stores, 2, (one, at) =>
      one.memories.amend('mine', id, (found) => ({
        text: `${own(found)?.text} ${at}`,
        caution: 0,
        agent: 'a',
        now: 2,
        embedding: embed(`version ${at}`),
      })),
    )
    const memory = own(await store.memories.find('mine', id))
    expect(memory?.tags).toHaveLength(daemons * 4)
    expect(memory?.text.split(' ')).toHaveLength(2 + daemons * 2)
    expect(await store.memories.versions('mine', id)).toHaveLength(daemons * 2)
    expect(await troubles(store)).toEqual([])
  })

  test('merge memories one way where they are to be merged both ways', async () => {
    const { stores, store } = await openDaemons()
    const [a, b] = await store.memories.addMany('mine', [note('the cache'), note('The cache.')])
    const ids = [a?.id ?? 0, b?.id ?? 0] as const
    const merging = { now: 2, caution: 0, tags: [], pinnedAt: null, expiresAt: null }
    const merged = await all(stores, 2, (one, at) =>
      one.memories.merge('mine', { kept: ids[at % 2] ?? 0, older: [ids[(at + 1) % 2] ?? 0] }, () => merging),
    )
    expect(merged.filter(Boolean)).toHaveLength(1)
    expect(await store.memories.count('mine')).toBe(1)
  })

  test('make a project once, count what all of them keep, and forget while others embed', async () => {
    const { stores, store } = await openDaemons()
    const added = await all(stores, 20, (one, at) =>
      one.memories.add(`project ${at % 3}`, note(`note ${at}`)),
    )
    expect(await store.maintenance.projects()).toHaveLength(3)
    const ids = (at: number) => added.filter((_, place) => place % 3 === at).map(({ id }) => id)
    await all(stores, 3, (one, at) => {
      const project = `project ${at % 3}`
      const some = ids(at % 3).slice(0, 20)
      return at % 2 === 0
        ? one.index
            .addEmbeddings(project, new Map(some.map((id) => [id, embed(`note ${id}`)])))
            .then(() => {})
        : one.removal.forget(project, { kind: 'memory', ids: some.slice(0, 10).reverse() }, () => {})
    })
    const counts = await Promise.all([0, 1, 2].map((at) => store.memories.count(`project ${at}`)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(daemons * 20 - 30)
    expect(await troubles(store)).toEqual([])
  })

  test('have all that was acknowledged when their connections are ended', async () => {
    const { server, stores, store } = await openDaemons()
    await store.memories.add('mine', note('the first'))
    let ending = true
    const end = async (): Promise<void> => {
      while (ending) {
        await server.administer(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'test' AND random() < 0.3`,
        )
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const ended = end()
    const outcomes = await Promise.allSettled(
      stores.flatMap((one, which) =>
        Array.from({ length: 40 }, (_, at) => one.memories.add('mine', note(`note ${which * 40 + at}`))),
      ),
    )
    ending = false
    await ended
    const kept = new Set(
      (await store.memories.list('mine', { after: 0, limit: 1_000 })).map(({ text }) => text),
    )
    for (const one of outcomes) {
      if (one.status === 'fulfilled') expect(kept).toContain(one.value.text)
      else expect(['storage', 'busy']).toContain(one.reason.kind)
    }
    expect(await troubles(store)).toEqual([])
  })
})
