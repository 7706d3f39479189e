import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openBuiltinModel } from '../../src/models/builtin-model.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { childEnvironment, createBrainPlace, program, runBuilt } from './command-line.ts'

const meaning = { BRAIN_EMBEDDER: 'builtin' }

describe('brain reindex', () => {
  test('embeds what was kept by keyword, and says so', async () => {
    const place = await createBrainPlace()
    await place.run(['import', '-'], { stdin: 'the server crashed at night\nbread needs flour\n' })
    const environment = meaning
    expect(await place.run(['reindex'], { environment })).toMatchObject({
      code: 0,
      stdout: 'embedded 2 memories: recall uses builtin\n',
    })
    expect((await place.run(['reindex', '--json'], { environment })).stdout).toBe(
      '{"model":"builtin","embedded":0,"refused":[],"switched":false}\n',
    )
    const { stdout } = await place.run(['recall', 'machine outage', '--json'], { environment })
    expect(JSON.parse(stdout)).toMatchObject({ mode: 'semantic', results: [{ id: 1 }, { id: 2 }] })
  })

  test('without an embedder says what to do', async () => {
    const place = await createBrainPlace()
    expect(await place.run(['reindex'])).toMatchObject({
      code: 1,
      stderr: 'brain: the embedder is none: choose one with brain model use NAME\n',
    })
  })

  test('killed at any moment goes on the next time, and recall answers meanwhile', async () => {
    const directory = temporaryDirectory()
    const env = meaning
    await runBuilt(directory, ['init', '--yes'])
    writeFileSync(
      join(directory, 'notes'),
      Array.from({ length: 2_000 }, (_, at) => `note ${at} on topic ${at % 89}\n`).join(''),
    )
    await runBuilt(directory, ['import', 'notes'])
    const child = spawn(process.execPath, [program, 'reindex'], {
      cwd: directory,
      env: { ...childEnvironment(directory), ...env },
      stdio: 'ignore',
    })
    setTimeout(() => child.kill('SIGKILL'), 500)
    await once(child, 'close')
    expect((await runBuilt(directory, ['recall', 'topic 88', '--json'], { env })).code).toBe(0)
    expect((await runBuilt(directory, ['reindex'], { env })).code).toBe(0)
    const { stdout } = await runBuilt(directory, ['model', 'current', '--json'], { env })
    expect(JSON.parse(stdout)).toMatchObject({ served: { name: 'builtin' }, backlog: 0, to_reindex: 0 })
  })
})

describe('brain model', () => {
  test('list shows every model, which are here and which one is configured', async () => {
    const place = await createBrainPlace({ BRAIN_EMBEDDER: '' })
    const { stdout } = await place.run(['model', 'list'])
    expect(stdout).toMatch(/^\* +builtin +English +comes with brain$/m)
    expect(stdout).toMatch(/^ {3}fastembed:bge-small-en-v1\.5 +English +\d+ MB to download$/m)
  })

  test('list says the dimension of each, the built-in one as the model has it', async () => {
    const place = await createBrainPlace({ BRAIN_EMBEDDER: '' })
    const { models } = JSON.parse((await place.run(['model', 'list', '--json'])).stdout)
    const { identity } = openBuiltinModel()
    expect(models[0]).toMatchObject({ name: 'builtin', dimension: identity.dimension })
    expect(models.every((one: { dimension: unknown }) => Number.isInteger(one.dimension))).toBe(true)
  })

  test('use configures the project or the user', async () => {
    const place = await createBrainPlace({ BRAIN_EMBEDDER: '' })
    expect((await place.run(['model', 'use', 'none', '--user'])).code).toBe(0)
    expect((await place.run(['model', 'current'])).stdout).toMatch(/^configured +none$/m)
    expect((await place.run(['model', 'use', 'builtin'])).stdout).toContain('builtin is in use from now on')
    expect((await place.run(['config', 'get', 'embedder'])).stdout).toBe('builtin\n')
  })

  test('current tells whose vectors serve until the next reindex', async () => {
    const place = await createBrainPlace({ BRAIN_EMBEDDER: '' })
    await place.run(['remember', 'one'])
    await place.run(['config', 'set', 'embedder', 'fastembed:bge-small-en-v1.5'])
    const { stdout } = await place.run(['model', 'current'])
    expect(stdout).toMatch(/^configured +fastembed:bge-small-en-v1\.5$/m)
    expect(stdout).toMatch(/^served +builtin, 384 dimensions$/m)
    expect(stdout).toMatch(/^problem +.*is not installed; run brain model use bge-small-en-v1\.5$/m)
  })

  test('use refuses an unknown name, and files for what has none', async () => {
    const place = await createBrainPlace()
    expect(await place.run(['model', 'use', 'gpt'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown model: gpt (known: '),
    })
    expect((await place.run(['model', 'use', 'builtin', '--from', '.'])).code).toBe(2)
  })
})
