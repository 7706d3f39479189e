/** A brain that is merely found may be anybody's: only the user's own is used, and what the user named or trusts. */
import { lchownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { trustFile } from '../../src/config/load.ts'
import { createBrainPlace, type Place } from '../cli/command-line.ts'

/** A brain, the user who owns it, somebody who does not, and a directory below it where that one works. */
async function createForeignPlace() {
  const place = await createBrainPlace()
  const brain = join(place.directory, '.brain')
  let owner = process.geteuid?.() ?? expect.unreachable('users have numbers here')
  if (owner === 0) {
    // Root's own files are nobody else's: given away, as root may.
    owner = 4_242
    for (const name of ['', ...readdirSync(brain, { recursive: true, encoding: 'utf8' })]) {
      lchownSync(join(brain, name), owner, owner)
    }
  }
  const below = join(place.directory, 'src')
  mkdirSync(below)
  const run = (argv: readonly string[], options: Parameters<Place['run']>[1] = {}) =>
    place.run(argv, { workingDirectory: below, uid: owner + 1, ...options })
  return { ...place, brain, owner, run }
}

describe('a brain of another user, found above the working directory', () => {
  const commands = [
    ['remember', 'a secret'],
    ['recall', 'anything'],
    ['state'],
    ['serve', '--port', '0'],
    ['mcp'],
    ['export'],
    ['import', '-'],
    ['key', 'list'],
    ['config', 'list'],
    ['config', 'set', 'agent', 'x'],
    ['reindex'],
    ['doctor'],
  ]
  test.each(commands)(
    'is refused to brain %s in a sentence that says whose it is and what to do',
    async (...words) => {
      const { run, brain, directory, owner } = await createForeignPlace()
      const before = readdirSync(brain).sort()
      const { code, stdout, stderr } = await run([...words, '--json'])
      expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
      expect(JSON.parse(stderr)).toEqual({
        error: `${brain} belongs to user ${owner}, not to you: name it with --dir ${directory} to use it all the same, or run \`brain trust ${directory}\``,
      })
      expect(readdirSync(brain).sort()).toEqual(before)
    },
  )

  test('is used by its owner, and where owners have no numbers', async () => {
    const { run, owner } = await createForeignPlace()
    expect(await run(['recall', 'anything'], { uid: owner })).toMatchObject({ code: 0 })
    expect(await run(['recall', 'anything'], { uid: undefined })).toMatchObject({ code: 0 })
  })

  test('is used when it is named, by option or environment', async () => {
    const { run, directory } = await createForeignPlace()
    expect(await run(['recall', 'anything', '--dir', directory])).toMatchObject({ code: 0 })
    const environment = { BRAIN_DIR: directory }
    expect(await run(['recall', 'anything'], { environment })).toMatchObject({ code: 0 })
  })

  test('is used once it is trusted, until that is taken back', async () => {
    const { run, brain, owner } = await createForeignPlace()
    const { stdout } = await run(['trust', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      directory: brain,
      trusted: true,
      log: false,
      loose: false,
      owner: `user ${owner}`,
      settings: {},
    })
    expect(await run(['remember', 'a note'])).toMatchObject({ code: 0, stderr: '' })
    expect(await run(['trust', '--revoke'])).toMatchObject({ code: 0 })
    expect(await run(['remember', 'a note'])).toMatchObject({ code: 5 })
  })

  test('is trusted by the name of the directory that holds it, too, and for people in words', async () => {
    const { run, brain, directory, owner } = await createForeignPlace()
    const { stdout } = await run(['trust', directory], { workingDirectory: '/' })
    expect(stdout).toContain(`trusted ${brain}, as long as it belongs to user ${owner}\n`)
    expect(await run(['recall', 'anything'])).toMatchObject({ code: 0 })
  })

  test('is trusted no longer once it belongs to yet another one', async () => {
    const { run, owner, directory } = await createForeignPlace()
    await run(['trust'])
    const file = trustFile({ HOME: join(directory, 'home') })
    writeFileSync(file, readFileSync(file, 'utf8').replace(String(owner), String(owner + 7)))
    expect(await run(['recall', 'anything'])).toMatchObject({ code: 5 })
  })

  test('is trusted for its owner alone: what its settings say still counts only when it was seen', async () => {
    const { run, brain } = await createForeignPlace()
    await run(['trust'])
    writeFileSync(join(brain, 'config.json'), '{"embedder": "http", "embedder.url": "https://example.com/"}')
    const { stderr } = await run(['recall', 'anything'])
    expect(stderr).toContain('embedder.url')
    expect(stderr).toContain('ignored')
  })
})

describe('root', () => {
  test("does not use another user's brain either", async () => {
    const { run } = await createForeignPlace()
    expect(await run(['recall', 'anything'], { uid: 0 })).toMatchObject({ code: 5 })
  })

  test('uses the brain of who called sudo, and of nobody else', async () => {
    const { run, owner } = await createForeignPlace()
    const as = (SUDO_UID: string) => run(['recall', 'anything'], { uid: 0, environment: { SUDO_UID } })
    expect(await as(String(owner))).toMatchObject({ code: 0 })
    expect(await as(String(owner + 1))).toMatchObject({ code: 5 })
    expect(await as(`${owner}x`)).toMatchObject({ code: 5 })
  })

  test.skipIf(process.geteuid?.() !== 0)('leaves what it sets to the owner of the brain', async () => {
    const { run, brain, owner } = await createForeignPlace()
    const set = ['config', 'set', 'sprt.alpha', '0.02']
    expect(await run(set, { uid: 0, environment: { SUDO_UID: String(owner) } })).toMatchObject({ code: 0 })
    expect(statSync(join(brain, 'config.json')).uid).toBe(owner)
  })

  test('alone may be called by sudo: the variable is worth nothing to others', async () => {
    const { run, owner } = await createForeignPlace()
    const environment = { SUDO_UID: String(owner) }
    expect(await run(['recall', 'anything'], { environment })).toMatchObject({ code: 5 })
  })
})
