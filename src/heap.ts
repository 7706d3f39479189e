/** Limits the growth of V8's heap where that matters. Knows V8's flags. */
import { setFlagsFromString } from 'node:v8'

/**
 * By how many percent the heap may outgrow what lives in it before it is cleared. V8 alone lets one that fills fast grow
 * several times over: 640 MB instead of 390 for a night over 100,000 notes, and no sooner done.
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

let held = false

/**
 * From now on gives what is new no more room than it has: V8 doubles it again and again in a process that makes much
 * garbage, up to 32 MB, for ever. To be done again when a thread has started: V8 then forgets it.
 */
export function holdYoungHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  if (held) return
  held = true
  // Before the bytecode is kept, which is taken under the same flags alone.
  process.prependListener('exit', () => setFlagsFromString('--semi-space-growth-factor=2'))
}
