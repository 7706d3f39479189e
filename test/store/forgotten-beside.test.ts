/** What stands beside a brain forgets with it: copies that were kept, logs kept aside, imports that were interrupted. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { oldBrains, unpackOldBrain } from '../fixtures/old-brains.ts'
import { deadProcess, makeBrain, options, temporaryDirectory, withStore } from './brain-file.ts'
import { forget as forgetMemory } from './by-project.ts'

const secret = 'the combination is 71 left, 20 right'

/** Forgets every note of this text; returns what was said about it. */
async function forget(file: string, text: string): Promise<string[]> {
  const said: string[] = []
  const store = await openSqliteStore(file, { ...options, warn: (message) => said.push(message) })
  try {
    for (const project of await store.maintenance.projects())
      for (const memory of await store.memories.list(project, { after: 0, limit: 1_000 }))
        if (memory.text === text) await forgetMemory(store, project, memory.id)
    return said
  } finally {
    await store.close()
  }
}

const filesHolding = (directory: string, text: string): string[] =>
  readdirSync(directory).filter(
    (name) => name !== 'run' && readFileSync(join(directory, name)).includes(text),
  )

/** A closed brain with the secret in it, and its directory. */
async function makeHolder(directory = temporaryDirectory()): Promise<{ file: string; directory: string }> {
  const file = await makeBrain(directory)
  await withStore(file, (store) =>
    store.memories.add('mine', { text: secret, caution: 0.5, agent: 'a', createdAt: 1 }),
  )
  return { file, directory }
}

it('a copy that a restoration kept forgets it too, keeps the rest, and that is said', async () => {
  const { file, directory } = await makeHolder()
  const copy = join(directory, 'before-restore-1.db')
  copyFileSync(file, copy)
  expect(await forget(file, secret)).toEqual([
    expect.stringMatching(/before-restore-1\.db.*has forgotten it/),
  ])
  expect(filesHolding(directory, 'combination is')).toEqual([])
  const texts = await withStore(copy, async (store) => {
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
    return (await store.memories.list('mine', { after: 0, limit: 9 })).map(({ text }) => text)
  })
  expect(texts).toEqual(['the cache is warm'])
})

it.each(oldBrains)(
  'a copy that the upgrade of %s kept is removed with the first note it holds',
  async (name) => {
    const directory = temporaryDirectory()
    const file = unpackOldBrain(name, directory)
    const text = await withStore(file, async (store) => {
      const [project = ''] = await store.maintenance.projects()
      return (await store.memories.list(project, { after: 0, limit: 1 }))[0]?.text ?? ''
    })
    const brain = join(directory, '.brain')
    const kept = readdirSync(brain).filter((entry) => entry.startsWith('before-schema-'))
    expect(kept).toHaveLength(1)
    expect(await forget(file, text)).toEqual([expect.stringMatching(/before-schema-.*was removed/)])
    expect(filesHolding(brain, text)).toEqual([])
  },
)

it('a log kept aside and an import that was interrupted go where they hold it, and stay where they do not', async () => {
  const { file, directory } = await makeHolder()
  writeFileSync(`${file}.replaced-1-wal`, `a frame ${secret} and more`)
  writeFileSync(`${file}.replaced-2-wal`, 'a frame of something else')
  writeFileSync(join(directory, 'import.db'), JSON.stringify({ text: secret }))
  const said = await forget(file, secret)
  expect(said).toEqual([expect.stringMatching(/replaced-1-wal/), expect.stringMatching(/import/)])
  expect(filesHolding(directory, secret)).toEqual([])
  expect(existsSync(`${file}.replaced-2-wal`)).toBe(true)
})

it.each([
  ['in the form that JSON gives it', (text: string) => JSON.stringify({ text })],
  ['across the pieces in which a file is read', (text: string) => 'x'.repeat(2 ** 20 - 20) + text],
  ['in two parts, as pages part it', (text: string) => `${text.slice(0, -12)}\0${text.slice(-12)}`],
])('an import that was interrupted goes with all that is its, where it holds it %s', async (_, written) => {
  const text = [`${secret}\n`, ...Array.from({ length: 40 }, (_none, at) => `“step” "${at}"\n`)].join(' ')
  const { file, directory } = await makeHolder()
  const note = { text: written('').startsWith('x') ? secret : text, caution: 0, agent: 'a', createdAt: 1 }
  await withStore(file, (store) => store.memories.add('mine', note))
  writeFileSync(join(directory, 'import.db'), written(note.text))
  for (const suffix of ['-wal', '-shm']) writeFileSync(join(directory, `import.db${suffix}`), '')
  expect(await forget(file, note.text)).toEqual([expect.stringMatching(/import/)])
  expect(readdirSync(directory).filter((name) => name.startsWith('import.db'))).toEqual([])
})

