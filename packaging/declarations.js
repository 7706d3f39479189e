/**
 * Emits the declarations a TypeScript user of the library reads: library.d.ts and the files it reaches, with
 * imports that every module resolution follows. The other modules' declarations are the program's own business.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

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
  ship('library.d.ts', { from, to, shipped: new Set() })
} finally {
  rmSync(from, { recursive: true, force: true })
}
