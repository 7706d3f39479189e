/**
 * Puts CommonJS chunks that are loaded together into one file, each still evaluated only when it is first required:
 * to find, open and read a file costs a command more than the chunk in it. Knows chunks and their imports.
 */
import { basename, dirname, join, relative } from 'node:path'

/** The chunks that loading `path` loads. */
function closure(outputs, path, found = new Set()) {
  if (found.has(path) || outputs[path] === undefined) return found
  found.add(path)
  for (const { path: imported, kind } of outputs[path].imports) {
    if (kind === 'import-statement') closure(outputs, imported, found)
  }
  return found
}

const call = /require\("(\.{1,2}\/[^"]+)"\)/g

/**
 * The files to write, by path. `outputs` are esbuild's, `chunks` the code of each, and `groups` name a file for the
 * chunks that these entries load, first come first served; the rest keep files of their own.
 */
export function packChunks({ outputs, chunks, groups }) {
  const fileOf = new Map()
  for (const { file, entries } of groups) {
    for (const entry of entries) {
      const start = Object.keys(outputs).find((path) => outputs[path].entryPoint === entry)
      if (start === undefined)
        throw new Error(`${entry} is loaded by no import(): mend the groups in build.js`)
      for (const path of closure(outputs, start)) if (!fileOf.has(path)) fileOf.set(path, file)
    }
  }
  const linked = (path) =>
    chunks.get(path).replace(call, (whole, name) => {
      const target = join(dirname(path), name)
      const own = fileOf.get(path) ?? path
      const file = fileOf.get(target)
      if (file === undefined && own === path) return whole
      const from = relative(dirname(own), file ?? target)
      const required = `require(${JSON.stringify(from.startsWith('.') ? from : `./${from}`)})`
      if (file === undefined) return required
      return `${file === own ? '$load' : `${required}.$load`}(${JSON.stringify(basename(target))})`
    })
  const files = new Map()
  for (const path of chunks.keys()) if (!fileOf.has(path)) files.set(path, linked(path))
  for (const { file } of groups) {
    const own = [...chunks.keys()].filter((path) => fileOf.get(path) === file)
    const table = own.map(
      (path) => `${JSON.stringify(basename(path))}:function(module,exports,require){${linked(path)}}`,
    )
    const load =
      'const $loaded={};function $load(name){let module=$loaded[name];if(module===undefined){module=$loaded[name]={exports:{}};$chunks[name](module,module.exports,require)}return module.exports}'
    const start = own.includes(file) ? `$load(${JSON.stringify(basename(file))})` : ''
    files.set(file, `${load}\nconst $chunks={${table.join(',\n')}};exports.$load=$load;${start}`)
  }
  return files
}
