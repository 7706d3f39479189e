/**
 * Compiles the AssemblyScript of src/simd/assembly into `src/simd/programs.ts`: WebAssembly in base64, the same bytes each time.
 * The file is kept with the sources, so that whatever runs from source needs no step before; with
 * `--check` the two are only compared, as a test does.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { main } from 'assemblyscript/asc'

const root = fileURLToPath(new URL('..', import.meta.url))
const directory = join(root, 'src', 'simd', 'assembly')
const file = join(root, 'src', 'simd', 'programs.ts')

/** Their sources. */
const programs = ['transformer', 'word-match', 'row-scan']

async function compile(source) {
  let bytes
  const { error, stderr } = await main(
    [
      source,
      ...['--outFile', 'program.wasm', '-O3', '--noAssert', '--runtime', 'stub', '--disableWarning', '201'],
      ...['--importMemory', '--noExportMemory', '--enable', 'simd'],
    ],
    {
      readFile: (name) => {
        try {
          return readFileSync(join(directory, basename(name)), 'utf8')
        } catch {
          return null
        }
      },
      writeFile: (_, content) => {
        bytes = content
      },
    },
  )
  if (error || bytes === undefined) throw new Error(`${source}: ${error?.message}\n${stderr}`)
  return Buffer.from(bytes).toString('base64')
}

/** The content of `programs.ts`. */
async function compilePrograms() {
  const lines = ['/** Made by `npm run kernels` of the sources in `assembly/`. */']
  for (const name of programs) {
    const constant = name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
    lines.push(`export const ${constant} =`, `  '${await compile(`${name}.ts`)}'`)
  }
  return `${lines.join('\n')}\n`
}

const content = await compilePrograms()
if (!process.argv.includes('--check')) writeFileSync(file, content)
else if (readFileSync(file, 'utf8') !== content) {
  throw new Error('src/simd/programs.ts is not what its sources compile to: run npm run kernels')
}
