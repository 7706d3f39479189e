/** A WebAssembly memory as typed arrays, and made larger. Knows nothing of what is kept in it. */
import { pageBytes } from '../../simd/kernels.ts'

/** The memory as its parts are read and written; made anew when it grows. */
export interface Views {
  readonly bytes: Int8Array
  readonly shorts: Int16Array
  readonly ints: Uint32Array
  readonly floats: Float32Array
}

export const viewsOf = ({ buffer }: WebAssembly.Memory): Views => ({
  bytes: new Int8Array(buffer),
  shorts: new Int16Array(buffer),
  ints: new Uint32Array(buffer),
  floats: new Float32Array(buffer),
})

/** Whether a memory had to grow to have so many bytes. */
export function grow(memory: WebAssembly.Memory, needed: number): boolean {
  const missing = needed - memory.buffer.byteLength
  if (missing <= 0) return false
  // An eighth more than needed: each growth is a system call and detaches the views.
  memory.grow(Math.ceil((missing + needed / 8) / pageBytes))
  return true
}
