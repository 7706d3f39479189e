/** An import that is stopped, or crashes, and is begun again. */
import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { fill, lines, openBrain } from './brain.ts'

describe('an interrupted import', () => {
  const notes = Array.from({ length: 2_000 }, (_, at) => JSON.stringify({ text: `note ${at}` }))

  async function interrupted(at: 'reading' | 'writing') {
    const file = join(temporaryDirectory(), 'brain.db')
    const brain = await openBrain({ file })
    const controller = new AbortController()
    const text = notes.join('\n')
    const source = {
      name: 'notes.jsonl',
      open: async function* () {
        for (let start = 0; start < text.length; start += 4_096)
          yield Buffer.from(text.slice(start, start + 4_096))
      },
    }
    const stopped = brain.import('', {
      source,
      signal: controller.signal,
      progress: ({ phase, records }) => {
        if (phase === at && records > 900) controller.abort(new Error('stop'))
      },
    })
    await expect(stopped).rejects.toThrow('stop')
    expect(await brain.store.memories.count('default')).toBe(0)
    return { brain, file, source }
  }

  test('goes on where it stopped', async () => {
    const { brain, source } = await interrupted('reading')
    const { counts, resumedAt } = await brain.import('', { source })
    expect(counts.memory).toBe(2_000)
    expect(resumedAt).toBeGreaterThan(500)
    const texts = lines(await brain.export('default')).flatMap(({ text }) =>
      text === undefined ? [] : [text],
    )
    expect(texts).toEqual(notes.map((note) => JSON.parse(note).text))
  })

  test('while writing leaves nothing written, and need not read again', async () => {
    const { brain, source } = await interrupted('writing')
    const { counts, resumedAt } = await brain.import('', { source })
    expect([counts.memory, resumedAt]).toEqual([2_000, 2_000])
  })

  test('of an export has what was said of flags, results of recall and dreams when it goes on', async () => {
    const [old, brain] = [
      await openBrain(),
      await openBrain({ file: join(temporaryDirectory(), 'brain.db') }),
    ]
    await fill(old)
    // More than is written at once.
    const more = Array.from({ length: 600 }, (_, at) => `note ${at}`)
    await old.store.memories.addMany(
      'default',
      more.map((text) => ({ text, caution: 0, agent: 'a', createdAt: 1 })),
    )
    const text = await old.export('default')
    const source = {
      name: 'export.jsonl',
      open: async function* () {
        yield Buffer.from(text)
      },
    }
    const controller = new AbortController()
    const stopped = brain.import('', {
      source,
      signal: controller.signal,
      progress: ({ phase }) => phase === 'writing' && controller.abort(new Error('stop')),
    })
    await expect(stopped).rejects.toThrow('stop')
    expect(await brain.import('', { source })).toMatchObject({ resumedAt: lines(text).length })
    expect(await brain.export('default')).toBe(text)
  })

  test('begins anew when the file has changed', async () => {
    const { brain } = await interrupted('reading')
    const changed = notes.with(3, '{"text": "changed"}').join('\n')
    const { counts } = await brain.import('', {
      source: {
        name: 'notes.jsonl',
        open: async function* () {
          yield Buffer.from(changed)
        },
      },
    })
    expect(counts.memory).toBe(2_000)
    expect(await brain.export('default')).toContain('"changed"')
  })

  /** As a crash right after the commit leaves it: all of it written, with the staging still there. */
  async function crashedAfterwards({ text = notes.join('\n'), known = '' } = {}) {
    const file = join(temporaryDirectory(), 'brain.db')
    const brain = await openBrain({ file })
    const staged = ['', '-wal'].map((suffix) => join(file, '..', `import.db${suffix}`))
    const source = {
      name: 'notes.jsonl',
      open: async function* () {
        yield Buffer.from(text)
      },
    }
    if (known !== '') await brain.import(known)
    const told = await brain.import('', {
      source,
      progress: ({ phase }) => {
        if (phase === 'writing') for (const name of staged) copyFileSync(name, `${name}.kept`)
      },
    })
    for (const name of staged) renameSync(`${name}.kept`, name)
    const grow = (line: string): void => {
      text += `\n${line}`
    }
    return { brain, source, grow, told }
  }

  test('is not taken in a second time when it had been committed', async () => {
    const { brain, source } = await crashedAfterwards()
    const { counts } = await brain.import('', { source })
    expect(counts.memory).toBe(2_000)
    expect(await brain.store.memories.count('default')).toBe(2_000)
    // A third run is a new import, which finds everything here.
    expect((await brain.import('', { source })).known).toBe(2_000)
    expect(await brain.store.memories.count('default')).toBe(2_000)
  })

  test('that had been committed tells when it is begun again what it told, or would have', async () => {
    const timed = notes.map((note) =>
      JSON.stringify({ ...JSON.parse(note), created_at: '2026-01-01T00:00:00Z' }),
    )
    const { brain, source, told } = await crashedAfterwards({
      text: timed.join('\n'),
      known: timed.slice(0, 300).join('\n'),
    })
    expect([told.counts.memory, told.known]).toEqual([1_700, 300])
    const { counts, known } = await brain.import('', { source })
    expect([counts, known]).toEqual([told.counts, 300])
    expect(await brain.store.memories.count('default')).toBe(2_000)
  })

  test('that had been committed is another one when the file has grown since', async () => {
    const { brain, source, grow } = await crashedAfterwards()
    grow('{"text": "one more"}')
    const { counts, known } = await brain.import('', { source })
    expect([counts.memory, known]).toEqual([1, 2_000])
    expect(await brain.store.memories.count('default')).toBe(2_001)
  })

  test('keeps another import out while it runs', async () => {
    const file = join(temporaryDirectory(), 'brain.db')
    const [one, other] = [await openBrain({ file }), await openBrain({ file })]
    const staging = await one.store.transfer.stage('a')
    await expect(other.store.transfer.stage('b')).rejects.toMatchObject({ kind: 'busy' })
    await staging.discard()
    await (await other.store.transfer.stage('b')).discard()
  })
})
