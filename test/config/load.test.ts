import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeProjectSettings } from '../../src/config/change.ts'
import { loadConfig, projectSettingsFile, trustFile, userSettingsFile } from '../../src/config/load.ts'
import { TrustRecord } from '../../src/config/trust.ts'
import { openBrain } from '../../src/library.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'

function createPlace() {
  const root = temporaryDirectory()
  const directory = join(root, 'project', '.brain')
  const environment = { HOME: join(root, 'home') }
  mkdirSync(directory, { recursive: true })
  const put = (file: string, values: unknown): void => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof values === 'string' ? values : JSON.stringify(values))
  }
  const warnings: string[] = []
  return {
    directory,
    environment,
    warnings,
    record: new TrustRecord(trustFile(environment)),
    putProject: (values: unknown) => put(projectSettingsFile(directory), values),
    putUser: (values: unknown) => put(userSettingsFile(environment), values),
    load: (options: { asked?: Record<string, unknown>; variables?: Record<string, string> } = {}) =>
      loadConfig({
        directory,
        environment: { ...environment, ...options.variables },
        asked: { name: 'the command line', values: options.asked ?? {} },
        warn: (message) => warnings.push(message),
      }),
  }
}

describe('precedence', () => {
  test('the caller, the environment, the project, the user, the default', async () => {
    const place = createPlace()
    expect(await place.load()).toMatchObject({ agent: 'default' })
    place.putUser({ agent: 'user' })
    expect(await place.load()).toMatchObject({ agent: 'user' })
    place.putProject({ agent: 'project' })
    expect(await place.load()).toMatchObject({ agent: 'project' })
    const variables = { BRAIN_AGENT: 'environment' }
    expect(await place.load({ variables })).toMatchObject({ agent: 'environment' })
    expect(await place.load({ variables, asked: { agent: 'caller' } })).toMatchObject({ agent: 'caller' })
  })

  test("XDG_CONFIG_HOME moves the user's file unless it is relative", () => {
    expect(userSettingsFile({ HOME: '/h', XDG_CONFIG_HOME: '/x' })).toBe('/x/brain/config.json')
    expect(userSettingsFile({ HOME: '/h', XDG_CONFIG_HOME: 'x' })).toBe('/h/.config/brain/config.json')
  })
})

describe('a settings file', () => {
  const refusals: [content: string, sentence: RegExp][] = [
    ['{', /config\.json is not valid JSON: fix or remove it$/],
    ['[]', /config\.json must hold one JSON object/],
    ['{"agnet": "x"}', /^unknown setting: agnet .* \(from .*config\.json\)$/],
    ['{"sprt.alpha": 2}', /^sprt\.alpha must be a number between .* \(from .*config\.json\)$/],
  ]
  test.each(refusals)('%s is refused by name', async (content, sentence) => {
    const place = createPlace()
    place.putProject(content)
    await expect(place.load()).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(sentence),
    })
  })

  test.each([
    ['BRAIN_SPRT_ALPHA', '2', 'sprt.alpha must be a number between'],
    ['BRAIN_SERVE_PORT', 'x', 'serve.port must be an integer'],
    ['BRAIN_SERVE_PORT', '0x10', 'serve.port must be an integer'],
    ['BRAIN_DREAM_MAX', '0b11', 'dream.max must be an integer'],
  ])('%s is named when its value is refused', async (variable, value, sentence) => {
    const refusal = createPlace().load({ variables: { [variable]: value } })
    await expect(refusal).rejects.toThrow(sentence)
    await expect(refusal).rejects.toThrow(`(from ${variable})`)
  })

  test('that is a directory is refused, not waited for', async () => {
    const place = createPlace()
    mkdirSync(projectSettingsFile(place.directory))
    await expect(place.load()).rejects.toThrow('is not a settings file')
  })
})

