/**
 * A thread that reads notes by themselves, ahead of the night that wants to know what they do: `reading-ahead.ts` says which.
 * It has the models for itself and gives the same numbers.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openBuiltinModel } from './builtin-model.ts'
import { openNightModel } from './night-model.ts'
import type { NoteToRead } from './reading-ahead.ts'

const model = openNightModel(openBuiltinModel())
for (const { text, vector } of workerData as readonly NoteToRead[])
  parentPort?.postMessage({ text, roles: model.rolesOf(text, vector) })
