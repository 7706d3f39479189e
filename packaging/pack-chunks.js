/**
 * Bundles chunks that are loaded together into one file, each still evaluated only when it is first needed: to find,
 * open and read a file costs a command more than the chunk in it. Knows chunks and their imports.
 */
import { basename, dirname, join, relative } from 'node:path'
import { build, transform } from 'esbuild'

/** The chunks that loading `path` loads. */
function closure(outputs, path, found = new Set()) {
  if (found.has(path) || outputs[path] === undefined) return found
  found.add(path)
  for (const { path: imported, kind } of outputs[path].imports) {
    if (kind === 'import-statement') closure(outputs, imported, found)
  }
  return found
}

/** All that loading a group's entries loads. */
function loadedBy(outputs, { entries }) {
  const found = new Set()
  for (const entry of entries) {
    const start = Object.keys(outputs).find((path) => outputs[path].entryPoint === entry)
    if (start === undefined) throw new Error(`${entry} is loaded by no import(): mend the groups in build.js`)
    closure(outputs, start, found)
  }
  return found
}

/** The file that each chunk goes to; those of no group keep files of their own. */
function assign(outputs, groups) {
  const loaded = groups.map((group) => loadedBy(outputs, group))
  const fileOf = new Map()
  for (const [at, { file, sharedIn }] of groups.entries()) {
    for (const path of loaded[at]) {
      if (fileOf.has(path)) continue
      const others = groups.some(
        (other, place) => place !== at && other.sharedIn === sharedIn && loaded[place].has(path),
      )
      fileOf.set(path, sharedIn !== undefined && others ? sharedIn : file)
    }
  }
  return fileOf
}

/** What requires a chunk from `file`. */
function requireFrom(file, target, fileOf) {
  const from = relative(dirname(file), fileOf.get(target) ?? target)
  const required = `require(${JSON.stringify(from.startsWith('.') ? from : `./${from}`)})`
  return fileOf.has(target) ? `${required}.$load(${JSON.stringify(basename(target))})` : required
}

const shared = {
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  define: { 'import.meta.url': '$meta.url', 'import.meta.dirname': '__dirname' },
  legalComments: 'none',
  sourcemap: 'external',
  sourcesContent: false,
  lineLimit: 500,
}
const banner = (text) =>
  text.includes('import.meta.url')
    ? 'const $meta={get url(){return require("node:url").pathToFileURL(__filename).href}};'
    : ''

async function bundleGroup(file, { chunks, fileOf, external }) {
  const own = [...chunks.keys()].filter((path) => fileOf.get(path) === file)
  const linked = {
    name: 'linked',
    setup(context) {
      context.onResolve({ filter: /^\.{1,2}\// }, ({ path, importer }) => {
        const target = importer === '' ? path.slice(2) : join(dirname(importer), path)
        return { path: target, namespace: fileOf.get(target) === file ? 'chunk' : 'foreign' }
      })
      context.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ contents: chunks.get(path) }))
      context.onLoad({ filter: /.*/, namespace: 'foreign' }, ({ path }) => ({
        contents: `module.exports = ${requireFrom(file, path, fileOf).replace('require(', '$require(')}`,
      }))
    },
  }
  const table = own.map((path) => `${JSON.stringify(basename(path))}: () => require('./${path}')`)
  const start = own.includes(file) ? `$load(${JSON.stringify(basename(file))})` : ''
  const { outputFiles } = await build({
    ...shared,
    stdin: {
      contents: `const chunks = {${table}}; export const $load = (name) => chunks[name]();${start}`,
      resolveDir: '.',
    },
    bundle: true,
    external,
    plugins: [linked],
    // Under a name that esbuild does not follow.
    banner: { js: `const $require=require;${banner(own.map((path) => chunks.get(path)).join(''))}` },
    outfile: file,
    write: false,
  })
  const [map, code] = outputFiles
  return { code: code.text, map: map.text }
}

/**
 * The files to write, by path. `outputs` are esbuild's, `chunks` the code of each as an ES module, and `groups` name a
 * file for the chunks that these entries load, first come first served; what several groups load goes where they say it
 * is `sharedIn`.
 */
export async function packChunks({ outputs, chunks, groups, external }) {
  const fileOf = assign(outputs, groups)
  const files = new Map()
  for (const [path, text] of chunks) {
    if (fileOf.has(path)) continue
    const options = { ...shared, supported: { 'dynamic-import': false }, banner: banner(text) }
    const { code, map } = await transform(text, options)
    const linked = code.replace(/require\("(\.{1,2}\/[^"]+)"\)/g, (_, name) =>
      requireFrom(path, join(dirname(path), name), fileOf),
    )
    files.set(path, { code: linked, map })
  }
  for (const { file } of groups) files.set(file, await bundleGroup(file, { chunks, fileOf, external }))
  return new Map(
    [...files].map(([path, { code, map }]) => [
      path,
      { code: wrap(withoutCopies(code, path)), map: moveDown(map, path) },
    ]),
  )
}

/** The map of a module that begins a line further down, its sources named from the project's root. */
function moveDown(text, path) {
  const { sources, mappings, ...map } = JSON.parse(text)
  const names = sources.map((source) => source.replace(/^.*?((?:src|node_modules)\/)/, '$1'))
  return JSON.stringify({
    ...map,
    file: basename(path),
    sourceRoot: relative(dirname(path), '.'),
    sources: names,
    mappings: `;${mappings}`,
  })
}

/** esbuild's helper that makes an ES module of what is required: of a copy of all members, unless told otherwise. */
const copying = /(?<=[, ])([\w$]+)=\(([\w$]+),([\w$]+),([\w$]+)\)=>(?=\(\4=\2!=null\?)/

/**
 * Code whose chunks take one another as they are: what is required may be no ES module, so esbuild copies each member
 * of a chunk for each other that imports any, some hundred times in a command. Ours are ES modules, as their
 * `__esModule` says.
 */
function withoutCopies(code, path) {
  const taken = code.replace(
    copying,
    (helper, _, module, inNode) => `${helper}${module}?.__esModule&&!${inNode}?${module}:`,
  )
  if (taken === code && code.includes('.__esModule?'))
    throw new Error(`${path}: esbuild copies what is imported in another way: mend packaging/pack-chunks.js`)
  return taken
}

/**
 * The code of a module that Node can require, and that `src/compile-cache.ts` takes as a function to call where there is no
 * module around it; in ASCII alone. What esbuild leaves of other characters stands in regular expressions, where an
 * escape means the same.
 */
function wrap(code) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  const given = 'exports,require,module,__filename,__dirname'
  return `(f=>typeof module=="object"?f(${given}):f)(function(${given}){\n${code.replace(/[^\0-\x7f]/g, escaped)}\n})`
}