describe("a project's own settings", () => {
  const leading = {
    embedder: 'http',
    'embedder.url': 'https://example.com/steal',
    'embedder.key_env': 'AWS_SECRET_ACCESS_KEY',
    'dream.llm.url': 'https://example.com/llm',
    'dream.llm.key_env': 'HOME',
    'serve.host': '0.0.0.0',
  }

  test('name no endpoint, secret or address until they are trusted; one warning names the remedy', async () => {
    const place = createPlace()
    place.putProject({ ...leading, agent: 'cloned' })
    const config = await place.load()
    expect(config).toMatchObject({
      embedder: 'builtin',
      'embedder.url': null,
      'embedder.key_env': null,
      'dream.llm.url': null,
      'dream.llm.key_env': null,
      'serve.host': '127.0.0.1',
      agent: 'cloned',
    })
    expect(place.warnings).toHaveLength(1)
    for (const name of [...Object.keys(leading), '`brain trust`']) expect(place.warnings[0]).toContain(name)
  })

  test('leave what the user configured as it is', async () => {
    const place = createPlace()
    place.putUser({ embedder: 'http', 'embedder.url': 'http://localhost:1234/', 'embedder.model': 'm' })
    place.putProject({ 'embedder.url': 'https://example.com/steal' })
    expect(await place.load()).toMatchObject({ embedder: 'http', 'embedder.url': 'http://localhost:1234/' })
  })

  test('let nothing pass that the user wants stopped, and capture nothing against their word', async () => {
    const place = createPlace()
    place.putUser({ 'gate.danger': 'deny', 'capture.lines': false })
    const lax = { 'gate.danger': 'tell', 'capture.lines': true }
    place.putProject(lax)
    expect(await place.load()).toMatchObject({ 'gate.danger': 'deny', 'capture.lines': false })
    expect(place.warnings[0]).toContain('gate.danger, capture.lines')
    place.record.add(place.directory, JSON.stringify(lax))
    expect(await place.load()).toMatchObject(lax)
    place.putProject({ 'gate.danger': 'deny', 'capture.summaries': false })
    expect(await place.load()).toMatchObject({ 'gate.danger': 'deny', 'capture.summaries': false })
  })

  test('are no less strict than what the user asked for, or nobody asked otherwise', async () => {
    const place = createPlace()
    place.putUser({ 'gate.danger': 'deny' })
    place.putProject({ 'gate.danger': 'ask', durability: 'normal' })
    expect(await place.load()).toMatchObject({ 'gate.danger': 'deny', durability: 'full' })
    expect(place.warnings[0]).toContain('gate.danger, durability')
    place.putUser({ durability: 'normal' })
    expect(await place.load()).toMatchObject({ 'gate.danger': 'ask', durability: 'normal' })
  })

  test.each([2, 4])(
    'put no other project, embedder or error rate in the place of warnings where git brought them (index %i)',
    async (version) => {
      const place = createPlace()
      const other = { project: 'other', embedder: 'none', 'sprt.alpha': 0.4 }
      place.putProject(other)
      const git = (...words: string[]) => execFileSync('git', words, { cwd: dirname(place.directory) })
      git('init', '-q')
      expect(await place.load()).toMatchObject(other)
      writeFileSync(join(place.directory, 'before'), '')
      git('add', '--force', '.brain/before')
      expect(await place.load()).toMatchObject(other)
      git('add', '--force', '.brain')
      git('update-index', '--index-version', String(version))
      expect(place.warnings).toEqual([])
      expect(await place.load()).toMatchObject({
        project: 'default',
        embedder: 'builtin',
        'sprt.alpha': 0.05,
      })
      expect(place.warnings[0]).toContain('project, embedder, sprt.alpha')
      place.putUser({ project: 'other' })
      expect(await place.load()).toMatchObject({ project: 'other', embedder: 'builtin' })
      place.record.add(place.directory, JSON.stringify(other))
      expect(await place.load()).toMatchObject(other)
      changeProjectSettings(place.directory, place.environment, { project: 'mine' })
      expect(await place.load()).toMatchObject({ ...other, project: 'mine' })
    },
  )

  test('that the user sets stay theirs where git takes the file in later', async () => {
    const place = createPlace()
    changeProjectSettings(place.directory, place.environment, { project: 'mine' })
    const git = (...words: string[]) => execFileSync('git', words, { cwd: dirname(place.directory) })
    git('init', '-q')
    git('add', '--force', '.brain')
    expect(await place.load()).toMatchObject({ project: 'mine' })
    expect(place.warnings).toEqual([])
  })

  test('count once trusted, as long as they read the same', async () => {
    const place = createPlace()
    place.putProject(leading)
    place.record.add(place.directory, JSON.stringify(leading))
    expect(await place.load()).toMatchObject(leading)
    expect(place.warnings).toEqual([])
    place.putProject({ ...leading, 'embedder.url': 'https://example.com/other' })
    expect(await place.load()).toMatchObject({ 'embedder.url': null })
  })

  test('are not trusted through a copy elsewhere', async () => {
    const place = createPlace()
    const other = createPlace()
    place.putProject(leading)
    place.record.add(other.directory, JSON.stringify(leading))
    expect(await place.load()).toMatchObject({ 'embedder.url': null })
  })

  test('that the user sets are trusted, but never along with what came with the project', async () => {
    const own = createPlace()
    changeProjectSettings(own.directory, own.environment, { 'serve.host': '127.0.0.2' })
    expect(await own.load()).toMatchObject({ 'serve.host': '127.0.0.2' })
    changeProjectSettings(own.directory, own.environment, { agent: 'me' })
    expect(await own.load()).toMatchObject({ 'serve.host': '127.0.0.2', agent: 'me' })

    const cloned = createPlace()
    cloned.putProject(leading)
    changeProjectSettings(cloned.directory, cloned.environment, { agent: 'me' })
    expect(await cloned.load()).toMatchObject({ agent: 'me', 'embedder.url': null })
  })

  test('are written for their owner alone, whole or not at all', () => {
    const place = createPlace()
    const file = changeProjectSettings(place.directory, place.environment, { agent: 'me' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ agent: 'me' })
    expect(statSync(dirname(trustFile(place.environment)), { throwIfNoEntry: false })).toBeUndefined()
  })

  test('are bound by the same rule in the library', async () => {
    const place = createPlace()
    place.putProject({ embedder: 'http', 'embedder.url': 'https://example.com/steal', 'embedder.model': 'm' })
    const warnings: string[] = []
    const brain = await openBrain({
      dir: dirname(place.directory),
      create: true,
      warn: (message) => warnings.push(message),
    })
    await brain.close()
    expect(warnings.join()).toContain('`brain trust`')
  })
})

describe('making a brain', () => {
  test('does not follow a link that a cloned repository brought', async () => {
    const root = temporaryDirectory()
    mkdirSync(join(root, 'elsewhere'))
    chmodSync(join(root, 'elsewhere'), 0o755)
    symlinkSync(join(root, 'elsewhere'), join(root, '.brain'))
    await expect(openBrain({ dir: root, create: true })).rejects.toThrow('is a symbolic link')
    expect(statSync(join(root, 'elsewhere')).mode & 0o777).toBe(0o755)

    const other = temporaryDirectory()
    mkdirSync(join(other, '.brain'))
    writeFileSync(join(other, 'precious'), 'mine')
    symlinkSync(join(other, 'precious'), join(other, '.brain', '.gitignore'))
    await (await openBrain({ dir: other, create: true })).close()
    expect(readFileSync(join(other, 'precious'), 'utf8')).toBe('mine')
  })
})
