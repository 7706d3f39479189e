import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { EmbeddingThreads } from '../../src/models/embedding-threads.ts'
import { Encoder } from '../../src/models/encoder.ts'
import { bundle } from '../faults/bundle.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { installEncoder } from './tiny-models.ts'

const thread = 'src/models/embedding-thread.ts'

function open(program: string) {
  const directory = temporaryDirectory()
  installEncoder(directory)
  const encoder = new Encoder(directory)
  let here = 0
  const threads = new EmbeddingThreads({
    model: encoder.path,
    program,
    embedHere: async (framed) => {
      here += 1
      return encoder.embedFramed(framed)
    },
  })
  onTestFinished(() => threads.close())
  const texts = Array.from({ length: 60 }, (_, at) => {
    const framed = encoder.frame(encoder.tokenise(`note ${at} the user ${'deploy '.repeat(at)}`))
    if (framed === undefined) throw new Error('the vocabulary knows these words')
    return framed
  })
  return { encoder, threads, texts, counted: () => here }
}

describe('threads that embed', () => {
  test('give the bytes that this thread gives, in order', async () => {
    const { encoder, threads, texts, counted } = open(await bundle(thread))
    const vectors = await threads.embed(texts)
    expect(vectors).toEqual(texts.map((framed) => encoder.embedFramed(framed)))
    expect(counted()).toBe(0)
  })

  test('that cannot start, or fail, leave the work to this thread', async () => {
    const broken = join(temporaryDirectory(), 'broken.mjs')
    writeFileSync(broken, 'throw new Error("broken")')
    for (const program of ['/does/not/exist.js', broken]) {
      const { encoder, threads, texts, counted } = open(program)
      const vectors = await threads.embed(texts.slice(0, 8))
      expect(vectors).toEqual(texts.slice(0, 8).map((framed) => encoder.embedFramed(framed)))
      expect(counted()).toBe(8)
    }
  })

  test('stop at a signal, and serve the next caller', async () => {
    const { encoder, threads, texts } = open(await bundle(thread))
    const stopping = new AbortController()
    const first = threads.embed(texts, stopping.signal)
    stopping.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    const [one] = texts
    if (one === undefined) throw new Error('there are texts')
    expect(await threads.embed([one])).toEqual([encoder.embedFramed(one)])
  })

  test('that are closed leave what they have in hand to this thread', async () => {
    const { encoder, threads, texts } = open(await bundle(thread))
    const vectors = threads.embed(texts)
    await threads.close()
    expect(await vectors).toEqual(texts.map((framed) => encoder.embedFramed(framed)))
  })
})
