/**
 * The door to the kernels: programs of WebAssembly SIMD over a memory that the caller lays out, each as typed
 * functions. Knows addresses and counts, and nothing of what the numbers mean. Sources: `assembly/`, compiled into
 * `programs.ts` by `packaging/kernels.js`. Only basic arithmetic, rounded according to IEEE 754, and no relaxed
 * instructions: the same numbers on every machine.
 */
import * as programs from './programs.ts'

/** Bytes of a page, the unit in which a memory grows. */
export const pageBytes = 65_536

const compiled = new Map<string, WebAssembly.Module>()

/** A program in base64, compiled once for all that use it. */
function compile(program: string): WebAssembly.Module {
  let module = compiled.get(program)
  if (module === undefined) {
    module = new WebAssembly.Module(Buffer.from(program, 'base64'))
    compiled.set(program, module)
  }
  return module
}

/** The functions of a program over one memory; the caller knows which. */
const instantiate = (program: string, memory: WebAssembly.Memory): WebAssembly.Instance['exports'] =>
  new WebAssembly.Instance(compile(program), { env: { memory } }).exports

/**
 * The steps of a BERT layer that is 384 wide and has 12 heads. Rows lie in blocks of four: block, component, then the
 * four rows' float32 side by side; rows that fill up the last block are whatever they are. Addresses are bytes.
 */
export interface TransformerKernel {
  /**
   * Writes the blocks of `rows` int8 rows at `words`, whose float32 scales are at `scales`, each with the vector of its
   * position added, int8 and a scale as well, and the float32 vector of its type: the first of `types` before the row
   * `boundary`, then the second.
   */
  gather(
    words: number,
    scales: number,
    positions: number,
    positionScales: number,
    types: number,
    boundary: number,
    rows: number,
    out: number,
  ): void
  /** Layer norm in place: mean 0 and variance 1 (plus 1e-12) of each row, times `gamma`, plus `beta`. */
  normalise(x: number, blocks: number, gamma: number, beta: number): void
  /**
   * Rows as int16 of twelve bits, eight components of each row of a block at a time, with a float32 scale each.
   * `components` is a multiple of 8, at most 1,536.
   */
  quantise(x: number, blocks: number, components: number, out: number, scales: number): void
  /**
   * Multiplies quantised rows with int8 weights, a row of `components` for each of `outputs` (an even number) and its
   * float32 scale and bias; writes blocks of `outputs` components, or adds them to what is there.
   */
  multiply(
    rows: number,
    rowScales: number,
    blocks: number,
    components: number,
    weights: number,
    scales: number,
    biases: number,
    outputs: number,
    out: number,
    add: boolean,
  ): void
  /** x · Φ(x) in place, of `count` float32, a multiple of 8; absolute error below 1e-6. */
  gelu(x: number, count: number): void
  /**
   * Attention of all heads over `rows` rows, and over `before` rows in front of them (0 of none) whose keys and values
   * are kept elsewhere; `out` may be `queries`. `scratch` has 1,088 bytes for each of `room` blocks of four rows, an
   * even number.
   */
  attend(
    queries: number,
    firstKeys: number,
    firstValues: number,
    before: number,
    keys: number,
    values: number,
    rows: number,
    out: number,
    scratch: number,
    room: number,
  ): void
  /** The mean of `rows` rows as one float32 a component. */
  mean(x: number, rows: number, out: number): void
}

/** The kernel over one memory. */
export const createTransformerKernel = (memory: WebAssembly.Memory): TransformerKernel =>
  // The program's functions are the interface's.
  instantiate(programs.transformer, memory) as unknown as TransformerKernel

/**
 * Compares word rows without their mean, over a memory laid out as `match-layout.ts` has it. Rows go by their numbers,
 * `dimension` is a multiple of 16.
 */
export interface WordMatchKernel {
  /** 1 over the length of a row without the mean; 0 for a row without meaning. */
  measure(number: number, dimension: number): number
  /** Puts the numbers of their rows in the place of `count` ids at hand; returns how many rows are not here. */
  number(count: number): number
  /**
   * Takes the rows of `count` ids, from the address `list` on, out of the window, which begins with the row of the id
   * `first`, and gives them the numbers from `next` on.
   */
  take(list: number, count: number, first: number, next: number, dimension: number): void
  /** Makes a row the matched piece of that index. */
  place(number: number, index: number, dimension: number): void
  /** Address of the cosines of a row with the matched pieces, which take `stride` bytes, 16 for every four. */
  find(number: number, stride: number, dimension: number): number
  /** Raises the best cosines at `out` by those of the first `count` rows at hand. */
  best(count: number, stride: number, dimension: number): void
}

