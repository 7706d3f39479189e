/** Commands on a disk that is full: what they leave is whole, and takes no room that others need. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { mountSmallDisk, type SmallDisk } from '../faults/small-disk.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { runBuilt } from './command-line.ts'

function mounted(megabytes: number): SmallDisk | undefined {
  const disk = process.platform === 'win32' ? undefined : mountSmallDisk(megabytes)
  onTestFinished(() => disk?.remove())
  return disk
}
const full = { code: 5, stderr: expect.stringContaining('the disk is full') }

test('a brain that there was no room for is kept out of git once it is made', async (test) => {
  const disk = mounted(3)
  if (disk === undefined) return test.skip('no disk may be mounted here')
  const ignored = join(disk.directory, '.brain', '.gitignore')
  disk.fill(0)
  expect(await runBuilt(disk.directory, ['init', '--yes'])).toMatchObject(full)
  disk.free()
  // What an earlier version left where it had room for a name alone.
  if (existsSync(join(disk.directory, '.brain'))) writeFileSync(ignored, '')
  expect(await runBuilt(disk.directory, ['init', '--yes'])).toMatchObject({ code: 0 })
  expect(readFileSync(ignored, 'utf8')).toBe('*\n')
})

test('an import that there is no room for gives back what it took', async (test) => {
  const disk = mounted(2)
  if (disk === undefined) return test.skip('no disk may be mounted here')
  const home = temporaryDirectory()
  const notes = join(home, 'notes.txt')
  const line = (at: number): string => `Note ${at}: service s${at} was moved to rack ${at % 50} in the week`
  writeFileSync(notes, Array.from({ length: 20_000 }, (_, at) => line(at)).join('\n'))
  const run = (...words: string[]) => runBuilt(disk.directory, words, { env: { HOME: home } })
  await run('init', '--yes')
  expect(await run('import', notes)).toMatchObject(full)
  expect(existsSync(join(disk.directory, '.brain', 'import.db'))).toBe(false)
  expect(await run('remember', 'there is room for this')).toMatchObject({ code: 0 })
})

test('what goes with a brain and finds no room ends with 5, and a daemon that nobody can find is told so', async (test) => {
  const disk = mounted(8)
  if (disk === undefined) return test.skip('no disk may be mounted here')
  const env = { HOME: temporaryDirectory() }
  const run = (...words: string[]) => runBuilt(disk.directory, words, { env })
  await run('init', '--yes')
  await run('remember', 'the cache is warm')
  disk.fill(0)
  expect(await run('config', 'set', 'dream.at', '04:00')).toMatchObject(full)
  expect(await run('share')).toMatchObject(full)
  const { code, stdout, stderr } = await run('serve', '--detach', '--port', '0')
  const pid = Number(/process (\d+)/.exec(stdout)?.[1])
  if (code === 0) process.kill(pid, 'SIGTERM')
  expect({ code, stderr, stdout }).toMatchObject(
    code === 0 ? { stdout: expect.stringMatching(/end it with `kill \d+`\n$/) } : full,
  )
  disk.free()
  expect(await run('recall', 'cache')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('cache is warm'),
  })
})

test('doctor and status tell of a disk that has no room for a backup', async (test) => {
  const disk = mounted(80)
  if (disk === undefined) return test.skip('no disk may be mounted here')
  const run = (...words: string[]) => runBuilt(disk.directory, words, { env: { HOME: temporaryDirectory() } })
  await run('init', '--yes')
  await run('remember', 'the cache is warm')
  expect(await run('doctor')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok {5}free space {2,}\d\d\.\d MB, more than a backup takes$/m),
  })
  expect((await run('status')).stdout).not.toContain('free')
  disk.fill(2_000_000)
  expect(await run('doctor')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^wrong {2}free space .*2\.0 MB free .*: make room there, or take the brain/m,
    ),
  })
  expect((await run('status')).stdout).toContain('MB free on the disk that holds the brain, of 64.')
  const { free_space: space } = JSON.parse((await run('status', '--json')).stdout)
  expect(space.needed_bytes).toBeGreaterThan(64_000_000)
  expect(space.free_bytes).toBeLessThan(space.needed_bytes)
})
