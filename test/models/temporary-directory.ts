/** Directories that a test file leaves no trace of. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A fresh directory, removed when the running test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'brain-test-'))
  onTestFinished(async () => {
    // Promises, not rmSync: whoever still writes for a moment gets the time to end.
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  return directory
}
