import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { NightContext } from '../../src/dreams/collect.ts'
import { dreamNight } from '../../src/dreams/night.ts'
import { openReaders } from '../../src/dreams/reader.ts'
import { KeptReadings } from '../../src/dreams/readings.ts'
import { version } from '../../src/version.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { openToDream } from './dream-over.ts'
import { march, night } from './night-context.ts'

const names = ['yes', 'no'] as const
const made = { yes: 1 / 3, no: 2 / 3 }
const never = (): never => {
  throw new Error('read again')
}
const onlyFile = (directory: string): string => {
  const [file = ''] = readdirSync(directory).filter((name) => name.startsWith('readings-'))
  return join(directory, file)
}

/** A directory in which a night of a project has kept one reading. */
function kept(project = 'default'): string {
  const directory = temporaryDirectory()
  const readings = new KeptReadings(directory, project)
  readings.once(names, ['pair', 'one', 'other'], () => made)
  readings.save({ finished: true })
  return directory
}

describe('readings of a night', () => {
  it('are the same numbers in the next one, which reads nothing', () => {
    const readings = new KeptReadings(kept(), 'default')
    expect(readings.once(names, ['pair', 'one', 'other'], never)).toEqual(made)
  })

  it.each([
    ['other reader', ['single', 'one', 'other']],
    ['other order', ['pair', 'other', 'one']],
    ['other seam between two texts', ['pair', 'on', 'eother']],
    ['other vector', ['pair', 'one', new Uint8Array([1])]],
  ] as const)('are of what was read alone: %s', (_, read) => {
    expect(new KeptReadings(kept(), 'default').find(names, read)).toBeUndefined()
  })

  it('are of one project, and of one kind of answer', () => {
    const directory = kept('mine')
    expect(new KeptReadings(directory, 'theirs').find(names, ['pair', 'one', 'other'])).toBeUndefined()
    expect(
      new KeptReadings(directory, 'mine').find(['yes', 'no', 'so'], ['pair', 'one', 'other']),
    ).toBeUndefined()
  })

  it('say nothing of the texts, and are their owner’s alone', () => {
    const directory = kept('the name of the project')
    const file = onlyFile(directory)
    expect(readFileSync(file, 'utf8')).not.toMatch(/one|other|project/)
    expect(file).not.toContain('project')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('go when a whole night had no use for them, and stay when one was cut short', () => {
    const directory = kept()
    const next = (read: string, finished: boolean): void => {
      const readings = new KeptReadings(directory, 'default')
      readings.once(names, ['pair', read], () => made)
      readings.save({ finished })
    }
    next('second', false)
    expect(new KeptReadings(directory, 'default').find(names, ['pair', 'one', 'other'])).toEqual(made)
    next('second', true)
    const last = new KeptReadings(directory, 'default')
    expect(last.find(names, ['pair', 'one', 'other'])).toBeUndefined()
    expect(last.find(names, ['pair', 'second'])).toEqual(made)
  })

  it.each([
    ['nothing', ''],
    ['noise', '\0\0{'],
    ['another kind', '[]'],
    ['readings of other models', '{"mark":"0.0.1","readings":{}}'],
    ['no readings', 'null'],
    ['too much for a night', (whole: string) => `${whole}${' '.repeat(16 * 1_048_576)}`],
    ['readings of another version', (whole: string) => whole.replace('"mark":"', '"mark":"0.0.1, ')],
    ['of this version no readings', (whole: string) => whole.replace(/"readings":.*$/, '"readings":null}')],
  ])('are made anew where the file holds %s', (_, content) => {
    const directory = kept()
    const file = onlyFile(directory)
    writeFileSync(file, typeof content === 'string' ? content : content(readFileSync(file, 'utf8')))
    const readings = new KeptReadings(directory, 'default')
    expect(readings.find(names, ['pair', 'one', 'other'])).toBeUndefined()
    expect(readings.once(names, ['pair', 'one', 'other'], () => made)).toEqual(made)
    readings.save({ finished: true })
    expect(new KeptReadings(directory, 'default').find(names, ['pair', 'one', 'other'])).toEqual(made)
  })

  it('are of the models that made them, as they are installed, and of this version', () => {
    const { mark } = JSON.parse(readFileSync(onlyFile(kept()), 'utf8'))
    const models = ['encoder', 'pair', 'night'].map((name) => {
      const { size, mtimeMs } = statSync(join('models', `brain-${name}-v1`, 'model.onnx'))
      return `${size} ${mtimeMs}`
    })
    expect(mark.split(', ')).toEqual([version, ...models])
  })

  it('are whole where a model is certain, and are made once a night', () => {
    const certain = { yes: 1, no: 0 }
    const directory = temporaryDirectory()
    const readings = new KeptReadings(directory, 'default')
    readings.once(names, ['pair', 'certain'], () => certain)
    expect(readings.once(names, ['pair', 'certain'], never)).toEqual(certain)
    readings.save({ finished: true })
    expect(new KeptReadings(directory, 'default').find(names, ['pair', 'certain'])).toEqual(certain)
  })

  it('that a night cut short made anew take the place of the damaged ones', () => {
    const directory = kept()
    const file = onlyFile(directory)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/\[[^[]*\]/, '[0.5]'))
    const readings = new KeptReadings(directory, 'default')
    readings.once(names, ['pair', 'one', 'other'], () => made)
    readings.save({ finished: false })
    expect(new KeptReadings(directory, 'default').find(names, ['pair', 'one', 'other'])).toEqual(made)
  })

  it('are not written again by a night that had the same', () => {
    const directory = kept()
    const { ino } = statSync(onlyFile(directory))
    for (const finished of [false, true]) {
      const readings = new KeptReadings(directory, 'default')
      if (finished) readings.find(names, ['pair', 'one', 'other'])
      readings.save({ finished })
    }
    expect(statSync(onlyFile(directory)).ino).toBe(ino)
  })

  it.each([
    ['"0.5"', 'a text'],
    ['[0.5]', 'too few'],
    ['[0.5,2]', 'no probability'],
    ['[0.5,null]', 'no number'],
  ])('are made anew where one is %s: %s', (reading) => {
    const directory = kept()
    const file = onlyFile(directory)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/\[[^[]*\]/, reading))
    expect(new KeptReadings(directory, 'default').find(names, ['pair', 'one', 'other'])).toBeUndefined()
  })

  it('are neither read nor written through a link, and missed by nobody where they cannot be kept', () => {
    const directory = kept()
    const file = onlyFile(directory)
    const elsewhere = join(temporaryDirectory(), 'elsewhere.json')
    writeFileSync(elsewhere, readFileSync(file))
    rmSync(file)
    symlinkSync(elsewhere, file)
    const readings = new KeptReadings(directory, 'default')
    expect(readings.find(names, ['pair', 'one', 'other'])).toBeUndefined()
    const before = readFileSync(elsewhere, 'utf8')
    readings.once(names, ['pair', 'new'], () => made)
    readings.save({ finished: true })
    expect(readFileSync(elsewhere, 'utf8')).toBe(before)
    rmSync(file)
    mkdirSync(join(file, 'in its place'), { recursive: true })
    readings.save({ finished: true })
    expect(readdirSync(directory)).toHaveLength(1)
  })
})

