/** Builds dist/ once before the tests that spawn the command, when it is older than what it is made of. */
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const modified = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

export default function setup(): void {
  const built = Math.min(modified('dist/main.cjs'), modified('dist/types/library.d.ts'))
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => join('src', file))
  if (built > 0 && ['build.js', 'package.json', ...sources].every((file) => modified(file) <= built)) return
  execFileSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
}
