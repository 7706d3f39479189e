/** The packed package, installed as its users install it: into an empty prefix, with an empty home. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBlocks } from '../docs/readme.ts'
import { installTransformer } from '../models/tiny-transformer.ts'

const root = mkdtempSync(join(tmpdir(), 'brain-tarball-'))
// The registry's packages are fetched once a machine; nothing else of this user's npm is seen.
const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8', cwd: root }).trim()
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|BRAIN_|XDG_)/i.test(name))),
  HOME: join(root, 'home'),
  npm_config_cache: cache,
  npm_config_prefer_offline: 'true',
  npm_config_update_notifier: 'false',
}

const run = (program: string, argv: readonly string[], cwd = root): string =>
  execFileSync(program, argv, { cwd, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

let packed: Packed

beforeAll(() => {
  mkdirSync(join(root, 'home'))
  const report = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', root], resolve('.'))
  packed = JSON.parse(report)[0]
})

// Hundreds of megabytes in thousands of files.
afterAll(() => rmSync(root, { recursive: true, force: true }), 120_000)

const tarball = (): string => join(root, packed.filename)

/** Remembers and recalls with an installed command, in a brain of its own. */
function useCommand(brain: string): { mode: string; results: { text: string }[] } {
  const directory = mkdtempSync(join(root, 'use-'))
  run(brain, ['init', '--yes'], directory)
  run(brain, ['remember', 'The staging database moved to port 5433'], directory)
  return JSON.parse(run(brain, ['recall', 'where does postgres listen in staging?', '--json'], directory))
}

