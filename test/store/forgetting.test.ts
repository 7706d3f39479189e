/** Forgetting leaves no byte: not in the rows, the keyword index, the vectors or the write-ahead log. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toRow } from '../../src/store/search/int8-vector.ts'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import type { Store } from '../../src/store/store.ts'
import { deadProcess, options, temporaryDirectory } from './brain-file.ts'
import { forget } from './by-project.ts'
import { embed, vectorOf } from './test-embedder.ts'

const word = (seed: string): string => createHash('sha256').update(seed).digest('hex').slice(0, 9)

/** Words of texts begin with every letter, so that what is forgotten stands among what is kept. */
const letter = (at: number): string => String.fromCharCode(97 + (at % 26))

/** A text of some length that begins with words which no other text has. */
const textOf = (at: number, mark: string): string =>
  [
    'note',
    ...Array.from({ length: 8 }, (_, next) => `${letter(at + next)}${mark}${word(`mark ${at} ${next}`)}`),
    ...Array.from(
      { length: 5 + ((at * 37) % 160) },
      (_, next) => `${letter(next)}${word(`${at % 7} ${next}`)}`,
    ),
  ].join(' ')

async function fill(store: Store, count: number): Promise<{ id: number; text: string }[]> {
  const texts = Array.from({ length: count }, (_, at) => textOf(at, at % 3 === 0 ? 'kept' : 'zqsecret'))
  return store.memories.addMany(
    'mine',
    texts.map((text) => ({ text, caution: 0, agent: 'a', createdAt: 1, embedding: embed(text) })),
  )
}

/** Every file of the brain, log included, as one piece; read by another process, so that this one keeps its locks. */
const allBytes = (directory: string): Buffer =>
  execFileSync('sh', ['-c', 'cat "$1"/brain.db*', 'sh', directory], { maxBuffer: 2 ** 30 })

/** A vector as it is kept: short enough to stand on one page nearly always. */
const pieceOf = (vector: Float32Array): Buffer => Buffer.from(toRow(vector))

describe('forgetting', () => {
  it('leaves no byte of text, words, word beginnings or vectors, while others have the brain open', async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'brain.db')
    const store = await openSqliteStore(file, { ...options, durability: 'normal', create: true })
    const bystander = await openSqliteStore(file, options)
    const memories = await fill(store, 120)
    const doomed = memories.filter(({ text }) => text.includes('zqsecret'))
    const before = allBytes(directory)
    expect(before.includes('zqsecret')).toBe(true)
    expect(doomed.filter(({ text }) => before.includes(pieceOf(vectorOf(text)))).length).toBeGreaterThan(
      doomed.length * 0.9,
    )
    for (const { id } of doomed) await forget(store, 'mine', id)
    const after = allBytes(directory)
    expect(after.includes('zqsecret')).toBe(false)
    expect(doomed.filter(({ text }) => after.includes(text.slice(0, 30)))).toEqual([])
    expect(doomed.filter(({ text }) => after.includes(pieceOf(vectorOf(text))))).toEqual([])
    expect((await store.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
    expect(await store.memories.count('mine')).toBe(memories.length - doomed.length)
    await bystander.close()
    await store.close()
  })

  it('waits for others to leave the log, and says so when they do not', async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'brain.db')
    const store = await openSqliteStore(file, { ...options, durability: 'normal', create: true })
    onTestFinished(() => store.close())
    const [first, second] = await fill(store, 2)
    const reader = loadDatabase(file, { readonly: true })
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM memory').get()
    setTimeout(() => reader.exec('COMMIT'), 300)
    await forget(store, 'mine', second?.id)
    expect(allBytes(directory).includes('zqsecret')).toBe(false)

    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM memory').get()
    await expect(forget(store, 'mine', first?.id)).rejects.toMatchObject({
      kind: 'storage',
      message: expect.stringContaining('brain doctor --fix'),
    })
    expect(await store.memories.find('mine', first?.id ?? 0)).toBeUndefined()
    reader.close()
    await store.maintenance.repair()
    expect(allBytes(directory).includes(`akept${word('mark 0 0')}`)).toBe(false)
  })

  it('leaves no vector of a model whose removal was cut off', async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'brain.db')
    const store = await openSqliteStore(file, { ...options, durability: 'normal', create: true })
    onTestFinished(() => store.close())
    const memories = await fill(store, 12)
    const next = { name: 'next', hash: 'beef', dimension: 16 }
    await store.index.addEmbeddings('mine', new Map(memories.map(({ id, text }) => [id, embed(text, next)])))
    expect(await store.index.serve(next)).toBe(true)
    // The rows that say whose a vector is go first.
    await store.index.tidy()
    const held = memories.filter(({ text }) => allBytes(directory).includes(pieceOf(vectorOf(text))))
    expect(held.length).toBeGreaterThan(0)
    for (const { id } of held) await forget(store, 'mine', id)
    expect(held.filter(({ text }) => allBytes(directory).includes(pieceOf(vectorOf(text))))).toEqual([])
  })

  it('that was cut off before the pages were written anew is finished by whoever opens the brain next', async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'brain.db')
    const store = await openSqliteStore(file, { ...options, create: true })
    const [memory] = await fill(store, 12)
    await forget(store, 'mine', memory?.id)
    await store.close()
    const killed = loadDatabase(file)
    killed.exec("INSERT INTO setting (key, value) VALUES ('rewriting_due', ''); CREATE TABLE left (a)")
    killed.exec(
      "DROP TABLE left; INSERT INTO memory (id, project_id, text, terms, caution, agent, created_at) VALUES (99, 1, 'zqleft', '', 0, 'a', 1)",
    )
    killed.exec('PRAGMA secure_delete = OFF; DELETE FROM memory WHERE id = 99')
    killed.close()
    expect(allBytes(directory).includes('zqleft')).toBe(true)
    mkdirSync(join(directory, 'run'), { recursive: true })
    writeFileSync(join(directory, 'run', `${deadProcess()}-1-1`), 'brain forget')
    const next = await openSqliteStore(file, options)
    expect(allBytes(directory).includes('zqleft')).toBe(false)
    expect((await next.maintenance.check()).filter(({ ok }) => !ok)).toEqual([])
    await next.close()
  })

  it('says that the text is gone from the records where the disk fails afterwards', async () => {
    const directory = temporaryDirectory()
    const file = join(directory, 'brain.db')
    const store = await openSqliteStore(file, { ...options, create: true })
    onTestFinished(() => store.close())
    const [memory] = await fill(store, 3)
    const reader = loadDatabase(file, { readonly: true })
    onTestFinished(() => void reader.close())
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM memory').get()
    await expect(forget(store, 'mine', memory?.id)).rejects.toThrow(
      /memory \d+ is forgotten, but pieces of it may still be in the file .*`brain doctor --fix`/,
    )
    expect(await store.memories.find('mine', memory?.id ?? 0)).toBeUndefined()
  })
})
