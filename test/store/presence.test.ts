/** Who has a brain open, and who went away without closing it. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lifeOf, runOfMachine } from '../../src/process-life.ts'
import { enter, findOrphans, others, WaitingSignal } from '../../src/store/sqlite/presence.ts'
import { bundle } from '../faults/bundle.ts'
import { deadProcess, temporaryDirectory } from './brain-file.ts'

/** The run file of a process, written so many milliseconds ago. */
function leave(directory: string, pid: number, ago = 0): string {
  mkdirSync(directory, { recursive: true })
  const file = join(directory, `${pid}-1`)
  writeFileSync(file, 'brain serve')
  const then = (Date.now() - ago) / 1_000
  utimesSync(file, then, then)
  return file
}

function startOther(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

const month = 30 * 24 * 3_600_000

describe('a process that opens a brain', () => {
  it('is told of the others that have it open, and leaves no trace when it is gone', () => {
    const directory = temporaryDirectory()
    const pid = startOther()
    leave(directory, pid)
    const presence = enter(directory, 'brain recall')
    expect(presence.ending).toBe('clean')
    expect(others(directory)).toEqual([`brain serve (process ${pid})`])
    presence.leave()
    expect(readdirSync(directory)).toEqual([`${pid}-1`])
  })

  it('is told of the others whatever else somebody put among their files', () => {
    const directory = temporaryDirectory()
    const pid = startOther()
    leave(directory, pid)
    for (const name of [`${pid}-2`, 'notes']) mkdirSync(join(directory, name))
    expect(others(directory)).toEqual([`brain serve (process ${pid})`])
  })

  it('learns that one died, until it has looked the brain over', () => {
    const directory = temporaryDirectory()
    const file = leave(directory, deadProcess())
    const presence = enter(directory, 'brain recall')
    expect(presence.ending).toBe('crashed')
    expect(enter(directory, 'another').ending).toBe('crashed')
    presence.settle()
    expect(existsSync(file)).toBe(false)
    expect(enter(directory, 'a third').ending).toBe('clean')
  })

  it('takes none for dead whose file goes between reading the directory and looking at it', () => {
    const directory = temporaryDirectory()
    // Listed, and nothing is there: as the file of a process that closes the brain this very moment.
    for (const pid of [startOther(), deadProcess()])
      symlinkSync(join(directory, 'gone'), join(directory, `${pid}-1-1`))
    expect(findOrphans(directory)).toEqual([])
    expect(enter(directory, 'brain recall').ending).toBe('clean')
  })

  it('learns that one ended with the machine, even if its number is another’s by now', () => {
    const directory = temporaryDirectory()
    leave(directory, startOther(), 120 * month)
    expect(others(directory)).toEqual([])
    expect(enter(directory, 'brain recall').ending).toBe('power-lost')
  })

  it('is not deceived by a number that was given again, where it can know when a process started', () => {
    const directory = temporaryDirectory()
    leave(directory, startOther(), 10_000)
    const knows = process.platform === 'linux'
    expect(others(directory)).toHaveLength(knows ? 0 : 1)
    expect(enter(directory, 'brain recall').ending).toBe(knows ? 'crashed' : 'clean')
  })

  it.skipIf(process.platform !== 'linux')(
    'learns that an earlier one of its own number died, as in a container, and takes no thread of its own for one',
    () => {
      const directory = temporaryDirectory()
      const file = leave(directory, process.pid)
      writeFileSync(file, `brain serve\n${lifeOf(process.pid)}`)
      expect(enter(directory, 'brain recall').ending).toBe('clean')
      writeFileSync(file, `brain serve\n${runOfMachine()} 1`)
      const presence = enter(directory, 'brain recall')
      expect(presence.ending).toBe('crashed')
      presence.settle()
      expect(existsSync(file)).toBe(false)
      presence.leave()
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'learns whether one ended with the machine by the run of it that it noted, whatever the clock was set to',
    () => {
      const directory = temporaryDirectory()
      const file = leave(directory, deadProcess())
      writeFileSync(file, 'brain serve\n0b5e2b4c-0000-4000-8000-000000000000 1')
      expect(enter(directory, 'brain recall').ending).toBe('power-lost')
      writeFileSync(file, `brain serve\n${runOfMachine()} 1`)
      const then = (Date.now() - 120 * month) / 1_000
      utimesSync(file, then, then)
      expect(enter(directory, 'brain recall').ending).toBe('crashed')
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'that the clock was set for is neither gone nor lost with the machine',
    async () => {
      const directory = temporaryDirectory()
      const module = await bundle('src/store/sqlite/presence.ts')
      const script = `(await import(process.argv[1])).enter(process.argv[2], 'brain serve'); console.log('in'); setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, module, directory])
      onTestFinished(() => void child.kill('SIGKILL'))
      await new Promise((entered) => child.stdout.once('data', entered))
      const [name = ''] = readdirSync(directory)
      // As if the clock had been set forward, or back, by a month since.
      for (const ago of [month, -month]) {
        const then = (Date.now() - ago) / 1_000
        utimesSync(join(directory, name), then, then)
        expect(others(directory)).toEqual([`brain serve (process ${child.pid})`])
        const presence = enter(directory, 'brain recall')
        expect(presence.ending).toBe('clean')
        presence.leave()
      }
      child.kill('SIGKILL')
      await new Promise((ended) => child.once('exit', ended))
      expect(enter(directory, 'brain recall').ending).toBe('crashed')
    },
  )

  it('that is killed is told of by the file it wrote itself', async () => {
    const directory = temporaryDirectory()
    const module = await bundle('src/store/sqlite/presence.ts')
    const script = `(await import(process.argv[1])).enter(process.argv[2], 'brain serve'); process.kill(process.pid, 9)`
    spawnSync(process.execPath, ['--input-type=module', '-e', script, module, directory])
    expect(readdirSync(directory)).toHaveLength(1)
    expect(enter(directory, 'brain recall').ending).toBe('crashed')
  })

  it('where nothing can be written goes unregistered', () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    const presence = enter(join(file, 'run'), 'brain recall')
    expect(presence.ending).toBe('clean')
    presence.settle()
    presence.leave()
  })
})

describe('the signal of who waits', () => {
  it('is seen by others for a moment after it was raised', () => {
    const directory = temporaryDirectory()
    const [waiting, writing] = [new WaitingSignal(directory), new WaitingSignal(directory)]
    expect(writing.isRaised()).toBe(false)
    waiting.raise()
    expect(writing.isRaised()).toBe(true)
    const then = Date.now() / 1_000 - 10
    utimesSync(join(directory, 'waiting'), then, then)
    expect(writing.isRaised()).toBe(false)
    // As if the clock had been set back since.
    const coming = Date.now() / 1_000 + 3_600
    utimesSync(join(directory, 'waiting'), coming, coming)
    expect(writing.isRaised()).toBe(false)
  })
})
