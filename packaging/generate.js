/** Writes the generated files; a test fails when they are stale. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { build } from 'esbuild'

const bundle = '.cache/reference.mjs'
await build({
  entryPoints: ['packaging/reference.ts'],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
})
const { generateFiles } = await import(`../${bundle}`)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const [path, text] of await generateFiles(version)) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
