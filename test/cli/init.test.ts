import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { createPlace, runBuilt } from './command-line.ts'
import { sitDown } from './pseudo-terminal.ts'

describe('brain init', () => {
  test('makes a brain that is its owner’s alone and invisible to git, whatever the umask', async () => {
    const directory = temporaryDirectory()
    const before = process.umask(0)
    try {
      expect((await runBuilt(directory, ['init', '--yes'])).code).toBe(0)
    } finally {
      process.umask(before)
    }
    const mode = (...path: string[]): number => statSync(join(directory, '.brain', ...path)).mode & 0o777
    expect(mode()).toBe(0o700)
    expect([mode('brain.db'), mode('.gitignore')]).toEqual([0o600, 0o600])
    expect(readFileSync(join(directory, '.brain', '.gitignore'), 'utf8')).toBe('*\n')
  })

  test('a second time finds what is there and changes nothing', async () => {
    const place = createPlace()
    expect(JSON.parse((await place.run(['init', '--yes', '--json'])).stdout)).toEqual({
      directory: join(place.directory, '.brain'),
      created: true,
      key: null,
      clients: {},
    })
    await place.run(['remember', 'kept'])
    expect((await place.run(['init', '--yes'])).stdout).toContain('there is a brain already')
    expect((await place.run(['recall', 'kept'])).stdout).toContain('kept')
  })

  test('takes project, embedder, key and clients from flags', async () => {
    const place = createPlace({ BRAIN_EMBEDDER: '' })
    const { stdout } = await place.run(
      'init --yes --project web --embedder none --with-key --client codex cursor --json'.split(' '),
    )
    const made = JSON.parse(stdout)
    expect(made.key).toMatch(/^brain_\w{8}_\w{38}$/)
    expect(JSON.parse(made.clients.cursor)).toEqual({
      mcpServers: { brain: { command: 'brain', args: ['mcp', '--dir', place.directory] } },
    })
    expect(made.clients.codex).toContain('[mcp_servers.brain]')
    expect((await place.run(['config', 'get', 'project'])).stdout).toBe('web\n')
    expect((await place.run(['config', 'get', 'embedder'])).stdout).toBe('none\n')
    expect((await place.run(['key', 'list'])).stdout).toContain('web')
  })

  test('in a fresh clone is named by a pull, and names the folder that git brought', async () => {
    const place = createPlace()
    mkdirSync(join(place.directory, '.brain-shared'))
    expect(await place.run(['share', '--pull'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/run `brain init` to make one, then `brain share --pull`\n$/),
    })
    expect((await place.run(['init', '--yes'])).stdout).toContain(
      '\n.brain-shared holds what others shared: `brain share --pull` takes it in.',
    )
    expect((await createPlace().run(['init', '--yes'])).stdout).not.toContain('.brain-shared')
  })

  test('refuses a wrong setting before anything is made', async () => {
    const place = createPlace()
    expect((await place.run(['init', '--yes', '--embedder', 'magic'])).code).toBe(2)
    expect(existsSync(join(place.directory, '.brain'))).toBe(false)
  })

  test('asks a person at a terminal', async () => {
    const directory = temporaryDirectory()
    const person = sitDown(directory, ['init'])
    await person.sees('Where?')
    person.types('\r')
    await person.sees('Which project')
    person.types('web\r')
    await person.sees('by meaning')
    person.types('\r')
    await person.sees('Make a key')
    person.types('y')
    await person.sees('Which MCP clients')
    person.types(' \r')
    await person.sees('made a brain in')
    await person.sees('claude mcp add brain')
    expect(await person.leaves()).toBe(0)
    expect(person.screen()).toMatch(/brain_\w{8}_\w{38}/)
    expect(JSON.parse(readFileSync(join(directory, '.brain', 'config.json'), 'utf8'))).toEqual({
      project: 'web',
    })
  })

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s at a question makes nothing', async (_, key) => {
    const directory = temporaryDirectory()
    const person = sitDown(directory, ['init'])
    await person.sees('Where?')
    person.types(key)
    expect(await person.leaves()).toBe(130)
    expect(existsSync(join(directory, '.brain'))).toBe(false)
  })
})
