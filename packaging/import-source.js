/** What TypeScript sources export, for scripts that run under plain Node. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Bundles `files` of this directory into one module and imports it; packages stay where they are. */
export async function importSource(name, ...files) {
  const outfile = join('.cache', `${name}.mjs`)
  await build({
    stdin: {
      contents: files.map((file) => `export * from './${file}'`).join('\n'),
      resolveDir: import.meta.dirname,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  return import(pathToFileURL(resolve(outfile)).href)
}
