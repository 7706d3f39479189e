/** Checks: what an exit code settles, what ends a command, and whose commands run at all. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { scheduleChecks } from '../../src/checks/schedule.ts'
import { type SettleOptions, settleDue, settleOne } from '../../src/checks/settle.ts'
import { CheckSigner } from '../../src/config/check-signer.ts'
import { defaults } from '../../src/config/config.ts'
import { BrainError } from '../../src/core/errors.ts'
import type { Context } from '../../src/operations/operation.ts'
import { predict } from '../../src/operations/predict.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { own } from '../store/by-project.ts'
import { openBrain } from '../transfer/brain.ts'

const day = 86_400_000

/** A brain in a directory with a home beside it, and a clock that tests move. */
async function openPlace() {
  const place = temporaryDirectory()
  const directory = join(place, '.brain')
  mkdirSync(directory)
  const clock = { now: Date.UTC(2026, 4, 20, 12) }
  const environment = { PATH: process.env.PATH, HOME: join(place, 'home') }
  const signer = new CheckSigner(environment, directory)
  const { store, context: any } = await openBrain()
  const context: Context = {
    ...any(),
    project: 'mine',
    agent: 'default',
    config: defaults,
    now: () => clock.now,
    signer,
  }
  const options: SettleOptions = { context, signer, directory, environment, limit: 10_000 }
  const predictWith = async (check: string, caller: Context = context) =>
    (await predict.run(caller, { prediction: 'it holds', domain: 'ci', due: '24h', check })).id
  return { place, directory, store, clock, context, options, environment, predictWith }
}

describe('a check that is due', () => {
  it.each([
    ['echo fine', 'correct', 'the check exited with 0: fine'],
    ['echo bad >&2; exit 1', 'incorrect', 'the check exited with 1: bad'],
    // What no text of a brain may contain.
    ["printf 'a\\0b'", 'correct', 'the check exited with 0: ab'],
  ])('%s settles the prediction as %s', async (command, outcome, actual) => {
    const { store, clock, options, predictWith } = await openPlace()
    const id = await predictWith(command)
    clock.now += day
    expect(await settleDue(options)).toMatchObject([{ prediction_id: id, status: outcome }])
    expect(own(await store.predictions.find('mine', id))?.resolution).toMatchObject({ outcome, actual })
    expect(await settleDue(options)).toEqual([])
  })

  it.each([
    ['echo who knows; exit 7', 7, 'it exited with 7', 'who knows'],
    ['exit 2', 2, 'it exited with 2', ''],
    ['no-such-program-here', 127, 'it exited with 127', 'no-such-program-here'],
    ['kill -9 $$', null, 'it was ended by a signal or could not start', ''],
  ])('%s leaves it open, with what it wrote', async (command, code, why, output) => {
    const { store, clock, options, predictWith } = await openPlace()
    const id = await predictWith(command)
    clock.now += day
    const [checked] = await settleDue(options)
    expect(checked).toMatchObject({ status: 'undecided', exit_code: code, why })
    expect(checked?.output).toContain(output)
    expect(own(await store.predictions.find('mine', id))?.resolution).toBeNull()
  })

  it('is quoted by the end of what it wrote', async () => {
    const { store, clock, options, predictWith } = await openPlace()
    const id = await predictWith(`printf 'x%.0s' $(seq 600); echo end`)
    clock.now += day
    await settleDue(options)
    expect(own(await store.predictions.find('mine', id))?.resolution?.actual).toBe(
      `the check exited with 0: ${'x'.repeat(497)}end`,
    )
  })

  it('does not begin once it is to stop, and is not told of as refused where our own error ends it', async () => {
    const { store, context, clock, options, predictWith } = await openPlace()
    await predictWith('true')
    clock.now += day
    const stopped = settleDue({ ...options, dryRun: true, signal: AbortSignal.abort(new Error('stopped')) })
    await expect(stopped).rejects.toThrow('stopped')
    const resolve = () => Promise.reject(new BrainError('storage', 'the disk is full'))
    const full = { ...store, predictions: { ...store.predictions, resolve } }
    await expect(settleDue({ ...options, context: { ...context, store: full } })).rejects.toThrow(
      'the disk is full',
    )
  })

  it('is ended when it takes too long, with all that it started', async () => {
    const { place, clock, options, predictWith } = await openPlace()
    const marker = join(place, 'late')
    await predictWith(`(sleep 3; touch ${marker}) & sleep 30`)
    clock.now += day
    const [checked] = await settleDue({ ...options, limit: 300 })
    expect(checked).toMatchObject({ status: 'undecided', exit_code: null, why: 'it took longer than 0.3 s' })
    await new Promise((resolve) => setTimeout(resolve, 3_500))
    expect(() => writeFileSync(marker, '', { flag: 'wx' })).not.toThrow()
  })

  it('is not held up by what it leaves running', async () => {
    const { clock, options, predictWith } = await openPlace()
    await predictWith('sleep 60 & exit 0')
    clock.now += day
    expect(await settleDue({ ...options, limit: 30_000 })).toMatchObject([{ status: 'correct' }])
  })

  it('runs in the directory that holds the brain, with its id, and without a secret in what is kept', async () => {
    const { place, store, clock, options, predictWith } = await openPlace()
    const id = await predictWith('pwd; echo $BRAIN_PREDICTION; echo ghp_0123456789abcdefghijABCDEFGHIJ012345')
    clock.now += day
    const [checked] = await settleDue(options)
    expect(checked?.output).toContain(`${place}\n${id}\n`)
    expect(checked?.output).not.toContain('ghp_0123')
    expect(own(await store.predictions.find('mine', id))?.resolution?.actual).not.toContain('ghp_0123')
  })

  it('runs nothing in a dry run', async () => {
    const { place, store, clock, options, predictWith } = await openPlace()
    const id = await predictWith(`touch ${join(place, 'ran')}`)
    clock.now += day
    expect(await settleDue({ ...options, dryRun: true })).toMatchObject([{ status: 'ready', output: null }])
    expect(() => writeFileSync(join(place, 'ran'), '', { flag: 'wx' })).not.toThrow()
    expect(own(await store.predictions.find('mine', id))?.resolution).toBeNull()
  })

  it('of which somebody was told the outcome meanwhile keeps that outcome', async () => {
    const { store, clock, options, predictWith } = await openPlace()
    const id = await predictWith('sleep 1')
    clock.now += day
    const settling = settleDue(options)
    await store.predictions.resolve('mine', id, () => ({
      outcome: 'partial',
      actual: 'half',
      surprise: 0,
      resolvedAt: 1,
    }))
    expect(await settling).toMatchObject([{ status: 'refused', why: `prediction ${id} is already resolved` }])
    expect(own(await store.predictions.find('mine', id))?.resolution?.outcome).toBe('partial')
  })
})

