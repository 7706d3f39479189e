/**
 * Bundles src/ into dist/. The command becomes CommonJS chunks, which Node 20 starts several milliseconds sooner than
 * ES modules, split by what each command needs; the library stays an ES module.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { operationEntries, writeOperationLists } from './packaging/operation-lists.js'
import { packChunks } from './packaging/pack-chunks.js'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const define = { BRAIN_VERSION: JSON.stringify(version) }

/** Taking all of it by name would open its streams: our own code takes what is listed here, packages get the whole. */
const processFor = (importer) => (importer.includes('/node_modules/') ? 'required-builtin' : 'global-process')

const takenBy = (kind) => (kind === 'require-call' ? 'required-builtin' : 'imported-builtin')

/**
 * Modules that take milliseconds to load, and of which we call functions and construct classes: loaded by the first of
 * these calls.
 */
const lazyBuiltins = ['child_process', 'crypto', 'fs/promises', 'os', 'url', 'worker_threads', 'zlib']

/**
 * Node's own modules without the ES module facade around them, whose making evaluates more of Node than we use. What is
 * imported by name is taken by name; CommonJS packages get the module as it is.
 */
const builtins = {
  name: 'builtins',
  setup(context) {
    context.onResolve({ filter: /^node:/ }, ({ path, importer, kind }) => ({
      // Commander runs external subcommands with it; we have none.
      path: path === 'node:child_process' && importer.includes('/commander/') ? 'none' : path,
      namespace: path === 'node:process' ? processFor(importer) : takenBy(kind),
      sideEffects: false,
    }))
    context.onLoad({ filter: /.*/, namespace: 'required-builtin' }, ({ path }) => ({
      contents: path === 'none' ? '' : `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
    context.onLoad({ filter: /.*/, namespace: 'global-process' }, () => ({
      contents: `export default process`,
    }))
    context.onLoad({ filter: /.*/, namespace: 'imported-builtin' }, async ({ path }) => {
      const members = Object.entries(await import(path)).filter(
        ([name]) => name !== 'default' && /^[A-Za-z_$][\w$]*$/.test(name),
      )
      const isLazy = lazyBuiltins.includes(path.slice('node:'.length))
      const taker = (value) => (isLazy && typeof value === 'function' ? 'later' : 'of')
      return {
        contents: [
          `const builtin = () => process.getBuiltinModule(${JSON.stringify(path)})`,
          'const of = (name) => builtin()[name]',
          'const later = (name) => function (...given) { return new.target ? new (of(name))(...given) : of(name)(...given) }',
          'export default /* @__PURE__ */ builtin()',
          ...members.map(
            ([name, value], at) =>
              `const $${at} = /* @__PURE__ */ ${taker(value)}('${name}'); export { $${at} as ${name} }`,
          ),
        ].join('\n'),
      }
    })
  },
}

/** A zod of the MCP SDK's own: from a shared one every command would load what the SDK alone uses. */
const zodApart = {
  name: 'zod-apart',
  setup(context) {
    const namespace = 'zod-apart'
    context.onResolve({ filter: /^zod(\/|$)/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === namespace || !importer.includes('@modelcontextprotocol')) return undefined
      const found = await context.resolve(path, { importer, resolveDir, kind, pluginData: namespace })
      return { path: found.path, namespace, sideEffects: false }
    })
    context.onResolve({ filter: /^\./, namespace }, ({ path, importer }) => ({
      path: join(dirname(importer), path),
      namespace,
      sideEffects: false,
    }))
    context.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: readFileSync(path, 'utf8') }))
  },
}

/** Puts the values of a module in the place of their computation: the catalogue of operations. */
const precomputed = {
  name: 'precomputed',
  setup(context) {
    context.onLoad({ filter: /\/src\/cli\/catalogue\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({ ...shared, entryPoints: [path], format: 'esm', write: false })
      const code = Buffer.from(outputFiles[0].contents).toString('base64')
      const values = Object.entries(await import(`data:text/javascript;base64,${code}`))
      const lasting = values.filter(([, value]) => typeof value !== 'function')
      return {
        contents: lasting
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
          .join('\n'),
      }
    })
  },
}

/** Puts the newest schema as text in its place: to make it takes a command a millisecond. */
const newestSchema = {
  name: 'newest-schema',
  setup(context) {
    context.onLoad({ filter: /\/src\/store\/sqlite\/newest-schema\.ts$/ }, async () => ({
      contents: `export const newestSchema = () => ${JSON.stringify(await makeNewestSchema())}`,
    }))
  },
}

const shared = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20.19',
  // Native code cannot be bundled (better-sqlite3 is told of its own in native/), and fastembed is loaded only
  // when a model of its is used.
  // pg asks for its native form only when told to.
  external: ['pg-native', 'sqlite-vec', 'fastembed', 'onnxruntime-node', '@anush008/tokenizers'],
  alias: {
    '@modelcontextprotocol/server/_shims': './src/mcp/shims.ts',
    // Its form for Node asks for its parts in a way that no bundler sees.
    'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
  },
  define,
  legalComments: 'none',
  // Stacks of bug reports can be read with them; lines that are not endless keep them small.
  sourcesContent: false,
  lineLimit: 500,
}

writeOperationLists()
rmSync('dist', { recursive: true, force: true })

// CommonJS packages inside the bundle ask for Node's own modules by `require`.
const banner = {
  js: "import{createRequire as $bundledRequire}from'node:module';const require=$bundledRequire(import.meta.url);",
}

let madeSchema

/** Made by the code itself, in a database in memory. */
function makeNewestSchema() {
  madeSchema ??= (async () => {
    // In a file, beside which the code finds SQLite.
    const outfile = 'dist/newest-schema.mjs'
    await build({
      ...shared,
      entryPoints: ['packaging/newest-schema.ts'],
      format: 'esm',
      banner,
      outfile,
    })
    const { entries } = await import(pathToFileURL(outfile))
    rmSync(outfile)
    return entries
  })()
  return madeSchema
}

const esModules = await build({
  ...shared,
  sourcemap: true,
  metafile: true,
  plugins: [precomputed, newestSchema],
  entryPoints: {
    library: 'src/library.ts',
    // A process of its own beside the daemon.
    'night-process': 'src/night-process.ts',
    // A process of its own, started by a chunk, the command's or the library's, from the directory all are in.
    'chunks/transformer-process': 'src/models/providers/transformer-process.js',
    // Threads, started in the same way.
    'chunks/embedding-thread': 'src/models/embedding-thread.ts',
    'chunks/reading-thread': 'src/models/reading-thread.ts',
  },
  outdir: 'dist',
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  banner,
})

// Splitting exists for ES modules alone, so the command is split as such and its chunks are turned into CommonJS.
const { outputFiles, metafile } = await build({
  ...shared,
  // On through what makes other files of these.
  sourcemap: 'inline',
  metafile: true,
  plugins: [builtins, precomputed, newestSchema, zodApart],
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  splitting: true,
  format: 'esm',
  chunkNames: 'chunks/[name]-[hash]',
  write: false,
})
requireLight('dist/main.cjs')
const chunks = new Map(outputFiles.map(({ path, text }) => [relative('.', path), text]))
const packed = await packChunks({
  outputs: metafile.outputs,
  chunks,
  external: shared.external,
  groups: [
    { file: 'dist/main.cjs', entries: ['src/main.ts'] },
    // What a hook needs until it knows that it has something to do.
    {
      file: 'dist/chunks/hooks.cjs',
      sharedIn: 'dist/main.cjs',
      entries: ['src/cli/commands/hook.ts', 'src/agents/hooks/dialect.ts', 'src/agents/idle.ts'],
    },
    // What most commands need besides, and the two that agents call most.
    {
      file: 'dist/chunks/brain.cjs',
      sharedIn: 'dist/main.cjs',
      entries: [
        'src/brain.ts',
        'src/models/neutral-notes.ts',
        'src/models/providers/builtin.ts',
        'src/models/builtin-model.ts',
        ...operationEntries.filter((path) => /\/(?:recall|remember)\.ts$/.test(path)),
      ],
    },
    // What a hook that has something to do needs besides.
    {
      file: 'dist/chunks/answers.cjs',
      entries: [
        'src/agents/answer.ts',
        'src/agents/git.ts',
        'src/models/pair-model.ts',
        'src/search/typos.ts',
        'src/search/word-list.ts',
      ],
    },
    { file: 'dist/chunks/operations.cjs', entries: operationEntries },
  ],
})
const hash = createHash('sha256')
for (const [path, { code, map }] of packed) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, code)
  writeFileSync(`${path}.map`, map)
  hash.update(code)
}
await build({
  ...shared,
  sourcemap: 'external',
  plugins: [builtins],
  entryPoints: { start: 'src/start.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  define: { ...define, BRAIN_BUILD: JSON.stringify(hash.digest('hex').slice(0, 16)) },
})

/** What the daemon serves to a browser: script and style under names that change with them, and the page that asks for them. */
const page = await build({
  bundle: true,
  minify: true,
  metafile: true,
  platform: 'browser',
  target: ['es2022', 'chrome109', 'firefox115', 'safari16.4'],
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  sourcemap: 'external',
  sourcesContent: false,
  entryPoints: { page: 'src/page/main.tsx' },
  entryNames: '[name]-[hash]',
  outdir: 'dist/page',
})
const served = Object.keys(page.metafile.outputs).map((path) => relative('dist/page', path))
writeFileSync(
  'dist/page/index.html',
  readFileSync('src/page/index.html', 'utf8')
    .replace(
      'page.js',
      served.find((name) => name.endsWith('.js')),
    )
    .replace(
      'page.css',
      served.find((name) => name.endsWith('.css')),
    ),
)

/** Every command loads this chunk and what it imports: schemas belong behind an `import()`. */
function requireLight(chunk) {
  const { inputs, imports } = metafile.outputs[chunk]
  const heavy = Object.keys(inputs).find((path) => /node_modules\/(zod|@clack)\//.test(path))
  if (heavy) throw new Error(`every command would load ${heavy}: import what needs it lazily`)
  for (const { path, kind } of imports)
    if (kind === 'import-statement' && metafile.outputs[path]) requireLight(path)
}

// What a command would spend on the model's files, spent here.
const preparation = await build({
  ...shared,
  entryPoints: ['packaging/model-files.ts'],
  format: 'esm',
  write: false,
})
const code = Buffer.from(preparation.outputFiles[0].contents).toString('base64')
const { makeIndexFile, makeModelFiles } = await import(`data:text/javascript;base64,${code}`)
await makeModelFiles('models/brain-encoder-v1')
makeIndexFile('models/brain-pair-v1')
makeIndexFile('models/brain-night-v1')

// Which packages' code is in dist/, for NOTICE.
const bundled = new Set()
for (const { outputs } of [esModules.metafile, metafile, page.metafile]) {
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[0]
      if (name !== undefined && bytesInOutput > 0) bundled.add(name.slice(name.indexOf('node_modules/')))
    }
  }
}
mkdirSync('.cache', { recursive: true })
writeFileSync('.cache/bundled.json', JSON.stringify([...bundled].sort()))
