/** A platform on which sqlite-vec cannot be loaded: keyword recall, said once, and nothing half-forgotten. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { bundle } from '../faults/bundle.ts'
import { options, temporaryDirectory } from './brain-file.ts'
import { embed, model, vectorOf } from './test-embedder.ts'

const script = `
  const { openBrain } = await import('./brain.mjs')
  const { openSqliteStore } = await import('./store.mjs')
  const warnings = []
  const warn = (message) => warnings.push(message)
  const store = await openSqliteStore('brain.db', { durability: 'full', create: false, label: 'test', warn })
  const model = JSON.parse(process.argv[1])
  const vector = new Float32Array(model.dimension).fill(0.25)
  const embedding = { model, passages: [{ start: 0, end: 1, vector, tokens: new Uint16Array() }] }
  const said = (error) => error.message
  const forget = (id) => store.removal.forget('mine', { kind: 'memory', ids: [id] }, () => {})
  const terms = ['rust']
  const query = { terms, matches: 9, nearest: { model, vector, limit: 9 }, among: { now: 0 }, texts: false }
  const found = await store.index.candidates('mine', query)
  const result = {
    matching: found.matches.map(({ id }) => id),
    passages: found.passages.length,
    nearest: await store.index.nearest('mine', { model, vector, limit: 9 }),
    added: (await store.memories.add('mine', { text: 'c rust', caution: 0, agent: 'a', createdAt: 3, embedding })).id,
    backlog: await store.index.backlog('mine'),
    forgetting: await forget(1).catch(said),
    count: await store.memories.count('mine'),
    findings: (await store.maintenance.check()).filter(({ ok }) => !ok).map(({ check }) => check),
  }
  await forget(2)
  result.forgotten = (await store.memories.find('mine', 2)) === undefined
  await store.close()
  const config = { embedder: 'builtin', 'store.url': null, durability: 'full' }
  const brain = await openBrain({ directory: '.', config, as: 'worker', label: 'test', warn: () => {} })
  result.embedder = brain.context({ project: 'mine', agent: 'a' }).config.embedder
  await brain.close()
  process.stdout.write(JSON.stringify({ ...result, warnings }))`

it('a brain is searched by keyword alone, takes notes, and forgets only what it can forget whole', async () => {
  const directory = temporaryDirectory()
  const file = join(directory, 'brain.db')
  const store = await openSqliteStore(file, { ...options, create: true })
  const memory = { caution: 0, agent: 'a', createdAt: 1 }
  await store.memories.add('mine', { ...memory, text: 'a rust', embedding: embed('a rust') })
  await store.memories.add('mine', { ...memory, text: 'b rust' })
  await store.close()

  // A place of its own, in which everything but sqlite-vec is installed.
  copyFileSync(await bundle('src/store/sqlite/store.ts'), join(directory, 'store.mjs'))
  copyFileSync(await bundle('src/brain.ts'), join(directory, 'brain.mjs'))
  mkdirSync(join(directory, 'node_modules'))
  for (const name of readdirSync('node_modules').filter((name) => !name.startsWith('sqlite-vec')))
    symlinkSync(realpathSync(join('node_modules', name)), join(directory, 'node_modules', name))
  if (existsSync('native')) symlinkSync(realpathSync('native'), join(directory, 'native'))
  const output = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify(model)],
    {
      cwd: directory,
      encoding: 'utf8',
    },
  )
  const result = JSON.parse(output)
  expect(result).toMatchObject({
    nearest: [],
    passages: 0,
    added: 3,
    backlog: 2,
    forgetting: expect.stringContaining('sqlite-vec is needed to take vectors away'),
    count: 3,
    findings: ['vectors'],
    forgotten: true,
    embedder: 'none',
    warnings: [expect.stringContaining('recall is by keyword only')],
  })
  expect(result.matching.sort()).toEqual([1, 2])

  // Where it loads again, nothing is amiss.
  const again = await openSqliteStore(file, options)
  expect((await again.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
  expect(await again.index.nearest('mine', { model, vector: vectorOf('a rust'), limit: 9 })).toHaveLength(1)
  await again.close()
})
