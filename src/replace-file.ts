/** Puts a file in the place of another, whole or not at all. Knows only that. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'

interface Replacing {
  /** Its owner's alone unless said otherwise. */
  readonly mode?: number
  /** Whether it is on the disk before it has its name. */
  readonly flush?: boolean
}

/** Writes `content` beside `path` and gives it that name. @throws the system's error, with nothing left behind. */
export function replaceFile(
  path: string,
  content: string,
  { mode = 0o600, flush = false }: Replacing = {},
): void {
  const draft = `${path}.brain-${process.pid}`
  try {
    // What a process of our number left, or a repository brought.
    rmSync(draft, { force: true })
    writeFileSync(draft, content, { mode, flag: 'wx', flush })
    renameSync(draft, path)
  } finally {
    // Gone when it has its name; where it never was, a path that leads nowhere is no second fault.
    if (existsSync(draft)) rmSync(draft, { force: true })
  }
}
