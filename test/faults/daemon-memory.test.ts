/** What a daemon may take of a machine once it has answered for a while. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { kill, serveBrain, startBrain } from './processes.ts'

/**
 * Megabytes above those of an empty node, over so few notes that no cache is full: a sixth more than it takes, and less
 * than with the heap that V8 would make of it.
 */
const bound = 75

const notes = 300
const questions = 1_200

/** Texts of the model's words, another one each time. */
function createTexts() {
  const { model } = JSON.parse(readFileSync('models/brain-encoder-v1/tokenizer.json', 'utf8')) as {
    model: { vocab: Record<string, number> }
  }
  const words = Object.keys(model.vocab).filter((piece) => /^[a-z]{2,}$/.test(piece))
  let at = 0
  return (count: number): string =>
    Array.from({ length: count }, () => {
      at += 1
      return words[(at * at * 7_919) % words.length]
    }).join(' ')
}

test.skipIf(process.platform !== 'linux')(
  'a daemon that has answered a thousand questions holds no more than was promised',
  async () => {
    const directory = temporaryDirectory()
    const text = createTexts()
    const lines = Array.from({ length: notes }, () => `${JSON.stringify({ text: text(25) })}\n`)
    writeFileSync(join(directory, 'notes.jsonl'), lines.join(''))
    await startBrain(directory, ['init', '--yes']).ended
    await startBrain(directory, ['import', join(directory, 'notes.jsonl')]).ended
    await startBrain(directory, ['reindex']).ended
    const made = await startBrain(directory, ['key', 'create', '--json']).firstLine
    const { key } = JSON.parse(made ?? '{}') as { key: string }
    const { running, call } = await serveBrain(directory, { key })
    onTestFinished(() => kill(running))
    let peak = 0
    for (let at = 0; at < questions; at += 1) {
      expect((await call('/v1/recall', { query: text(5) })).body).toMatchObject({ mode: 'semantic' })
      const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))
      peak = Math.max(peak, Number(resident?.[1]) / 1024)
    }
    const empty = Number(execFileSync(process.execPath, ['-p', 'process.memoryUsage.rss()'])) / 2 ** 20
    expect(peak).toBeGreaterThan(empty)
    expect(peak - empty).toBeLessThan(bound)
  },
  240_000,
)
