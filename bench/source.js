/** Parts of the product that no interface shows, for benchmarks of single parts: bundled from source, then imported. */
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The exports of a source file; of one that another process of the same run bundled, where `bundled` says so. */
export async function importSource(file, bundled = false) {
  // Inside the project, so that its packages are found from there.
  const outfile = join(root, 'node_modules', '.cache', 'bench', `${file.replaceAll('/', '-')}.mjs`)
  if (bundled) return import(pathToFileURL(outfile).href)
  await build({
    entryPoints: [join(root, file)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
  })
  return import(pathToFileURL(outfile).href)
}
