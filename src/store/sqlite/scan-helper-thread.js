/**
 * A thread that scans some of a partition's rows while the main thread scans the others: `scan-helper.ts` says how the two
 * agree. It only reads rows, and allocates nothing once it has begun. JavaScript, because Node starts it from the file
 * as it is, from source as well.
 */
import { workerData } from 'node:worker_threads'

const { memory, module, layout, board } = workerData
const { blockRows, blockBytes, blocksAt, headBytes, stride, matchesAt, chunkRows } = layout
const { at, states, words, threshold, blocks, slots, scores } = board
const { scan } = new WebAssembly.Instance(module, { env: { memory } }).exports
const places = new Uint32Array(memory.buffer, matchesAt, 2 * blockRows)
const similarities = new Float32Array(memory.buffer, matchesAt, 2 * blockRows)

/** Writes what a block has from `found` on; returns where that ends. */
function scanBlock(block, rows, found) {
  const start = blocksAt + block * blockBytes
  const count = scan(0, start + headBytes, rows, stride, start, threshold[0], matchesAt)
  for (let match = 0; match < count; match += 1) {
    slots[found + match] = block * blockRows + places[2 * match]
    scores[found + match] = similarities[2 * match + 1]
  }
  return found + count
}

function scanChunks() {
  const rows = words[at.rows]
  let found = 0
  // With no room for another chunk's matches, the rest is the main thread's.
  for (let finished = 1; found + chunkRows <= slots.length; finished += 1) {
    const first = Atomics.add(words, at.next, 1) * chunkRows
    if (first >= rows) return
    const end = Math.min(rows, first + chunkRows)
    for (let row = first; row < end; row += blockRows) {
      found = scanBlock(blocks[row / blockRows], Math.min(blockRows, end - row), found)
    }
    words[at.ends + (finished % 2)] = found
    Atomics.store(words, at.finished, finished)
  }
}

for (;;) {
  Atomics.store(words, at.state, states.resting)
  // Woken too late, it finds itself dismissed.
  while (Atomics.compareExchange(words, at.state, states.invited, states.working) !== states.invited) {
    Atomics.wait(words, at.state, states.resting)
  }
  scanChunks()
}