test('the package holds what runs, its terms and its history, and nothing else', () => {
  const paths = packed.files.map(({ path }) => path)
  const binary = `native/better-sqlite3-${process.platform}-${process.arch}-${process.versions.modules}.node`
  expect(paths).toEqual(
    expect.arrayContaining([
      ...[
        'bin/brain.js',
        'bin/package.json',
        'dist/main.cjs',
        'dist/library.js',
        // Started by its name, from whichever chunk asks for it.
        'dist/chunks/transformer-process.js',
        'dist/types/library.d.ts',
        binary,
      ],
      ...['models/brain-encoder-v1/model.onnx', 'models/brain-encoder-v1/MODEL_CARD.md'],
      ...['models/brain-pair-v1/model.onnx', 'models/brain-pair-v1/MODEL_CARD.md'],
      ...['models/brain-night-v1/model.onnx', 'models/brain-night-v1/MODEL_CARD.md'],
      ...['README.md', 'LICENSE', 'NOTICE', 'CHANGELOG.md', 'SECURITY.md', 'packages/fastembed/package.json'],
    ]),
  )
  const folders = new Set(paths.map((path) => path.split('/', 1)[0]))
  for (const folder of ['src', 'test', 'training', '.ci', '.github']) expect(folders).not.toContain(folder)
  const links = readFileSync('README.md', 'utf8').matchAll(/\]\((?![a-z]+:)([^)#]+)/g)
  for (const [, link = ''] of links)
    expect(
      paths.some((path) => path.startsWith(link)),
      link,
    ).toBe(true)
  // The encoder's 18 MB, 6 of the pair model and 11 of that of the night, of which compression takes little.
  expect(packed.size).toBeLessThan(38_000_000)
})

test('no file of the package names the directory it was built in', () => {
  for (const { path } of packed.files) {
    // The compiler writes no paths into a release; text is what could.
    if (/\.(node|onnx|bin)$/.test(path)) continue
    expect(readFileSync(path, 'utf8').includes(resolve('.')), path).toBe(false)
  }
})

describe('installed globally', () => {
  const prefix = join(root, 'prefix')

  beforeAll(() => {
    run('npm', ['install', '--global', '--prefer-offline', '--prefix', prefix, tarball()])
  })

  test('it recalls by meaning', () => {
    const { mode, results } = useCommand(join(prefix, 'bin', 'brain'))
    expect(mode).toBe('semantic')
    expect(results[0]?.text).toBe('The staging database moved to port 5433')
  })

  test('a model of fastembed brings the libraries that run it when it is first used, and no CUDA', () => {
    const brain = join(prefix, 'bin', 'brain')
    const [place, files] = [mkdtempSync(join(root, 'use-')), join(root, 'tiny-model')]
    installTransformer(files, { modelFile: 'model_optimized.onnx' })
    run(brain, ['init', '--yes'], place)
    run(brain, ['model', 'use', 'fastembed:bge-small-en-v1.5', '--from', files], place)
    run(brain, ['remember', 'The staging database moved to port 5433'], place)
    expect(JSON.parse(run(brain, ['recall', 'staging', '--json'], place)).mode).toBe('semantic')
    const models = join(root, 'home', '.cache', 'brain', 'models')
    const libraries = join(models, 'runtime-fastembed', 'node_modules', 'onnxruntime-node', 'bin')
    const found = readdirSync(libraries, { recursive: true, encoding: 'utf8' })
    expect(found.filter((name) => name.includes('cuda'))).toEqual([])
  })
})

describe('installed into a project, without any script', () => {
  const project = join(root, 'consumer')
  const brain = join(project, 'node_modules', '.bin', 'brain')

  beforeAll(() => {
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{"type":"module","private":true}')
    run('npm', ['install', '--ignore-scripts', '--prefer-offline', tarball()], project)
  })

  test('nothing that it brings has a script to run at installation', () => {
    const modules = join(project, 'node_modules')
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: boolean }>
    }
    expect(Object.keys(packages)).toEqual(
      expect.arrayContaining(['node_modules/brain', 'node_modules/zod', 'node_modules/sqlite-vec']),
    )
    // By npm's own account, and by what lies there: npm compiles whatever has a binding.gyp, too.
    const manifests = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /(^|[/\\])(package\.json|binding\.gyp)$/.test(path),
    )
    const scripted = manifests.filter((path) => {
      if (path.endsWith('binding.gyp')) return true
      const { scripts = {} } = JSON.parse(readFileSync(join(modules, path), 'utf8')) as {
        scripts?: Record<string, string>
      }
      return ['preinstall', 'install', 'postinstall'].some((name) => name in scripts)
    })
    expect(scripted).toEqual([])
    expect(Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
    for (const name of ['better-sqlite3', 'fastembed']) expect(existsSync(join(modules, name))).toBe(false)
  })

  test('the command recalls by meaning', () => {
    const { mode, results } = useCommand(brain)
    expect(mode).toBe('semantic')
    expect(results[0]?.text).toBe('The staging database moved to port 5433')
  })

  test('where no SQLite came for the platform, it says with which command one is built, and takes no other', () => {
    const own = join(project, 'node_modules', 'brain', 'native')
    renameSync(own, `${own}.away`)
    // Of another release, for all that is known.
    const strange = join(project, 'node_modules', 'better-sqlite3', 'build', 'Release')
    mkdirSync(strange, { recursive: true })
    writeFileSync(join(strange, 'better_sqlite3.node'), 'not loaded')
    try {
      const { stderr = '', status } = catchFailure(() => useCommand(brain))
      expect(status).toBe(5)
      const command = /build it with `node (\S+)`/.exec(stderr)?.[1] ?? ''
      expect(command).toBe(join(project, 'node_modules', 'brain', 'packaging', 'native.js'))
      expect(existsSync(command)).toBe(true)
      renameSync(`${own}.away`, own)
      // Nothing is built where one loads.
      expect(run(process.execPath, [command], project)).toContain('is there, and loads')
    } finally {
      if (existsSync(`${own}.away`)) renameSync(`${own}.away`, own)
      rmSync(join(project, 'node_modules', 'better-sqlite3'), { recursive: true, force: true })
    }
  })

  test("README's example of the library compiles, its declarations checked too, and runs", () => {
    const [example] = readBlocks('README.md').filter(({ language }) => language === 'ts')
    writeFileSync(join(project, 'example.ts'), example?.text ?? '')
    const options = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom'],
      types: [],
      strict: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
    }
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['example.ts'] }),
    )
    run(resolve('node_modules/.bin/tsc'), ['-p', '.'], project)
    expect(run(process.execPath, ['example.js'], project)).toBe('The staging database moved to port 5433\n')
  })

  test('the library types inputs and outputs', () => {
    const wrong = [
      "import { openBrain } from 'brain'",
      "const brain = await openBrain({ dir: '.' })",
      'await brain.remember({ txt: 1 })',
      'const { verdict } = await brain.assess({ topic: "x" })',
      "verdict === 'nonsense'",
      'await brain.noSuchOperation({})',
    ]
    writeFileSync(join(project, 'wrong.ts'), wrong.join('\n'))
    const check = () =>
      run(
        resolve('node_modules/.bin/tsc'),
        [
          '--noEmit',
          '--strict',
          '--module',
          'nodenext',
          '--target',
          'es2023',
          '--types',
          '',
          '--ignoreConfig',
          'wrong.ts',
        ],
        project,
      )
    const { stdout } = catchFailure(check)
    for (const line of [3, 5, 6]) expect(stdout).toContain(`wrong.ts(${line},`)
    for (const line of [1, 2, 4]) expect(stdout).not.toContain(`wrong.ts(${line},`)
  })

  test('where sqlite-vec has no build, recall says that it is by keyword and finds by words', () => {
    const moved = join(project, 'node_modules', 'sqlite-vec')
    renameSync(moved, `${moved}.away`)
    try {
      const { mode, results } = useCommand(brain)
      expect(mode).toBe('keyword')
      expect(results[0]?.text).toBe('The staging database moved to port 5433')
    } finally {
      renameSync(`${moved}.away`, moved)
    }
  })
})

function catchFailure(work: () => unknown): { stdout: string; stderr?: string; status?: number } {
  try {
    work()
  } catch (error) {
    // What execFileSync throws carries what the program printed.
    return error as { stdout: string; stderr: string; status: number }
  }
  throw new Error('it was expected to fail')
}
