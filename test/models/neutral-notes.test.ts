import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dot } from '../../src/core/ranking.ts'
import { openBuiltinModel } from '../../src/models/builtin-model.ts'
import type { Embedder } from '../../src/models/embedder.ts'
import {
  createNeutralNotes,
  makeNeutralNotesFile,
  type NeutralNotes,
} from '../../src/models/neutral-notes.ts'
import { createBuiltinEmbedder } from '../../src/models/providers/builtin.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { installEncoder } from './tiny-models.ts'

const notes = ['The kettle needs descaling.', 'Deploy on Friday.', 'A user prefers tea.']

/** Their number, and what they come to. */
const countOf = ({ mean, products }: NeutralNotes): number => products(mean).length
const sight = ({ mean, products }: NeutralNotes) => ({ mean, products: products(mean) })

function setting() {
  const models = temporaryDirectory()
  const builtin = join(models, 'encoder')
  mkdirSync(builtin)
  installEncoder(builtin)
  writeFileSync(join(models, 'neutral-notes.json'), JSON.stringify(notes))
  const model = openBuiltinModel(builtin)
  const cache = join(temporaryDirectory(), 'cache')
  const own = createBuiltinEmbedder(model)
  // The built-in one under another name, counting what it is asked.
  const counted = { embedder: own, calls: 0 }
  const other: Embedder = {
    ...own,
    identity: { ...own.identity, name: 'http:other' },
    embedTexts: (texts) => {
      counted.calls += 1
      return own.embedTexts(texts)
    },
  }
  const open = () => createNeutralNotes({ builtin, cache: async () => cache })
  return { builtin, cache, model, own, other, counted, open }
}

describe('the vectors of neutral notes', () => {
  test('is embedded once a machine for an embedder that is not built in', async () => {
    const { cache, other, counted, open } = setting()
    const find = open()
    const first = await find(other)
    expect(countOf(first)).toBe(notes.length)
    expect(await find(other)).toBe(first)
    expect(counted.calls).toBe(1)
    const again = await open()(other)
    expect(counted.calls).toBe(1)
    expect(sight(again)).toEqual(sight(first))
    const components = first.products(first.mean.map((_, at) => Number(at === 0)))
    const sum = components.reduce((all, component) => all + component, 0)
    expect(first.mean[0]).toBeCloseTo(sum / notes.length, 6)
    expect(readdirSync(cache)).toHaveLength(1)
  })

  test('of another model, or of other notes, is embedded anew', async () => {
    const { builtin, other, counted, open } = setting()
    await open()(other)
    await open()({ ...other, identity: { ...other.identity, hash: 'another' } })
    expect(counted.calls).toBe(2)
    writeFileSync(join(builtin, '..', 'neutral-notes.json'), JSON.stringify(notes.slice(1)))
    expect(countOf(await open()(other))).toBe(2)
    expect(counted.calls).toBe(3)
  })

  test('whose file is damaged is embedded anew', async () => {
    const { cache, other, counted, open } = setting()
    await open()(other)
    const [name = ''] = readdirSync(cache)
    truncateSync(join(cache, name), 100)
    expect(countOf(await open()(other))).toBe(notes.length)
    expect(counted.calls).toBe(2)
  })

  test('of the built-in model comes from the file that the build made', async () => {
    const { builtin, cache, own, open } = setting()
    writeFileSync(join(builtin, 'neutral-notes.bin'), await makeNeutralNotesFile(own, builtin))
    const texts: string[][] = []
    const silent: Embedder = {
      ...own,
      embedTexts: async (given) => {
        texts.push([...given])
        return []
      },
    }
    const { products } = await open()(silent)
    expect(texts).toEqual([])
    const fresh = (await own.embedTexts(notes)).flat()
    const asked = (await own.embedTexts(['A cup of tea'])).flat()[0]?.vector ?? new Float32Array()
    expect(products(asked)).toEqual(fresh.map(({ vector }) => dot(vector, asked)))
    expect(() => readFileSync(cache)).toThrow()
  })

  test('without notes is empty, and that is no failure', async () => {
    const { builtin, own, open } = setting()
    writeFileSync(join(builtin, '..', 'neutral-notes.json'), 'no list')
    expect(countOf(await open()(own))).toBe(0)
  })

  test('that failed is tried again', async () => {
    const { other, open } = setting()
    const find = open()
    const state = { down: true }
    const flaky: Embedder = {
      ...other,
      embedTexts: (texts) => (state.down ? Promise.reject(new Error('down')) : other.embedTexts(texts)),
    }
    await expect(find(flaky)).rejects.toThrow('down')
    state.down = false
    expect(countOf(await find(flaky))).toBe(notes.length)
  })
})
