/** The same acts on every store leave the same records, and the same questions have the same answers. */
import { expect, test } from 'vitest'
import { adapters } from './contract.ts'
import { fill, readAll } from './everything.ts'

/** What a store says, of which the order of some lists is its own. */
async function answersOf(open: (typeof adapters)[number][1]) {
  const store = await open()
  const mine = await fill(store, 'mine')
  const theirs = await fill(store, 'theirs')
  const { many, citing, ...answers } = await readAll(store, 'mine', mine, theirs)
  const projects = await store.projects.list()
  const sizes = await store.projects.measure()
  return { ...answers, ids: [mine, theirs], projects, sizes, keys: await store.keys.list() }
}

test.each(adapters.slice(1))('%s answers as SQLite in memory does', async (_, open) => {
  const [, openFirst] = adapters[0] ?? expect.unreachable()
  expect(await answersOf(open)).toEqual(await answersOf(openFirst))
})

test.each(adapters)(
  '%s counts one project as it does among all, and nothing in one it never had',
  async (_, open) => {
    const store = await open()
    await fill(store, 'mine')
    await store.memories.add('theirs', {
      text: 'theirs',
      caution: 0,
      agent: 'a',
      createdAt: 1_000,
      tags: [],
    })
    const all = await store.projects.list()
    expect(all.map(({ name }) => name)).toEqual(['mine', 'theirs'])
    for (const one of all) expect(await store.projects.count(one.name)).toEqual(one)
    const none = await store.projects.count('none')
    expect(none.name).toBe('none')
    expect(Object.keys(none)).toEqual(Object.keys(all[0] ?? expect.unreachable()))
    expect(new Set(Object.values(none).slice(1))).toEqual(new Set([0]))
  },
)
