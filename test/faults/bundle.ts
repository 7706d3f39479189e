/** TypeScript for other processes and threads: bundled into the project's cache, from where the dependencies are found. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'

const built = new Map<string, Promise<string>>()

async function bundleNow(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    define: { BRAIN_VERSION: JSON.stringify('0.0.0-test') },
    logLevel: 'error',
  })
  const directory = resolve('.cache', 'faults')
  mkdirSync(directory, { recursive: true })
  const file = join(directory, `${basename(entry, '.ts')}.mjs`)
  // Whole or not there: other test processes may be running the same file.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, outputFiles[0]?.text ?? '')
  renameSync(draft, file)
  return file
}

/** Absolute path of a module that Node can run. */
export function bundle(entry: string): Promise<string> {
  const known = built.get(entry) ?? bundleNow(entry)
  built.set(entry, known)
  return known
}
