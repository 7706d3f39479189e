/** Limits the growth of V8's heap where that matters. Knows V8's flags. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * By how many percent the heap may outgrow what lives in it before it is cleared. V8 alone lets one that fills fast grow
 * several times over: 640 MB instead of 390 for a night over 100,000 notes, and no sooner done.
 */
export const heapGrowth = 40

/** V8's own values of the flags that are set here. */
const usual = { 'heap-growing-percent': 0, 'semi-space-growth-factor': 2 }
type Flag = keyof typeof usual

/** Those that are set otherwise. */
const own = new Map<Flag, number>()

const set = (flag: Flag, value: number): void => setFlagsFromString(`--${flag}=${value}`)

/**
 * Does `work` under V8's usual flags: bytecode is taken and kept under the same flags alone. `compile-cache.ts`, which
 * is bundled apart, finds this here.
 */
function withUsualFlags<T>(work: () => T): T {
  for (const flag of own.keys()) set(flag, usual[flag])
  try {
    return work()
  } finally {
    for (const [flag, value] of own) set(flag, value)
  }
}
Object.assign(globalThis, { [Symbol.for('brain.usualFlags')]: withUsualFlags })

/** Does `work` with the heap held small, in a process that would otherwise let it grow. */
export async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  hold('heap-growing-percent', heapGrowth)
  try {
    return await work()
  } finally {
    own.delete('heap-growing-percent')
    set('heap-growing-percent', usual['heap-growing-percent'])
  }
}

function hold(flag: Flag, value: number): void {
  set(flag, value)
  // Node itself keeps bytecode as the process ends.
  if (!own.has(flag)) process.prependListener('exit', () => set(flag, usual[flag]))
  own.set(flag, value)
}

/**
 * From now on gives what is new no more room than it has: V8 doubles it again and again in a process that makes much
 * garbage, up to 32 MB, for ever. To be done again when a thread has started: V8 then forgets it.
 */
export const holdYoungHeap = (): void => hold('semi-space-growth-factor', 1)

/** Milliseconds after which a process that lives has loaded most of what it needs. */
const loaded = 3_000

/**
 * Holds the whole heap of a process that lives for days and has no more to do with it than to answer. V8 lets what is
 * old become several times what lives in it until it is cleared for the first time, and afterwards, too, while that
 * goes fast; the process never gives it back.
 */
export function holdHeap(): void {
  if (own.has('semi-space-growth-factor')) return
  holdYoungHeap()
  setTimeout(() => {
    hold('heap-growing-percent', heapGrowth)
    setFlagsFromString('--expose-gc')
    const clear = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
    clear()
  }, loaded).unref()
}
