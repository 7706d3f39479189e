/** How far V8's heap may grow where that matters. Knows V8's flags; nothing of what is done meanwhile. */
import { setFlagsFromString } from 'node:v8'

/**
 * By how many percent the heap may outgrow what lives in it before it is cleared. V8 alone lets one that fills fast grow
 * several times over: 640 MB instead of 390 for a night over 100,000 notes, and no sooner done.
 */
export const heapGrowth = 40

/** Sets a flag while `work` runs, and back: bytecode that is kept for the next start is taken under the same flags alone. */
async function withFlag<T>(
  flag: { name: string; value: number; usual: number },
  work: () => Promise<T>,
): Promise<T> {
  setFlagsFromString(`--${flag.name}=${flag.value}`)
  try {
    return await work()
  } finally {
    setFlagsFromString(`--${flag.name}=${flag.usual}`)
  }
}

/** Does `work` with the heap held small, in a process that would otherwise let it grow. */
export const withSmallHeap = <T>(work: () => Promise<T>): Promise<T> =>
  withFlag({ name: 'heap-growing-percent', value: heapGrowth, usual: 0 }, work)

/**
 * Does `work` without giving more room to what is new: V8 doubles it again and again for work that makes much garbage,
 * up to 32 MB, and a daemon would keep that for ever.
 */
export const withYoungHeapHeld = <T>(work: () => Promise<T>): Promise<T> =>
  withFlag({ name: 'semi-space-growth-factor', value: 1, usual: 2 }, work)
