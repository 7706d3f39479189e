/** Directories that a test file leaves no trace of. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh directory, removed when the running test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'brain-test-'))
  // A browser that was told to end still writes for a moment.
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return directory
}
