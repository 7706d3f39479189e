import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import nodeModule from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { runBuilt } from './command-line.ts'

/** The environment of a command that keeps what it compiles below its home. */
const ownCache = (home: string) => ({ HOME: home, XDG_CACHE_HOME: undefined })

/** A home whose cache holds what `brain --version` compiles; the cache's directory. */
async function warmHome(): Promise<{ home: string; cache: string }> {
  const home = temporaryDirectory()
  expect(await runBuilt(home, ['--version'], { env: ownCache(home) })).toMatchObject({ code: 0, stderr: '' })
  return { home, cache: join(home, '.cache', 'brain', 'code') }
}

const filesIn = (directory: string): string[] => readdirSync(directory).map((name) => join(directory, name))

const only = (directory: string): string => {
  const [file, ...more] = filesIn(directory)
  if (file === undefined || more.length > 0) throw new Error(`${directory} does not hold one file`)
  return file
}

const version = /^\d+\.\d+\.\d+\n$/

/** Node 22 and newer keep what they compile themselves. */
const byNode = 'enableCompileCache' in nodeModule

describe.skipIf(byNode)('the bytecode of the command', () => {
  test('is kept for its user alone, and taken by the next run as it is', async () => {
    const { home, cache } = await warmHome()
    const file = only(cache)
    expect([statSync(cache).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
    const before = statSync(file)
    const { stdout } = await runBuilt(home, ['--version'], { env: ownCache(home) })
    expect(stdout).toMatch(version)
    expect(statSync(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
  })

  test('grows by what another command compiles', async () => {
    const { home, cache } = await warmHome()
    const before = statSync(only(cache)).size
    await runBuilt(home, ['help', 'recall'], { env: ownCache(home) })
    const main = filesIn(cache).find((file) => file.endsWith('-main.cjs'))
    expect(statSync(main ?? '').size).toBeGreaterThan(before)
  })

  test('garbled at any byte is not taken, and replaced', async () => {
    const { home, cache } = await warmHome()
    const file = only(cache)
    const good = readFileSync(file)
    for (const at of [good.indexOf(10) + 20, good.length >> 2, good.length >> 1, good.length - 1]) {
      const garbled = Buffer.from(good)
      garbled[at] = (garbled[at] ?? 0) ^ 0x40
      writeFileSync(file, garbled)
      const { code, stdout, stderr } = await runBuilt(home, ['--version'], { env: ownCache(home) })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(version)
      expect(readFileSync(file).equals(garbled)).toBe(false)
    }
  })

  test.each([0, 1, 30, 4096])('truncated to %i bytes is not taken', async (length) => {
    const { home, cache } = await warmHome()
    const file = only(cache)
    writeFileSync(file, readFileSync(file).subarray(0, length))
    const { code, stdout } = await runBuilt(home, ['--version'], { env: ownCache(home) })
    expect(code).toBe(0)
    expect(stdout).toMatch(version)
    expect(statSync(file).size).toBeGreaterThan(4096)
  })

  test('that others could have written is not taken', async () => {
    const { home, cache } = await warmHome()
    const file = only(cache)
    chmodSync(file, 0o666)
    await runBuilt(home, ['--version'], { env: ownCache(home) })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe.runIf(byNode)('the bytecode that Node keeps of the command', () => {
  /** Files of Node's own directories, with the times at which they were written. */
  const kept = (cache: string): [string, number][] =>
    readdirSync(cache, { recursive: true, encoding: 'utf8' })
      .map((name) => join(cache, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => [path, statSync(path).mtimeMs])

  test("is in a directory of the build that is its user's alone, and taken by the next run as it is", async () => {
    const { home, cache } = await warmHome()
    const before = kept(cache)
    expect(before.length).toBeGreaterThan(0)
    expect([statSync(cache).mode & 0o777, statSync(only(cache)).mode & 0o777]).toEqual([0o700, 0o700])
    await runBuilt(home, ['--version'], { env: ownCache(home) })
    expect(kept(cache)).toEqual(before)
  })

  test('is not kept where others could have written', async () => {
    const home = temporaryDirectory()
    const cache = join(home, '.cache', 'brain', 'code')
    mkdirSync(cache, { recursive: true })
    chmodSync(cache, 0o777)
    expect(await runBuilt(home, ['--version'], { env: ownCache(home) })).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(kept(cache)).toEqual([])
  })
})

describe('the bytecode of the command, whoever keeps it,', () => {
  test('of a build nobody has run for long is deleted, a recent one is not', async () => {
    const home = temporaryDirectory()
    const cache = join(home, '.cache', 'brain', 'code')
    mkdirSync(cache, { recursive: true })
    for (const name of ['old', 'recent']) writeFileSync(join(cache, name), '')
    utimesSync(join(cache, 'old'), 0, 0)
    await runBuilt(home, ['--version'], { env: ownCache(home) })
    expect(readdirSync(cache)).toContain('recent')
    expect(readdirSync(cache)).not.toContain('old')
  })

  test('is done without where there is no place for it, or nobody wants it', async () => {
    const home = temporaryDirectory()
    writeFileSync(join(home, '.cache'), '')
    expect(await runBuilt(home, ['--version'], { env: ownCache(home) })).toMatchObject({
      code: 0,
      stderr: '',
    })
    const other = temporaryDirectory()
    const env = { ...ownCache(other), NODE_DISABLE_COMPILE_CACHE: '1' }
    expect(await runBuilt(other, ['--version'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(join(other, '.cache'))).toBe(false)
  })
})