/** The kernel over one memory. */
export const createWordMatchKernel = (memory: WebAssembly.Memory): WordMatchKernel =>
  // The program's functions are the interface's.
  instantiate(programs.wordMatch, memory) as unknown as WordMatchKernel

export * as matchLayout from './assembly/match-layout.ts'

/**
 * Compares the int16 vector at `query` with `count` adjacent int8 rows from `rows` on. A row's similarity is their
 * dot product times the row's own float32 from `scales` on; of each that is above `threshold` the place among the rows
 * (uint32) and the similarity (float32) are written to `out`, `matchBytes` each. Returns how many were written. All
 * addresses are bytes; `dimension` is a multiple of `scanStep`, and at most 4096 while the query keeps to `largestQuery`.
 */
export type ScanRows = (
  query: number,
  rows: number,
  count: number,
  dimension: number,
  scales: number,
  threshold: number,
  out: number,
) => number

/** Rows of vectors, compared and checked. */
export interface RowKernel {
  readonly scan: ScanRows
  /** Writes the signs of a row's components to `out`, a bit each: 1 where one is negative. */
  takeSigns(row: number, dimension: number, out: number): void
  /**
   * How many signs of each of `count` adjacent rows of them, a multiple of 4, differ from those at `query`: uint16, to
   * `out`. `bytes` is what the signs of a row take. Of every fourth row the uint32 in the place of that number from
   * `tally` on counts one more.
   */
  countDifferent(query: number, rows: number, count: number, bytes: number, out: number, tally: number): void
  /**
   * Writes those of `count` rows, a multiple of 8, for which `countDifferent` wrote at most `most` to `different`:
   * uint32, from `first` for the first row on, to `out`. Returns how many.
   */
  listNear(different: number, count: number, most: number, first: number, out: number): number
  /**
   * The similarities of `count` rows anywhere, float32 to `out`; the addresses of the rows and of their scales are
   * uint32 from `rows` and
   * `scales` on, up to a multiple of 4.
   */
  compareListed(
    query: number,
    rows: number,
    scales: number,
    count: number,
    dimension: number,
    out: number,
  ): void
  /**
   * The products of an int8 row with itself and with the int16 `probe`, int32 both, to `out`; addresses and `dimension`
   * as for a scan.
   */
  measure(row: number, probe: number, dimension: number, out: number): void
  /** Whether `checks`, float32, are what a scan gives for `count` adjacent rows and the int16 `probe`: 1 or 0. */
  areSound(probe: number, rows: number, count: number, dimension: number, checks: number): number
  /**
   * The products of `count` adjacent float32 vectors with the one at `vector`, as float64 to `out`; to the last digit
   * what a plain loop gives, which takes a cold command a millisecond for 20,000 components, and V8 another to
   * optimise.
   */
  multiplyFloats(vectors: number, count: number, vector: number, dimension: number, out: number): void
  /** FNV-1a over `count` 32-bit words from the address on, signed: `hashOf` in an eightieth of a cold command's time. */
  hash(words: number, count: number): number
  /** The same over 16-bit words. */
  hashShort(words: number, count: number): number
}

/** Components that one step of a scan takes. */
export const scanStep = 16
/** Largest component of a query: finer than a row's, and the products' sum still fits an int32. */
export const largestQuery = 4095
/** Bytes of one written match. */
export const matchBytes = 8

/** Bytes of a row of that many components, padded to whole steps. */
export const strideOf = (dimension: number): number => Math.ceil(dimension / scanStep) * scanStep

/** Bytes of the signs of so many components, padded to whole steps of sixteen bytes. */
export const signBytesOf = (dimension: number): number => 16 * Math.ceil(dimension / 128)

/** Writes a vector as the query of a scan; a similarity is what the scan gives times the number returned. */
export function writeQuery(vector: Float32Array, query: Int16Array): number {
  let largest = 0
  for (const component of vector) largest = Math.max(largest, Math.abs(component))
  const factor = largestQuery / (largest || 1)
  for (let at = 0; at < vector.length; at += 1) query[at] = Math.round((vector[at] ?? 0) * factor)
  return largest / largestQuery
}

/** The kernel over one memory. */
export const createRowKernel = (memory: WebAssembly.Memory): RowKernel =>
  // The program's functions are the interface's.
  instantiate(programs.rowScan, memory) as unknown as RowKernel
