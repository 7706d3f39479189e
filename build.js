/** Bundles src/ into dist/: ES modules split by what each interface needs, so that a command loads little. */
import { readFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

rmSync('dist', { recursive: true, force: true })
await build({
  entryPoints: {
    main: 'src/main.ts',
    library: 'src/library.ts',
    // A thread of its own beside the daemon.
    'night-worker': 'src/night-worker.ts',
    // A process of its own, started by a chunk from the directory that both are in.
    'chunks/transformer-process': 'src/embed/transformer-process.js',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Native code cannot be bundled (better-sqlite3 is told of its own in native/), and fastembed is loaded only
  // when a model of its is used.
  external: ['sqlite-vec', 'fastembed', 'onnxruntime-node', '@anush008/tokenizers'],
  alias: { '@modelcontextprotocol/server/_shims': './src/mcp/shims.ts' },
  chunkNames: 'chunks/[name]-[hash]',
  define: { BRAIN_VERSION: JSON.stringify(version) },
  // CommonJS packages inside the bundle ask for Node's own modules by `require`.
  banner: {
    js: "import{createRequire as $bundledRequire}from'node:module';const require=$bundledRequire(import.meta.url);",
  },
  legalComments: 'none',
})
