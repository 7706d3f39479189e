/** A backup comes back by one command, whole, and nothing of what was there is mixed into it. */
import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { createBrainPlace, createPlace, type Place } from './command-line.ts'

const filesOf = (place: Place): string[] => readdirSync(join(place.directory, '.brain')).sort()

async function texts(place: Place): Promise<string[]> {
  const { stdout } = await place.run(['export'])
  return stdout
    .split('\n')
    .filter((line) => line.includes('"memory"'))
    .map((line) => JSON.parse(line).text)
}

/** Nothing is wrong with the brain's file; what is said of models is not asked here. */
async function expectSound(place: Place): Promise<void> {
  const { findings } = JSON.parse((await place.run(['doctor', '--json'])).stdout)
  const wrong = findings.filter(
    ({ ok, check }: { ok: boolean; check: string }) => !ok && !check.includes('model'),
  )
  expect(wrong).toEqual([])
}

/** A brain with a note, a backup of that, and a note since. */
async function createPlaceWithBackup(): Promise<Place> {
  const place = await createBrainPlace()
  await place.run(['remember', 'in the backup'])
  expect(await place.run(['backup', 'copy.db'])).toMatchObject({ code: 0 })
  await place.run(['remember', 'since then'])
  return place
}

/** Lets a process of the same user write a note and die before it is copied from the log into the file. */
function leaveLog(place: Place, text: string): void {
  const script = `
    const { openBrain } = await import(process.argv[1])
    const brain = await openBrain({ dir: '.' })
    await brain.remember({ text: process.argv[2] })
    process.kill(process.pid, 'SIGKILL')`
  try {
    execFileSync(
      process.execPath,
      ['--input-type=module', '-e', script, join(process.cwd(), 'dist/library.js'), text],
      {
        cwd: place.directory,
        env: { PATH: process.env.PATH, HOME: join(place.directory, 'home'), BRAIN_EMBEDDER: 'none' },
      },
    )
  } catch {
    // Killed.
  }
  expect(statSync(join(place.directory, '.brain', 'brain.db-wal')).size).toBeGreaterThan(0)
}

