/** How many memories wait for a vector: the same number however they come and go. */
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Embedding, NewMemory } from '../../src/store/store.ts'
import { makeBrain, options } from './brain-file.ts'
import { forget } from './by-project.ts'
import { adapters } from './contract.ts'

const model = { name: 'test', hash: '1', dimension: 4 }

function embed(of = model): Embedding {
  const vector = new Float32Array([1, 0, 0, 0])
  return { model: of, passages: [{ start: 0, end: 1, vector, tokens: new Uint16Array() }] }
}

const memory = (embedding?: Embedding): NewMemory => ({
  text: 'x',
  caution: 0,
  agent: 'a',
  createdAt: 1,
  ...(embedding && { embedding }),
})

describe.each(adapters)('the backlog in %s', (_, open) => {
  it('counts the memories of a project that have no vector of the served model', async () => {
    const { memories, index, removal } = await open()
    expect(await index.backlog('mine')).toBe(0)
    await memories.add('mine', memory(embed()))
    const [first, second] = await memories.addMany('mine', [memory(), memory(), memory()])
    await memories.add('theirs', memory())
    await memories.add('mine', memory(embed({ ...model, hash: '2' })))
    expect(await index.backlog('mine')).toBe(4)
    expect(await index.backlog('theirs')).toBe(1)
    await index.addEmbeddings('mine', new Map([[first?.id ?? 0, embed()]]))
    await forget({ removal }, 'mine', second?.id)
    expect(await index.backlog('mine')).toBe(2)
  })

  it('stays as it is while another model is prepared', async () => {
    const { memories, index } = await open()
    const next = { ...model, hash: '2' }
    const { id } = await memories.add('mine', memory(embed()))
    const { id: waiting } = await memories.add('mine', memory())
    expect([await index.lacking(model), await index.lacking(next)]).toEqual([1, 2])
    await index.addEmbeddings('mine', new Map([[id, embed(next)]]))
    expect([await index.backlog('mine'), await index.lacking(next)]).toEqual([1, 1])
    await index.addEmbeddings('mine', new Map([[waiting, embed(next)]]))
    expect([await index.backlog('mine'), await index.lacking(next)]).toEqual([1, 0])
  })

  it('is empty once another model serves everything', async () => {
    const { memories, index, removal } = await open()
    const next = { ...model, hash: '2' }
    const { id } = await memories.add('mine', memory(embed()))
    const { id: waiting } = await memories.add('mine', memory())
    expect(await index.backlog('mine')).toBe(1)
    await index.addEmbeddings(
      'mine',
      new Map([
        [id, embed(next)],
        [waiting, embed(next)],
      ]),
    )
    expect(await index.serve(next)).toBe(true)
    expect(await index.backlog('mine')).toBe(0)
    await forget({ removal }, 'mine', waiting)
    expect(await index.backlog('mine')).toBe(0)
  })

  it('has, once the old vectors are gone, what lost its new one after it had been seen', async () => {
    const { memories, index } = await open()
    const next = { ...model, hash: '2' }
    const { id } = await memories.add('mine', memory(embed()))
    const { id: edited } = await memories.add('mine', memory(embed()))
    await index.addEmbeddings('mine', new Map([[id, embed(next)]]))
    const switched = await index.serve(next, { after: new Map([['mine', edited]]) })
    while (await index.tidy());
    // Another store may rather not switch yet.
    expect(await (switched ? index.backlog('mine') : index.lacking(next))).toBe(1)
  })
})

it('a batch of what waits is taken in the order of its key: to sort all of it each time made a million notes wait for days', async () => {
  const file = await makeBrain()
  const prepare = vi.spyOn(BetterSqlite3.prototype, 'prepare')
  const store = await openSqliteStore(file, options)
  await store.memories.add('mine', memory(embed()))
  const waiting = await store.index.withoutVector('mine', model, { after: 0, limit: 10 })
  const statements = prepare.mock.calls
    .map(([sql]) => sql)
    .filter((sql) => /FROM unembedded\b.*LIMIT/s.test(sql))
  prepare.mockRestore()
  await store.close()
  expect(waiting).toHaveLength(1)
  expect(statements).toHaveLength(1)
  const database = loadDatabase(file, { readonly: true })
  const plan = statements.flatMap((sql) =>
    database
      .prepare<unknown[], { parent: number; detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from(sql.matchAll(/\?/g), () => 1)),
  )
  database.close()
  // What lies deeper sorts a memory's tags.
  const outer = plan.filter(({ parent }) => parent === 0).map(({ detail }) => detail)
  expect(outer[0]).toContain('SEARCH unembedded')
  expect(outer.join()).not.toContain('TEMP B-TREE')
})
