/**
 * Runs the command from its sources: `npm run dev -- recall "how do we deploy"`. Bundles in a moment, without
 * minifying, types or the cache of compiled code, with stacks that name the sources.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { argv, execPath, exit } from 'node:process'
import { build } from 'esbuild'

const root = resolve(import.meta.dirname, '..')
const outdir = join(root, '.cache', 'dev')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

await build({
  absWorkingDir: root,
  entryPoints: {
    main: 'src/main.ts',
    // Started by their names, from beside the code that starts them.
    'night-process': 'src/night-process.ts',
    'transformer-process': 'src/models/providers/transformer-process.js',
  },
  outdir,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  define: { BRAIN_VERSION: JSON.stringify(`${version}-dev`) },
  logLevel: 'warning',
})

const { status } = spawnSync(execPath, ['--enable-source-maps', join(outdir, 'main.js'), ...argv.slice(2)], {
  stdio: 'inherit',
})
exit(status ?? 1)
