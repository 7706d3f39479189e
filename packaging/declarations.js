/**
 * Emits the declarations a TypeScript user of the library reads: library.d.ts and the files it reaches, with
 * imports that every module resolution follows. The library's methods are written out, which the code computes. The other
 * modules' declarations are the program's own business.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { importSource } from './import-source.js'

const importOf = /((?:from|import\() ?["'])(\.[^"']+)\.ts(["'])/g

/** Copies one declaration file and, through its relative imports, all it needs. */
function ship(file, { from, to, shipped }) {
  if (shipped.has(file)) return
  shipped.add(file)
  const text = readFileSync(join(from, file), 'utf8')
  mkdirSync(dirname(join(to, file)), { recursive: true })
  writeFileSync(join(to, file), text.replace(importOf, '$1$2.js$3'))
  for (const [, , path] of text.matchAll(importOf)) {
    ship(join(dirname(file), `${path}.d.ts`), { from, to, shipped })
  }
}

const { renderLibraryTypes } = await importSource('declarations', 'library-types.ts')
mkdirSync(join('.cache', 'types'), { recursive: true })
writeFileSync(join('.cache', 'types', 'library-methods.ts'), renderLibraryTypes())
// Compiles only where what is written out is what the operations define.
writeFileSync(
  join('.cache', 'types', 'same-methods.ts'),
  `import type { Methods as Computed } from '../../src/library-methods.ts'
import type { Methods } from './library-methods.ts'
export const same = (methods: Computed): Methods => methods
`,
)

const from = mkdtempSync(join(tmpdir(), 'brain-declarations-'))
try {
  execFileSync(
    process.execPath,
    [
      join('node_modules', 'typescript', 'bin', 'tsc'),
      ...['-p', join('packaging', 'tsconfig.json'), '--outDir', from],
    ],
    { stdio: 'inherit' },
  )
  const to = join('dist', 'types')
  rmSync(to, { recursive: true, force: true })
  copyFileSync(join(from, '.cache/types/library-methods.d.ts'), join(from, 'src/library-methods.d.ts'))
  ship('library.d.ts', { from: join(from, 'src'), to, shipped: new Set() })
} finally {
  rmSync(from, { recursive: true, force: true })
}
