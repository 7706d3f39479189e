/** TypeScript for other processes: bundled into the project's cache, from where the dependencies are found. */
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'

const built = new Map<string, Promise<string>>()

async function bundleNow(entry: string): Promise<string> {
  const directory = resolve('.cache', 'faults', String(process.pid))
  mkdirSync(directory, { recursive: true })
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const outfile = join(directory, `${basename(entry, '.ts')}.mjs`)
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    define: { BRAIN_VERSION: JSON.stringify('0.0.0-test') },
    logLevel: 'error',
  })
  return outfile
}

/** Absolute path of a module that Node can run. */
export function bundle(entry: string): Promise<string> {
  const known = built.get(entry) ?? bundleNow(entry)
  built.set(entry, known)
  return known
}
