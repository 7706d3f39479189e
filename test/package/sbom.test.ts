import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../models/temporary-directory.ts'

// Plain JavaScript, since a release runs it before anything is built.
const { makeChecksums, makeSbom } = (await import(resolve('packaging/sbom.js'))) as {
  makeChecksums: (files: readonly string[]) => string
  makeSbom: (root: string) => unknown
}

interface Component {
  readonly name: string
  readonly version?: string
  readonly type: string
  readonly components?: readonly { name: string; hashes: readonly { alg: string; content: string }[] }[]
}

test('the list of parts has what npm installs, what is bundled, SQLite and the models, and no tool of ours', () => {
  const sbom = makeSbom('.') as {
    bomFormat: string
    metadata: { component: { name: string } }
    components: Component[]
    dependencies: { ref: string; dependsOn: string[] }[]
  }
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'brain' } } })
  const names = sbom.components.map(({ name }) => name)
  for (const part of [
    'zod',
    'sqlite-vec',
    'better-sqlite3',
    'sqlite',
    'hono',
    'commander',
    '@modelcontextprotocol/server',
  ])
    expect(names).toContain(part)
  for (const tool of ['vitest', 'typescript', 'esbuild', '@biomejs/biome', 'fast-check'])
    expect(names).not.toContain(tool)
  const references = new Set(sbom.dependencies.map(({ ref }) => ref))
  for (const { dependsOn } of sbom.dependencies)
    for (const one of dependsOn) expect(references).toContain(one)
  const [model] = sbom.components.filter(({ type }) => type === 'machine-learning-model')
  const [part] = model?.components ?? []
  const bytes = readFileSync(join('models', model?.name ?? '', part?.name ?? ''))
  expect(part?.hashes).toEqual([
    { alg: 'SHA-256', content: createHash('sha256').update(bytes).digest('hex') },
  ])
})

test('checksums are such as sha256sum checks', () => {
  const directory = temporaryDirectory()
  const file = join(directory, 'brain.tgz')
  writeFileSync(file, 'a package')
  writeFileSync(join(directory, 'SHA256SUMS'), makeChecksums([file]))
  const said = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: directory, encoding: 'utf8' })
  expect(said).toBe('brain.tgz: OK\n')
})

interface Locked {
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

test('nothing that npm installs with brain has a script of its own', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>
  }
  const reached = new Set<string>()
  const visit = (names: readonly string[]): void => {
    for (const name of names) {
      const found = packages[`node_modules/${name}`]
      if (found === undefined || reached.has(name)) continue
      reached.add(name)
      visit(Object.keys({ ...found.dependencies, ...found.optionalDependencies }))
    }
  }
  const { dependencies, optionalDependencies } = packages[''] ?? {}
  visit(Object.keys({ ...dependencies, ...optionalDependencies }))
  expect(reached.size).toBeGreaterThan(1)
  const running = [...reached].filter((name) => packages[`node_modules/${name}`]?.hasInstallScript === true)
  expect(running).toEqual([])
})
