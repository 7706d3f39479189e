/** Brains that version 0.1.0 made, in the hands of this version's commands and daemon: nobody has to ask for anything. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { childEnvironment, program, runBuilt } from '../cli/command-line.ts'
import { oldBrains, unpackOldBrain } from '../fixtures/old-brains.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

/** No embedder is named, as on most machines. */
const open = { BRAIN_EMBEDDER: '' }

interface Recalled {
  mode: string
  results: { text: string }[]
  keyword_extra: { text: string }[]
}

function place(name: (typeof oldBrains)[number]) {
  const directory = temporaryDirectory()
  unpackOldBrain(name, directory)
  const run = (...words: string[]) => runBuilt(directory, words, { env: open })
  return {
    directory,
    run,
    recall: async (query: string) => {
      const { code, stdout, stderr } = await run('recall', query, '--json')
      if (code !== 0) throw new Error(stderr)
      return { ...(JSON.parse(stdout) as Recalled), stderr }
    },
    /** Memories that wait for a vector. */
    waiting: async (): Promise<number> => {
      const { stdout } = await run('model', 'current', '--json')
      const { served, to_reindex } = JSON.parse(stdout)
      expect(served === null || served.dimension === 384).toBe(true)
      return to_reindex
    },
    troubles: async () => {
      const { stdout } = await run('doctor', '--json')
      const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean }[] }
      // Whether the model's own files are sound is no matter of the brain.
      return findings.filter(({ check, ok }) => !ok && check !== 'built-in model')
    },
  }
}

/** Starts a command and kills it after so many milliseconds. */
async function startAndKill(directory: string, words: string[], after: number): Promise<void> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: directory,
    env: { ...childEnvironment(directory), ...open },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await Promise.race([pause(after), ended])
  child.kill('SIGKILL')
  await ended
}

const found = ({ results, keyword_extra }: Recalled) => [...results, ...keyword_extra].map(({ text }) => text)

const asked = {
  ordinary: ['badge printer', /badge printer is on the fourth floor/],
  flags: ['mail queue laptop', /laptop/],
  projects: ['office November', /the office moves in November/],
  passages: ['report of the nightly backup', /nightly backup/],
  'half-reindexed': ['payment service cache', /payment service .* cache is warm/],
} as const

describe('a brain of 0.1.0', () => {
  test.each(oldBrains)(
    'goes over command by command, and each finds what it is asked for: %s',
    async (name) => {
      const { recall, waiting, troubles, directory } = place(name)
      const [query, answer] = asked[name]
      for (let commands = 0; ; commands += 1) {
        expect(commands).toBeLessThan(60)
        const answered = await recall(query)
        expect(found(answered).some((text) => answer.test(text))).toBe(true)
        const left = await waiting()
        expect(/wait for their vector/.test(answered.stderr) && left === 0).toBe(false)
        if (left === 0) break
      }
      expect((await recall(query)).mode).toBe('semantic')
      expect(await troubles()).toEqual([])
      expect(readdirSync(`${directory}/.brain`).filter((file) => /^(vectors|compact)-/.test(file))).toEqual(
        [],
      )
    },
    120_000,
  )

  test('killed again and again on its way, it loses nothing and gets there', async () => {
    const { recall, waiting, troubles, directory } = place('projects')
    const [query, answer] = asked.projects
    for (let round = 0; round < 10; round += 1) {
      const words = round % 3 === 2 ? ['reindex'] : ['recall', query]
      await startAndKill(directory, words, 60 + ((round * 397) % 1_300))
    }
    expect(found(await recall(query)).some((text) => answer.test(text))).toBe(true)
    expect(await troubles()).toEqual([])
    for (let commands = 0; (await waiting()) > 0; commands += 1) {
      expect(commands).toBeLessThan(60)
      await recall(query)
    }
    expect((await recall(query)).results[0]?.text).toMatch(answer)
    expect(await troubles()).toEqual([])
  })

  test('is taken over by a daemon in the background', async () => {
    const { waiting, troubles, directory } = place('flags')
    const daemon = spawn(process.execPath, [program, 'serve', '--port', '0', '--no-dreams', '--log', 'off'], {
      cwd: directory,
      env: { ...childEnvironment(directory), ...open },
      stdio: 'ignore',
    })
    onTestFinished(() => void daemon.kill('SIGKILL'))
    await expect.poll(waiting, { interval: 500 }).toBe(0)
    daemon.kill('SIGTERM')
    await once(daemon, 'exit')
    expect(await troubles()).toEqual([])
  })

  test('is reindexed at once where one asks for it', async () => {
    const { run, waiting, troubles } = place('passages')
    const { code, stdout } = await run('reindex')
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('recall uses builtin'),
    })
    expect(await waiting()).toBe(0)
    expect(await troubles()).toEqual([])
  })
})
