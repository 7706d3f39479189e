import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createBrainPlace, createPlace } from './command-line.ts'

describe('brain config', () => {
  test('set, get and unset, each value with its source', async () => {
    const place = await createBrainPlace()
    const file = join(place.directory, '.brain', 'config.json')
    expect(await place.run(['config', 'set', 'sprt.alpha', '0.01', '--json'])).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify({ name: 'sprt.alpha', value: 0.01, file })}\n`,
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ 'sprt.alpha': 0.01 })
    expect((await place.run(['config', 'get', 'sprt.alpha'])).stdout).toBe('0.01\n')
    await place.run(['config', 'unset', 'sprt.alpha'])
    expect(JSON.parse((await place.run(['config', 'get', 'sprt.alpha', '--json'])).stdout)).toEqual({
      name: 'sprt.alpha',
      value: 0.05,
      source: 'default',
    })
  })

  test("--user changes the user's own settings and needs no brain", async () => {
    const place = createPlace()
    const file = join(place.directory, 'home', '.config', 'brain', 'config.json')
    expect((await place.run(['config', 'set', 'agent', 'laptop', '--user'])).code).toBe(0)
    expect(JSON.parse((await place.run(['config', 'get', 'agent', '--json'])).stdout)).toEqual({
      name: 'agent',
      value: 'laptop',
      source: file,
    })
    expect((await place.run(['config', 'set', 'agent', 'laptop'])).code).toBe(4)
  })

  test('list shows every setting, and where the environment speaks, its variable', async () => {
    const place = await createBrainPlace({ BRAIN_DURABILITY: 'normal' })
    const { stdout } = await place.run(['config', 'list'])
    expect(stdout).toMatch(/^durability +normal +BRAIN_DURABILITY$/m)
    expect(stdout).toMatch(/^sprt\.beta +0\.1 +default$/m)
  })

  test('an embedder that cannot embed yet is set with a warning of what it needs', async () => {
    const place = await createBrainPlace({ BRAIN_EMBEDDER: '' })
    const set = (...words: string[]) => place.run(['config', 'set', ...words])
    const needs = (name: string): string =>
      `brain: the embedder cannot be used yet: the http embedder needs ${name}: set it with brain config set ${name} VALUE\n`
    expect(await set('embedder', 'http')).toMatchObject({ code: 0, stderr: needs('embedder.url') })
    expect((await set('embedder.url', 'http://127.0.0.1:9/v1')).stderr).toBe(needs('embedder.model'))
    expect((await set('embedder.model', 'm')).stderr).toContain('at 127.0.0.1:9 cannot be reached')
    for (const words of [
      ['config', 'set', 'embedder'],
      ['init', '--embedder'],
    ])
      expect(await place.run([...words, 'fastembed:nowhere'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('unknown model: nowhere'),
      })
    expect((await place.run(['config', 'get', 'embedder'])).stdout).toBe('http\n')
    for (const name of ['none', 'builtin']) expect((await set('embedder', name)).stderr).toBe('')
    expect((await set('embedder.model', 'another')).stderr).toBe('')
    expect((await place.run(['init', '--embedder', 'http'])).stderr).toContain('cannot be reached')
  })

  test('an unknown name or value is refused by name', async () => {
    const place = await createBrainPlace()
    expect(await place.run(['config', 'set', 'sprt.gamma', '1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown setting: sprt.gamma'),
    })
    expect(await place.run(['config', 'get', 'sprt.gamma'])).toMatchObject({ code: 2 })
    expect(await place.run(['config', 'set', 'sprt.beta', 'none'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('sprt.beta must be a number between'),
    })
  })
})

describe('brain trust', () => {
  test('shows what it lets through, and takes it back', async () => {
    const place = await createBrainPlace()
    writeFileSync(
      join(place.directory, '.brain', 'config.json'),
      '{"dream.llm.url": "http://localhost:9/v1", "dream.llm.model": "m"}',
    )
    const before = await place.run(['config', 'get', 'dream.llm.url'])
    expect(before).toMatchObject({ stdout: '\n', stderr: expect.stringContaining('`brain trust`') })
    const trusted = await place.run(['trust'])
    expect(trusted.stdout).toContain('dream.llm.url = http://localhost:9/v1')
    expect(await place.run(['config', 'get', 'dream.llm.url'])).toMatchObject({
      stdout: 'http://localhost:9/v1\n',
      stderr: '',
    })
    await place.run(['trust', '--revoke'])
    expect((await place.run(['config', 'get', 'dream.llm.url'])).stdout).toBe('\n')
  })

  test('names a directory, also one whose brain is still to be made', async () => {
    const place = createPlace()
    mkdirSync(join(place.directory, 'clone', '.brain'), { recursive: true })
    writeFileSync(join(place.directory, 'clone', '.brain', 'config.json'), '{"serve.host": "::1"}')
    expect((await place.run(['trust', 'clone', '--json'])).code).toBe(0)
    await place.run(['init', '--yes', '--dir', 'clone'])
    const { stdout } = await place.run(['config', 'get', 'serve.host', '--dir', 'clone'])
    expect(stdout).toBe('::1\n')
    expect((await place.run(['trust', 'nowhere'])).code).toBe(4)
  })
})