it('a damaged copy that holds it is removed', async () => {
  const { file, directory } = await makeHolder()
  const bytes = readFileSync(file)
  bytes.fill(0xa5, 0, 4_000)
  writeFileSync(join(directory, 'before-restore-1.db'), bytes)
  expect(await forget(file, secret)).toEqual([expect.stringMatching(/before-restore-1\.db.*was removed/)])
  expect(filesHolding(directory, secret)).toEqual([])
})

it('a copy that a stranger put a table into is removed', async () => {
  const { file, directory } = await makeHolder()
  const copy = join(directory, 'before-restore-1.db')
  copyFileSync(file, copy)
  const database = loadDatabase(copy)
  database.exec('CREATE TABLE theirs (text)')
  database.close()
  expect(await forget(file, secret)).toEqual([expect.stringMatching(/before-restore-1\.db.*was removed/)])
  expect(filesHolding(directory, secret)).toEqual([])
})

it('a copy that cannot be written to now is not removed for that, and it is said that it holds the text still', async () => {
  // SQLite opens no file whose name is longer than 512 bytes: a draft of this copy has such a one.
  const directory = join(temporaryDirectory(), 'd'.repeat(180), 'e'.repeat(180))
  const { file } = await makeHolder(directory)
  const copy = join(directory, `before-restore-${'x'.repeat(120)}.db`)
  copyFileSync(file, copy)
  await expect(forget(file, secret)).rejects.toThrow('a copy beside the brain still holds it')
  expect(existsSync(copy)).toBe(true)
})

it('a copy is left as it is when another note says the same, or the text is only part of one', async () => {
  const { file, directory } = await makeHolder()
  const add = (text: string) =>
    withStore(file, (store) => store.memories.add('other', { text, caution: 0, agent: 'a', createdAt: 1 }))
  await add(secret)
  await add(`${secret}, then 5`)
  const copy = join(directory, 'before-restore-1.db')
  copyFileSync(file, copy)
  const before = readFileSync(copy)
  await withStore(file, (store) => forgetMemory(store, 'mine', 2))
  expect(readFileSync(copy).equals(before)).toBe(true)
})

const believe = (store: Store, project: string) =>
  store.beliefs.add(project, { text: secret, confidence: 0.5, createdAt: 1 })

it.each([
  ['of another kind', 'mine'],
  ['of another kind and project', 'other'],
])(
  'a copy is left as it is while a record %s says the same, and forgets both once none does',
  async (_, project) => {
    const { file, directory } = await makeHolder()
    await withStore(file, (store) => believe(store, project))
    const copy = join(directory, 'before-restore-1.db')
    copyFileSync(file, copy)
    const before = readFileSync(copy)
    await withStore(file, (store) => forgetMemory(store, 'mine', 2))
    expect(readFileSync(copy).equals(before)).toBe(true)
    await withStore(file, (store) => store.removal.forget(project, { kind: 'belief', ids: [1] }, () => {}))
    expect(filesHolding(directory, 'combination is')).toEqual([])
  },
)

it('the draft of a copy whose process is gone is removed by the next to open the brain', async () => {
  const { file, directory } = await makeHolder()
  const draft = join(directory, `.brain.db.${deadProcess()}-1.draft`)
  copyFileSync(file, draft)
  await withStore(file, async () => {})
  expect(existsSync(draft)).toBe(false)
})

it('a copy that was kept before a note was given another text forgets the text it had then', async () => {
  const { file, directory } = await makeHolder()
  const copy = join(directory, 'before-restore-1.db')
  copyFileSync(file, copy)
  const database = loadDatabase(file)
  database.exec(`INSERT INTO memory_version (memory_id, text, caution, agent, created_at, replaced_at)
    SELECT id, text, caution, agent, 1, 2 FROM memory WHERE id = 2; UPDATE memory SET text = 'another' WHERE id = 2`)
  database.close()
  expect(await forget(file, 'another')).toEqual([expect.stringMatching(/has forgotten it/)])
  expect(filesHolding(directory, 'combination is')).toEqual([])
})
