import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openBuiltinModel } from '../../src/models/builtin-model.ts'
import { openNightModel } from '../../src/models/night-model.ts'
import { type NoteToRead, readAhead } from '../../src/models/reading-ahead.ts'
import { bundle } from '../faults/bundle.ts'
import { temporaryDirectory } from './temporary-directory.ts'

function open(notes: readonly NoteToRead[], program: string) {
  const ahead = readAhead(notes, program)
  onTestFinished(async () => {
    await ahead.close()
  })
  return ahead
}

describe('notes read ahead', () => {
  test('are told as this thread tells them, with a vector and without one', async () => {
    const encoder = openBuiltinModel()
    const model = openNightModel(encoder)
    const notes = ['Nobody deploys on a Friday.', 'Deployed at four this Friday.'].map((text, at) => ({
      text,
      vector: at === 0 ? encoder.embed(text) : undefined,
    }))
    const ahead = open(notes, await bundle('src/models/reading-thread.ts'))
    for (const { text, vector } of notes) {
      await vi.waitUntil(() => ahead.rolesOf(text), { timeout: 30_000 })
      expect(ahead.rolesOf(text)).toEqual(model.rolesOf(text, vector))
    }
    expect(ahead.rolesOf('Never asked for.')).toBeUndefined()
  })

  test('are told by nobody where the thread cannot start, or fails', async () => {
    const broken = join(temporaryDirectory(), 'broken.mjs')
    writeFileSync(broken, 'throw new Error("broken")')
    for (const program of ['/does/not/exist.js', broken]) {
      const ahead = open([{ text: 'One.', vector: undefined }], program)
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(ahead.rolesOf('One.')).toBeUndefined()
    }
  })
})
