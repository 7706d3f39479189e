import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import { BrainError } from '../../src/core/errors.ts'
import { createEmbedderPool, type EmbedderPool, type PoolOptions } from '../../src/models/pool.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { installEncoder } from './tiny-models.ts'

interface Setting {
  readonly pool: EmbedderPool
  readonly directory: string
  readonly warnings: string[]
}

function createPool(options: Partial<PoolOptions> = {}): Setting {
  const directory = temporaryDirectory()
  installEncoder(directory)
  const warnings: string[] = []
  const pool = createEmbedderPool({
    config: defaults,
    environment: {},
    warn: (message) => warnings.push(message),
    builtinDirectory: directory,
    ...options,
  })
  return { pool, directory, warnings }
}

describe('the pool of embedders', () => {
  test('the built-in embedder is the default and is opened once', async () => {
    const { pool, warnings } = createPool()
    const [first, second] = await Promise.all([pool.current(), pool.current()])
    expect(first?.identity).toMatchObject({ name: 'builtin', dimension: 384 })
    expect(second).toBe(first)
    expect(warnings).toEqual([])
    await pool.close()
  })

  test('none is no embedder and no warning', async () => {
    const { pool, warnings } = createPool({ config: { ...defaults, embedder: 'none' } })
    expect(await pool.current()).toBeUndefined()
    const { pool: other } = createPool()
    const identity = (await other.current())?.identity
    expect(identity && (await other.of(identity))).toBeDefined()
    expect(identity && (await pool.of(identity))).toBeUndefined()
    expect(warnings).toEqual([])
    await Promise.all([pool.close(), other.close()])
  })

  test('a damaged model means no embedder and one warning, however often it is asked for', async () => {
    const { pool, directory, warnings } = createPool()
    truncateSync(join(directory, 'model.onnx'), 1000)
    expect(await pool.current()).toBeUndefined()
    expect(await pool.current()).toBeUndefined()
    expect(await pool.pieces()).toBeUndefined()
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/keyword only.*reinstall brain/)
    await pool.close()
  })

  test('what is under way when it is closed fails without a warning', async () => {
    const { pool, warnings } = createPool()
    expect(await pool.current()).toBeDefined()
    await pool.close()
    expect(await pool.attempt(async () => Promise.reject(new Error('it is already closed')))).toBeUndefined()
    expect(warnings).toEqual([])
  })

  test('a vector space is served only by the very model that made it', async () => {
    const { pool, directory } = createPool()
    const identity = (await pool.current())?.identity
    if (!identity) throw new Error('the built-in model opens')
    expect((await pool.of(identity))?.identity).toEqual(identity)
    expect(await pool.of({ ...identity, hash: 'another' })).toBeUndefined()
    expect(await pool.of({ ...identity, dimension: 64 })).toBeUndefined()
    expect(await pool.of({ ...identity, name: 'unheard-of' })).toBeUndefined()
    installEncoder(directory, { seed: 2 })
    const { pool: later } = createPool({ builtinDirectory: directory })
    expect(await later.of(identity)).toBeUndefined()
    await Promise.all([pool.close(), later.close()])
  })

  test('vectors of an earlier built-in model have this one for their successor, and no others have', async () => {
    const { pool } = createPool({ predecessors: ['old'] })
    const { pool: none } = createPool({ predecessors: ['old'], config: { ...defaults, embedder: 'none' } })
    const identity = (await pool.current())?.identity
    const old = { name: 'builtin', hash: 'old', dimension: 16 }
    expect((await pool.successor(old))?.identity).toEqual(identity)
    expect(await pool.successor({ ...old, hash: 'later' })).toBeUndefined()
    expect(await pool.successor({ ...old, name: 'http:old' })).toBeUndefined()
    expect(identity && (await pool.successor(identity))).toBeUndefined()
    expect(await none.successor(old)).toBeUndefined()
    await Promise.all([pool.close(), none.close()])
  })

  test('a failure while embedding gives undefined and one warning until it works again', async () => {
    const { pool, warnings } = createPool()
    const fail = () => Promise.reject(new BrainError('failed', 'the endpoint did not answer'))
    expect(await pool.attempt(fail)).toBeUndefined()
    expect(await pool.attempt(fail)).toBeUndefined()
    expect(warnings).toHaveLength(1)
    expect(await pool.attempt(async () => 5)).toBe(5)
    expect(await pool.attempt(fail)).toBeUndefined()
    expect(warnings).toHaveLength(2)
    await pool.close()
  })

  test('word pieces are there whatever embedder is configured', async () => {
    const { pool } = createPool({ config: { ...defaults, embedder: 'none' } })
    const model = await pool.pieces()
    expect([...(model?.tokenise('running') ?? [])].map((id) => model?.vocabulary.piece(id))).toEqual([
      'running',
    ])
    await pool.close()
  })

  test('closing a pool that opened nothing opens nothing', async () => {
    const { pool, directory, warnings } = createPool()
    writeFileSync(join(directory, 'model.onnx'), 'garbage')
    await pool.close()
    expect(warnings).toEqual([])
  })
})
