/** How much garbage a night may leave lying about. Knows V8's flags; nothing of what is thought. */
import { setFlagsFromString } from 'node:v8'

/**
 * By how many percent the heap may outgrow what lives in it before it is cleared. V8 alone lets one that fills fast grow
 * several times over: 640 MB instead of 390 for 100,000 notes, and no sooner done.
 */
export const heapGrowth = 40

/** Does `work` with the heap held small, in a process that would otherwise let it grow. */
export async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`)
  try {
    return await work()
  } finally {
    // As it was: bytecode that is kept for the next start is taken under the same flags alone.
    setFlagsFromString('--heap-growing-percent=0')
  }
}