describe('brain restore', () => {
  it('puts a backup in the place of the brain, and keeps the brain that was there', async () => {
    const place = await createPlaceWithBackup()
    const { code, stdout } = await place.run(['restore', 'copy.db', '--json'])
    expect(code).toBe(0)
    const { kept } = JSON.parse(stdout)
    expect(await texts(place)).toEqual(['in the backup'])
    expect(statSync(join(place.directory, '.brain', 'brain.db')).mode & 0o777).toBe(0o600)
    await expectSound(place)
    expect(await place.run(['restore', kept])).toMatchObject({ code: 0 })
    expect(await texts(place)).toEqual(['in the backup', 'since then'])
  })

  it('opens to no key that was revoked or replaced since', async () => {
    const place = await createBrainPlace()
    const make = async (label: string): Promise<string> =>
      JSON.parse((await place.run(['key', 'create', '--label', label, '--json'])).stdout).id
    const [lost, old, good] = [await make('lost'), await make('old'), await make('good')]
    await place.run(['backup', 'copy.db'])
    await place.run(['key', 'revoke', lost])
    await place.run(['key', 'rotate', old, '--grace', '1h'])
    expect(await place.run(['restore', 'copy.db'])).toMatchObject({ code: 0 })
    const { keys } = JSON.parse((await place.run(['key', 'list', '--json'])).stdout)
    const byId = (id: string) => keys.find((key: { id: string }) => key.id === id)
    expect(byId(lost).revoked_at).toEqual(expect.any(String))
    expect(byId(old)).toMatchObject({ revoked_at: null, expires_at: expect.any(String) })
    expect(byId(good)).toMatchObject({ revoked_at: null, expires_at: null })
    expect(await place.run(['remember', 'it goes on'])).toMatchObject({ code: 0 })
  })

  it('makes a brain of a backup where there was none', async () => {
    const { directory } = await createPlaceWithBackup()
    const place = createPlace()
    expect(await place.run(['restore', join(directory, 'copy.db')])).toMatchObject({ code: 0 })
    expect(await texts(place)).toEqual(['in the backup'])
  })

  it('keeps what a killed process left in the log with the brain that was there', async () => {
    const place = await createPlaceWithBackup()
    leaveLog(place, 'the last words')
    const { stdout } = await place.run(['restore', 'copy.db', '--json'])
    expect(await texts(place)).toEqual(['in the backup'])
    await place.run(['restore', JSON.parse(stdout).kept])
    expect(await texts(place)).toEqual(['in the backup', 'since then', 'the last words'])
  })

  it('takes the place of a brain that is damaged', async () => {
    const place = await createPlaceWithBackup()
    truncateSync(join(place.directory, '.brain', 'brain.db'), 5_000)
    expect(await place.run(['restore', 'copy.db'])).toMatchObject({ code: 0 })
    expect(await texts(place)).toEqual(['in the backup'])
  })

  it.each<[string, (copy: string) => void, RegExp]>([
    ['cut short', (copy) => truncateSync(copy, statSync(copy).size >> 1), /cut short/],
    [
      'damaged inside',
      (copy) => {
        const bytes = readFileSync(copy)
        bytes.fill(0xa5, 4096 * 3, 4096 * 9)
        writeFileSync(copy, bytes)
      },
      /damaged/,
    ],
    ['no brain', (copy) => writeFileSync(copy, 'a text '.repeat(100)), /not a brain/],
    [
      'a directory',
      (copy) => {
        renameSync(copy, `${copy}.away`)
        mkdirSync(copy)
      },
      /not a file/,
    ],
    ['not there', (copy) => renameSync(copy, `${copy}.away`), /no file/],
    [
      'with a journal beside it',
      (copy) => writeFileSync(`${copy}-journal`, 'x'),
      /copy\.db-journal stands beside it/,
    ],
    [
      'with a view that is not ours',
      (copy) => {
        const database = loadDatabase(copy)
        database.exec('CREATE VIEW v AS SELECT 1')
        database.close()
      },
      /holds view v, which brain did not make/,
    ],
  ])('refuses a backup that is %s, and changes nothing', async (_, spoil, sentence) => {
    const place = await createPlaceWithBackup()
    spoil(join(place.directory, 'copy.db'))
    const { code, stderr } = await place.run(['restore', 'copy.db'])
    expect([2, 5]).toContain(code)
    expect(stderr).toMatch(sentence)
    expect(await texts(place)).toEqual(['in the backup', 'since then'])
    expect(filesOf(place).filter((name) => /draft|before/.test(name))).toEqual([])
  })

  it('waits for nobody: who has the brain open is named', async () => {
    const place = await createPlaceWithBackup()
    const script = `
      const { openBrain } = await import(process.argv[1])
      await openBrain({ dir: '.' })
      console.log('open')
      setInterval(() => {}, 1000)`
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', script, join(process.cwd(), 'dist/library.js')],
      {
        cwd: place.directory,
        env: { ...process.env, HOME: join(place.directory, 'home'), BRAIN_EMBEDDER: 'none' },
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    await new Promise((ready) => child.stdout.once('data', ready))
    const { code, stderr } = await place.run(['restore', 'copy.db'])
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: expect.stringContaining(`open in a program (process ${child.pid})`),
    })
  })
})

describe('a backup put in the place of a brain by hand', () => {
  it.each<[string, (copy: string, file: string) => void]>([
    ['moved', (copy, file) => renameSync(copy, file)],
    [
      'copied to a new file',
      (copy, file) => {
        renameSync(file, `${copy}.old`)
        copyFileSync(copy, file)
      },
    ],
  ])('%s there beside the log of the one before is what is read; the log is kept aside', async (_, put) => {
    const place = await createPlaceWithBackup()
    leaveLog(place, 'the last words')
    put(join(place.directory, 'copy.db'), join(place.directory, '.brain', 'brain.db'))
    const { code, stderr } = await place.run(['state'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('`brain restore`') })
    expect(await texts(place)).toEqual(['in the backup'])
    await expectSound(place)
    expect(filesOf(place).some((name) => /^brain\.db\.replaced-\d+-wal$/.test(name))).toBe(true)
  })

  it('holds no row that is larger than any brain keeps', async () => {
    const place = await createPlaceWithBackup()
    const database = loadDatabase(join(place.directory, 'copy.db'), {})
    database.exec('UPDATE memory SET text = cast(zeroblob(2000000) AS text) WHERE id = 1')
    database.close()
    expect(await place.run(['restore', 'copy.db'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('holds more in one row of memory than any brain keeps'),
    })
    expect(await texts(place)).toEqual(['in the backup', 'since then'])
  })
})
