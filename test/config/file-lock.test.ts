/** A small file that several processes change at once keeps what each of them put there. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeProjectSettings, changeUserSettings } from '../../src/config/change.ts'
import { projectSettingsFile, trustFile, userSettingsFile } from '../../src/config/load.ts'
import { TrustRecord } from '../../src/config/trust.ts'
import { whileLocked } from '../../src/file-lock.ts'
import { lifeOf } from '../../src/process-life.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

/** The lock of a process. */
const lockOf = (pid: number): string => `${pid}\n${lifeOf(pid)}`

describe('a file is changed by one process at a time', () => {
  test('by the next once the lock is gone', () => {
    const file = join(temporaryDirectory(), 'config.json')
    const lock = `${file}.lock`
    writeFileSync(lock, lockOf(process.ppid))
    let waited = 0
    const pause = (): void => {
      waited += 1
      if (waited === 3) rmSync(lock)
    }
    const held = whileLocked(file, () => readFileSync(lock, 'utf8'), { pause })
    expect([waited, held]).toEqual([3, lockOf(process.pid)])
    expect(existsSync(lock)).toBe(false)
  })

  test('also where the lock was made and says nothing yet', () => {
    const file = join(temporaryDirectory(), 'config.json')
    writeFileSync(`${file}.lock`, '')
    let waited = 0
    whileLocked(file, () => {}, {
      pause: () => {
        waited += 1
        rmSync(`${file}.lock`)
      },
    })
    expect(waited).toBe(1)
  })

  test.each([
    ['process is gone', () => lockOf(spawnSync(process.execPath, ['-e', '']).pid)],
    ['number is another process’s by now', () => `${process.ppid}\nanother life`],
    ['maker was killed before it named itself', () => ''],
  ])('at once where the lock’s %s', (_, says) => {
    const file = join(temporaryDirectory(), 'config.json')
    writeFileSync(`${file}.lock`, says())
    utimesSync(`${file}.lock`, 1_000, 1_000)
    const pause = (): never => {
      throw new Error('nobody is to be waited for')
    }
    expect(whileLocked(file, () => 'done', { pause })).toBe('done')
    expect(existsSync(`${file}.lock`)).toBe(false)
  })

  test('and the lock goes with work that fails', () => {
    const file = join(temporaryDirectory(), 'config.json')
    expect(() =>
      whileLocked(file, () => {
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(existsSync(`${file}.lock`)).toBe(false)
  })
})

describe('between reading and writing nobody else changes', () => {
  /** Changes that look, when they are put beside what was read, whether the file is locked. */
  const looking = (file: string) => {
    const locked: boolean[] = []
    const changes = {
      get agent() {
        locked.push(existsSync(`${file}.lock`))
        return 'me'
      },
    }
    return { locked, changes }
  }

  test('the settings of the user', () => {
    const environment = { HOME: temporaryDirectory() }
    const file = userSettingsFile(environment)
    const { locked, changes } = looking(file)
    changeUserSettings(environment, changes)
    expect([locked, JSON.parse(readFileSync(file, 'utf8'))]).toEqual([[true], { agent: 'me' }])
  })

  test('the settings of a project, and whether they are trusted', () => {
    const root = temporaryDirectory()
    const directory = join(root, '.brain')
    mkdirSync(directory)
    const file = projectSettingsFile(directory)
    const environment = { HOME: join(root, 'home') }
    const { locked, changes } = looking(file)
    changeProjectSettings(directory, environment, changes)
    expect(locked.at(-1)).toBe(true)
    changeProjectSettings(directory, environment, { 'serve.host': '0.0.0.0' })
    expect(new TrustRecord(trustFile(environment)).holds(directory, readFileSync(file, 'utf8'))).toBe(true)
  })

  test('what is trusted: one entry comes or goes, and the others stay', () => {
    const root = temporaryDirectory()
    const file = join(root, 'trust.json')
    const record = new TrustRecord(file)
    const [one, other] = [join(root, 'one'), join(root, 'other')]
    for (const directory of [one, other]) mkdirSync(directory)
    record.add(one, 'settings')
    record.add(other, 'settings')
    expect([record.holds(one, 'settings'), record.holds(other, 'settings')]).toEqual([true, true])
    expect([record.remove(one), record.remove(one)]).toEqual([true, false])
    expect(record.holds(other, 'settings')).toBe(true)
    expect(existsSync(`${file}.lock`)).toBe(false)
  })
})