describe('a check whose outcome cannot be kept', () => {
  it('is told of as the fault that it is, not as refused', async () => {
    const { store, context, clock, options, predictWith } = await openPlace()
    await predictWith('true')
    clock.now += day
    const resolve = async () => {
      throw new Error('the disk is full')
    }
    const full = { ...store, predictions: { ...store.predictions, resolve } }
    await expect(settleDue({ ...options, context: { ...context, store: full } })).rejects.toThrow(
      'the disk is full',
    )
  })
})

describe('a check by the id of its prediction', () => {
  it('is refused before it is due, where there is none, and once resolved', async () => {
    const { store, context, options, predictWith, clock } = await openPlace()
    const id = await predictWith('true')
    await expect(settleOne(id, options)).rejects.toThrow(`prediction ${id} is due 2026-05-21T12:00Z`)
    expect(await settleOne(id, { ...options, dryRun: true })).toMatchObject({ status: 'ready' })
    const undated = await store.predictions.add('mine', {
      prediction: 'it holds',
      domain: 'ci',
      confidence: 0.5,
      basis: null,
      createdAt: 1,
      check: { command: 'true', prove: () => null },
    })
    await expect(settleOne(undated.id, options)).rejects.toThrow(`prediction ${undated.id} has no due date`)
    const plain = await predict.run(context, { prediction: 'x', domain: 'd' })
    await expect(settleOne(plain.id, options)).rejects.toThrow(`prediction ${plain.id} has no check`)
    await expect(settleOne(99, options)).rejects.toThrow('prediction 99 not found')
    const theirs = { ...options, context: { ...context, project: 'theirs' } }
    await expect(settleOne(id, theirs)).rejects.toThrow(`prediction ${id} belongs to another project`)
    clock.now += day
    expect(await settleOne(id, options)).toMatchObject({ status: 'correct' })
    await expect(settleOne(id, options)).rejects.toThrow('already resolved')
    expect(own(await store.predictions.find('mine', id))?.resolution?.outcome).toBe('correct')
  })
})

