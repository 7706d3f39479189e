/**
 * Many dot products of int8 vectors at once, by a few instructions of WebAssembly SIMD: sixteen components a
 * step, at the speed of memory. Knows where rows lie in a memory and nothing of what they mean.
 */

/** Writes `count` int32 dot products to `out`: those of `row` with the `count` adjacent rows from `rows` on. */
export type DotProducts = (row: number, rows: number, count: number, dimension: number, out: number) => void

/** Components that one step takes: the dimension must be a multiple of it. */
export const dotProductStep = 16

// Parameters: 0 row, 1 rows, 2 count, 3 dimension, 4 out. Locals: 5 end of row, 6 place in row, 7 sums, 8 and 9 operands.
const body = [
  [0x02, 0x02, 0x7f, 0x03, 0x7b], // two groups of locals: 2 x i32, 3 x v128
  [0x02, 0x40, 0x03, 0x40], // block, loop: a row
  [0x20, 0x02, 0x45, 0x0d, 0x01], // none left: leave the block
  [0x20, 0x00, 0x21, 0x06], // place = row
  [0x20, 0x00, 0x20, 0x03, 0x6a, 0x21, 0x05], // end = row + dimension
  [0xfd, 0x0c, ...new Array<number>(16).fill(0), 0x21, 0x07], // sums = 0
  [0x03, 0x40], // loop: sixteen components
  [0x20, 0x07],
  [0x20, 0x06, 0xfd, 0x00, 0x00, 0x00, 0x22, 0x08, 0xfd, 0x87, 0x01], // load, keep, widen the low half to int16
  [0x20, 0x01, 0xfd, 0x00, 0x00, 0x00, 0x22, 0x09, 0xfd, 0x87, 0x01],
  [0xfd, 0xba, 0x01, 0xfd, 0xae, 0x01], // multiply, add pairs, add to the sums
  [0x20, 0x08, 0xfd, 0x88, 0x01, 0x20, 0x09, 0xfd, 0x88, 0x01], // the high halves
  [0xfd, 0xba, 0x01, 0xfd, 0xae, 0x01, 0x21, 0x07],
  [0x20, 0x01, 0x41, 0x10, 0x6a, 0x21, 0x01], // rows += 16
  [0x20, 0x06, 0x41, 0x10, 0x6a, 0x22, 0x06, 0x20, 0x05, 0x49, 0x0d, 0x00, 0x0b], // place += 16; again if place < end
  [0x20, 0x04], // store the four sums' sum
  [0x20, 0x07, 0xfd, 0x1b, 0x00, 0x20, 0x07, 0xfd, 0x1b, 0x01, 0x6a],
  [0x20, 0x07, 0xfd, 0x1b, 0x02, 0x6a, 0x20, 0x07, 0xfd, 0x1b, 0x03, 0x6a],
  [0x36, 0x02, 0x00],
  [0x20, 0x04, 0x41, 0x04, 0x6a, 0x21, 0x04], // out += 4
  [0x20, 0x02, 0x41, 0x01, 0x6b, 0x21, 0x02], // count -= 1
  [0x0c, 0x00, 0x0b, 0x0b, 0x0b], // next row; ends of loop, block, function
].flat()

const name = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)]

// Lengths are LEB128: seven bits a byte, low bits first.
const length = (bytes: readonly number[]): number[] =>
  bytes.length < 0x80 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7]

const section = (id: number, content: readonly number[]): number[] => [id, ...length(content), ...content]

const binary = () =>
  new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0]),
    ...section(2, [1, ...name('host'), ...name('memory'), 0x02, 0x00, 0x01]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('dots'), 0x00, 0]),
    ...section(10, [1, ...length(body), ...body]),
  ])

let compiled: WebAssembly.Module | undefined

/** The kernel over one memory; addresses are bytes into it, `out` a multiple of 4. */
export function createDotProducts(memory: WebAssembly.Memory): DotProducts {
  compiled ??= new WebAssembly.Module(binary())
  const instance = new WebAssembly.Instance(compiled, { host: { memory } })
  // The module is the one above: it exports this function and nothing else.
  return instance.exports.dots as DotProducts
}
