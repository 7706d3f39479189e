/**
 * A thread that turns word pieces into vectors while the event loop stays free: `embedding-threads.ts` defines its
 * messages. It has the model's layers and rows for itself, so that it shares nothing and gives the same bytes.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { ModelFile } from './model-file.ts'
import { PieceEncoder } from './piece-encoder.ts'
import { WordTable } from './word-table.ts'

const file = new ModelFile(String(workerData))
const encoder = new PieceEncoder(file, new WordTable(file))

parentPort?.on('message', (texts: readonly Uint16Array[]) => {
  parentPort?.postMessage(texts.map((framed) => encoder.embed(framed)))
})