describe('a check that this user did not write here does not run', () => {
  const untouched = async (spoil: (parts: Awaited<ReturnType<typeof openPlace>>, id: number) => unknown) => {
    const parts = await openPlace()
    const marker = join(parts.place, 'ran')
    const id = await parts.predictWith(`touch ${marker}`)
    await spoil(parts, id)
    parts.clock.now += day
    const checked = await settleDue(parts.options)
    expect(checked).toMatchObject([
      { status: 'refused', why: expect.stringContaining('--trust'), output: null },
    ])
    expect(() => writeFileSync(marker, '', { flag: 'wx' })).not.toThrow()
  }

  it('since an agent or a client wrote it: they are given no proof', async () => {
    const { store, context, clock, options, predictWith } = await openPlace()
    const { signer: _, ...caller } = context
    const id = await predictWith('true', caller)
    expect(own(await store.predictions.find('mine', id))?.check).toEqual({ command: 'true', proof: null })
    clock.now += day
    expect(await settleDue(options)).toMatchObject([{ status: 'refused' }])
  })

  it('since its proof was made with another secret', () =>
    untouched(({ directory, store, place }, id) => {
      const forger = new CheckSigner({ HOME: join(place, 'elsewhere') }, directory)
      const command = `touch ${join(place, 'ran')}`
      const proof = forger.sign({ project: 'mine', id, command })
      return store.predictions.prove('mine', id, { command, proof })
    }))

  it.each([
    ['another prediction', (id: number) => ({ project: 'mine', id: id + 1 })],
    ['another project', (id: number) => ({ project: 'theirs', id })],
  ])('since its proof is that of %s', (_, other) =>
    untouched(({ store, place, directory, environment }, id) => {
      const command = `touch ${join(place, 'ran')}`
      const proof = new CheckSigner(environment, directory).sign({ ...other(id), command })
      return store.predictions.prove('mine', id, { command, proof })
    }),
  )

  it('since its proof is that of the same check in another brain: what runs there is other code', () =>
    untouched(({ store, place, environment }, id) => {
      const clone = join(place, 'clone', '.brain')
      mkdirSync(clone, { recursive: true })
      const command = `touch ${join(place, 'ran')}`
      const proof = new CheckSigner(environment, clone).sign({ project: 'mine', id, command })
      return store.predictions.prove('mine', id, { command, proof })
    }))

  it.each(['', 'x', '0'.repeat(64), 'é'.repeat(64), '0'.repeat(10_000)])(
    'since its proof %j is none',
    (proof) =>
      untouched(({ store, place }, id) =>
        store.predictions.prove('mine', id, { command: `touch ${join(place, 'ran')}`, proof }),
      ),
  )
})

describe('a daemon', () => {
  it.each([
    [true, 'check of prediction 1: correct'],
    [false, undefined],
  ])('that may run checks: %s', async (may, line) => {
    const { clock, options, predictWith } = await openPlace()
    await predictWith('true')
    clock.now += day
    const told: string[] = []
    const checks = scheduleChecks({
      wanted: async () => may,
      projects: async () => ['mine'],
      settling: () => options,
      told: (message) => void told.push(message),
    })
    if (line === undefined) await new Promise((resolve) => setTimeout(resolve, 200))
    else await expect.poll(() => told).toEqual([line])
    await checks.stop()
    expect(told).toEqual(line === undefined ? [] : [line])
  })

  it('settles the projects behind one that cannot be read', async () => {
    const { clock, store, context, options, predictWith } = await openPlace()
    await predictWith('true')
    clock.now += day
    const listDueChecks: typeof store.predictions.listDueChecks = async (project, now) => {
      if (project === 'broken') throw new Error('a page is damaged')
      return store.predictions.listDueChecks(project, now)
    }
    const broken = { ...store, predictions: { ...store.predictions, listDueChecks } }
    const told: string[] = []
    const checks = scheduleChecks({
      wanted: async () => true,
      projects: async () => ['broken', 'mine'],
      settling: (project) => ({ ...options, context: { ...context, store: broken, project } }),
      told: (message) => void told.push(message),
    })
    await expect.poll(() => told).toEqual(['a page is damaged', 'check of prediction 1: correct'])
    await checks.stop()
  })

  it('that stops ends a check that runs', async () => {
    const { clock, store, options, predictWith } = await openPlace()
    const id = await predictWith('sleep 60')
    clock.now += day
    const told: string[] = []
    const checks = scheduleChecks({
      wanted: async () => true,
      projects: async () => ['mine'],
      settling: () => ({ ...options, limit: 60_000 }),
      told: (message) => void told.push(message),
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await checks.stop()
    expect(told).toEqual([])
    expect(own(await store.predictions.find('mine', id))?.resolution).toBeNull()
  })

  it('has done with its brain once it has stopped', async () => {
    const { options } = await openPlace()
    let read = false
    const checks = scheduleChecks({
      wanted: async () => true,
      projects: async () => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        read = true
        return []
      },
      settling: () => options,
      told: () => {},
    })
    await checks.stop()
    expect(read).toBe(true)
  })

  it('tells once of a check that stays undecided, and asks it again', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { clock, options, predictWith } = await openPlace()
    await predictWith('exit 7')
    clock.now += day
    const told: string[] = []
    let asked = 0
    const checks = scheduleChecks({
      wanted: async () => true,
      projects: async () => ['mine'],
      settling: () => {
        asked += 1
        return options
      },
      told: (message) => void told.push(message),
    })
    await expect
      .poll(() => {
        vi.advanceTimersByTime(10 * 60_000)
        return asked
      })
      .toBeGreaterThanOrEqual(3)
    await checks.stop()
    expect(told).toEqual(['check of prediction 1: undecided, it exited with 7'])
  })
})
