import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { createPlace } from './command-line.ts'

const executable = fileURLToPath(new URL('../../bin/brain.js', import.meta.url))

/** Runs `brain` without a terminal, with a temporary directory of its own. */
function run(
  args: readonly string[],
  scratch: string,
): Promise<{ out: string; err: string; code: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [executable, ...args], {
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', TMPDIR: scratch },
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    child.on('close', (code) => resolve({ out, err, code }))
  })
}

describe('brain demo', () => {
  it('walks through a throw-away brain and leaves nothing behind', async () => {
    const scratch = temporaryDirectory()
    const { out, err, code } = await run(['demo'], scratch)
    expect({ err, code }).toEqual({ err: '', code: 0 })
    for (const command of [
      'remember',
      'recall',
      'assess',
      'dream',
      'evidence-for',
      'resolve',
      'calibration',
    ]) {
      expect(out).toContain(`$ brain ${command}`)
    }
    expect(out).toContain('danger')
    expect(out).toContain('libvips')
    expect(readdirSync(scratch)).toEqual([])
  })

  it('on a terminal is as wide as that, its own words included', async () => {
    const { stdout, code } = await createPlace({ BRAIN_EMBEDDER: '' }).run(['demo'], {
      interactive: true,
      columns: 60,
    })
    expect(code).toBe(0)
    const wide = stdout.split('\n').filter((line) => line.length > 60)
    expect(wide).toEqual([])
  })

  it('with --json prints one line with the answers, which are those the walk is about', async () => {
    const { out, code } = await run(['demo', '--json'], temporaryDirectory())
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    const { notes, steps } = JSON.parse(out)
    expect(notes).toBeGreaterThanOrEqual(60)
    const [, recall, assess, dream, , resolve] = steps.map((step: { output: unknown }) => step.output)
    expect(recall.mode).toBe('semantic')
    expect(recall.results[0].text).toContain('libvips')
    expect(assess.verdict).toBe('danger')
    expect(dream.dreams.length).toBeGreaterThanOrEqual(5)
    expect(resolve.outcome).toBe('correct')
    // The prediction the walk closes is one that a dream speaks of; which thought comes first depends on how near its days are.
    const thoughts = dream.dreams.map(({ thought }: { thought: string }) => thought)
    expect(thoughts).toContainEqual(expect.stringContaining(`prediction ${resolve.prediction_id}`))
  })

  it('with --keep leaves a brain that answers', async () => {
    const [scratch, home] = [temporaryDirectory(), temporaryDirectory()]
    expect((await run(['demo', '--keep', home], scratch)).code).toBe(0)
    const { out } = await run(['--dir', home, 'recall', 'refund of the deposit', '--json'], scratch)
    expect(JSON.parse(out).results[0].text).toContain('deposit is refundable')
    // And never fills a brain that is somebody's own.
    expect((await run(['demo', '--keep', home], scratch)).code).toBe(2)
  })
})