/** Days of March and what was noted on them: what is known on the first night, and what comes before each of the next. */
const arrivals: readonly (readonly (readonly [day: number, text: string])[])[] = [
  [
    [2, 'We agreed that nobody deploys on a Friday afternoon'],
    [4, 'The boiler in the basement rattles again'],
    [6, 'Ana will send the draft of the contract to the notary by Tuesday'],
    [9, 'How long do we keep the logs of the checkout service?'],
    [11, 'The cache of the product page holds entries for ten minutes'],
    [14, 'Deployed the search service on Friday at four in the afternoon'],
    [17, 'Since today the cache of the product page holds entries for two hours'],
  ],
  [[20, 'The new coffee machine arrived and stands in the kitchen']],
  [[22, 'How long are logs of the checkout service to be kept?']],
]

/** What some nights tell, and how often each asks the model. */
async function nightsOf({ keeping }: { keeping: boolean }) {
  const brain = await openToDream()
  const { directory = '', ...rest } = brain.context({ project: 'default', agent: 'default' })
  const model = await rest.embedders.nightReader()
  const embedder = await rest.embedders.configured()
  if (model === undefined) throw new Error('no model')
  let reads = 0
  const counted = new Proxy(model, {
    get: (target, name) => {
      if (name === 'stand' || name === 'rolesOf') reads += 1
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const embedders = { ...rest.embedders, nightReader: async () => counted }
  const context = { ...rest, embedders, ...(keeping && { directory }) }
  const told = []
  const asked = []
  for (const arrived of arrivals) {
    const passages = await embedder.embedTexts(arrived.map(([, text]) => text))
    await context.store.memories.addMany(
      'default',
      arrived.map(([day, text], at) => ({
        text,
        caution: 0,
        agent: at % 2 === 0 ? 'ana' : 'ben',
        createdAt: march(day),
        embedding: { model: embedder.identity, passages: passages[at] ?? [] },
      })),
    )
    reads = 0
    for (const { kind, thought, novelty } of await dreamNight(context, { ...night, limit: 3 }))
      told.push({ kind, thought, novelty })
    asked.push(reads)
  }
  return { told, asked }
}

describe('nights one after another', () => {
  it('read what is new, and tell the same as nights that read everything', async () => {
    const [keeping, anew] = [await nightsOf({ keeping: true }), await nightsOf({ keeping: false })]
    expect(keeping.told).toEqual(anew.told)
    expect(keeping.told.length).toBeGreaterThan(1)
    expect(keeping.asked[0]).toBe(anew.asked[0])
    for (const at of [1, 2]) {
      expect(keeping.asked[at]).toBeGreaterThan(0)
      expect(keeping.asked[at]).toBeLessThan((anew.asked[at] ?? 0) / 2)
    }
  })
})

describe('the readers of a night', () => {
  it('answer with what they kept as with what they read: of either order of two notes, either model, and any vector', async () => {
    const brain = await openToDream()
    const { directory = '', ...rest } = brain.context({ project: 'default', agent: 'default' })
    const embedder = await rest.embedders.configured()
    const texts = [
      'The cache holds entries for ten minutes',
      'Since today the cache holds entries for two hours',
    ]
    const vectors = (await embedder.embedTexts(texts)).map(
      ([passage]) => passage?.vector ?? new Float32Array(),
    )
    const { dimension } = embedder.identity
    const together = new Float32Array(vectors.flatMap((vector) => [...vector]))
    // The same text with the vector of either, as parts of one buffer.
    const notes = vectors.map((_, at) => ({
      id: at + 1,
      text: texts[1] ?? '',
      at: march(at + 1),
      caution: 0,
      agent: 'ana',
      vector: together.subarray(at * dimension, (at + 1) * dimension),
    }))
    await rest.store.memories.add('default', {
      text: 'The model of these vectors is the one that is served',
      caution: 0,
      agent: 'ana',
      createdAt: march(1),
      embedding: { model: embedder.identity, passages: (await embedder.embedTexts(['served']))[0] ?? [] },
    })
    const [older = '', newer = ''] = texts
    const readAll = async (context: NightContext) => {
      const readers = await openReaders(context, notes)
      const read = [
        readers.reader?.stand(older, newer),
        readers.reader?.stand(newer, older),
        readers.relate?.(older, newer),
        readers.relate?.(newer, older),
        ...notes.map((note) => readers.reader?.rolesOf(note)),
      ]
      await readers.close({ finished: true })
      return read
    }
    const anew = await readAll(rest)
    expect(new Set(anew.map((each) => JSON.stringify(each))).size).toBe(anew.length)
    expect(await readAll({ ...rest, directory })).toEqual(anew)
    // Nothing is left to be read: what is kept is all.
    const kept = readFileSync(onlyFile(directory), 'utf8')
    expect(Object.keys(JSON.parse(kept).readings)).toHaveLength(anew.length)
    const { ino } = statSync(onlyFile(directory))
    expect(await readAll({ ...rest, directory })).toEqual(anew)
    expect(statSync(onlyFile(directory)).ino).toBe(ino)
  })

  it('keep what one model reads where the other is missing', async () => {
    const brain = await openToDream()
    const { directory = '', ...rest } = brain.context({ project: 'default', agent: 'default' })
    const embedders = { ...rest.embedders, nightReader: async () => undefined }
    const readers = await openReaders({ ...rest, embedders, directory }, [])
    expect(readers.reader).toBeUndefined()
    readers.relate?.('The shop opens at nine', 'The shop opens at ten')
    await readers.close({ finished: true })
    expect(Object.keys(JSON.parse(readFileSync(onlyFile(directory), 'utf8')).readings)).toHaveLength(1)
  })
})
