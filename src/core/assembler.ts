/**
 * As much of WebAssembly's binary format as our kernels need: instructions by their names, and a module of
 * functions over one imported memory. Knows bytes; what a kernel computes is its own matter.
 * Numbers and layout are those of the WebAssembly core specification, version 2, and its threads proposal.
 */
import { mostPages } from './kernel.ts'

/** Instructions in their binary form, or groups of them. */
export type Code = number | readonly Code[]

function append(bytes: number[], code: Code): void {
  if (typeof code === 'number') bytes.push(code)
  else for (const part of code) append(bytes, part)
}

/** LEB128: seven bits a byte, low bits first. */
function unsigned(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  return [...bytes, rest]
}

function signed(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  // The last byte's second highest bit is the sign.
  while (rest < -0x40 || rest > 0x3f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>= 7
  }
  return [...bytes, rest & 0x7f]
}

const simd = (number: number): number[] => [0xfd, ...unsigned(number)]
const empty = 0x40
const end = 0x0b

export const get = (local: number): Code => [0x20, local]
export const set = (local: number): Code => [0x21, local]
export const tee = (local: number): Code => [0x22, local]
export const call = (index: number): Code => [0x10, index]
/** Repeats while the code ends with `again`. */
export const loop = (...code: Code[]): Code => [0x03, empty, code, end]
export const block = (...code: Code[]): Code => [0x02, empty, code, end]
export const when = (...code: Code[]): Code => [0x04, empty, code, end]
/** Leaves a block, or goes on with a loop, that many levels out. */
export const branch = (level: number): Code => [0x0c, level]
export const branchIf = (level: number): Code => [0x0d, level]

export const i32 = {
  constant: (value: number): Code => [0x41, ...signed(value)],
  load: (offset = 0): Code => [0x28, 2, ...unsigned(offset)],
  load16: (offset = 0): Code => [0x2f, 1, ...unsigned(offset)],
  store: (offset = 0): Code => [0x36, 2, ...unsigned(offset)],
  store16: (offset = 0): Code => [0x3b, 1, ...unsigned(offset)],
  isZero: 0x45,
  less: 0x49,
  and: 0x71,
  add: 0x6a,
  subtract: 0x6b,
  multiply: 0x6c,
  shiftRight: 0x76,
} as const

export const f32 = {
  constant: (value: number): Code => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)],
  load: (offset = 0): Code => [0x2a, 2, ...unsigned(offset)],
  store: (offset = 0): Code => [0x38, 2, ...unsigned(offset)],
  isEqual: 0x5b,
  greater: 0x5e,
  root: 0x91,
  multiply: 0x94,
  divide: 0x95,
  most: 0x97,
  fromInt: 0xb2,
  add: 0x92,
} as const

/** Vectors of 128 bits; loads and stores need no alignment. */
export const v128 = {
  load: (offset = 0): Code => [...simd(0x00), 0, ...unsigned(offset)],
  store: (offset = 0): Code => [...simd(0x0b), 0, ...unsigned(offset)],
  zero: [...simd(0x0c), ...new Array<number>(16).fill(0)],
  /** Bytes of two vectors in any order: 0..15 of the first, 16..31 of the second. */
  shuffle: (bytes: readonly number[]): Code => [...simd(0x0d), ...bytes],
  widenLowBytes: simd(0x87),
  widenHighBytes: simd(0x88),
  /** Products of int16 pairs, added two by two to int32. */
  dotShorts: simd(0xba),
  addInts: simd(0xae),
  intLane: (lane: number): Code => [...simd(0x1b), lane],
  mostFloats: simd(0xe9),
  leastFloats: simd(0xe8),
  absoluteFloats: simd(0xe0),
  nearestFloats: simd(0x6a),
  /** To int32, towards zero; what does not fit becomes the nearest that does. */
  truncateFloats: simd(0xf8),
  /** Two vectors of int32 to one of int16, then two of int16 to one of int8. */
  narrowInts: simd(0x85),
  narrowShorts: simd(0x65),
  /** Eight bytes, widened to int16. */
  loadWidened: (offset = 0): Code => [...simd(0x01), 0, ...unsigned(offset)],
  widenLowShorts: simd(0xa7),
  widenHighShorts: simd(0xa8),
  floats: simd(0xfa),
  greaterFloats: simd(0x44),
  /** A bit a lane of int32, set where it is below 0, as those of a comparison that holds are. */
  intMask: simd(0xa4),
  spreadFloat: simd(0x13),
  floatLane: (lane: number): Code => [...simd(0x1f), lane],
  addFloats: simd(0xe4),
  multiplyFloats: simd(0xe6),
} as const

const types = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const
type ValueType = keyof typeof types

export interface KernelFunction {
  readonly name: string
  readonly parameters: readonly ValueType[]
  readonly result?: ValueType
  /** Numbered after the parameters. */
  readonly locals: readonly ValueType[]
  readonly body: Code
}

const named = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)]
const vector = (items: readonly number[][]): number[] => [...unsigned(items.length), ...items.flat()]
const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...unsigned(content.length),
  ...content,
]

function writeBody({ locals, body }: KernelFunction): number[] {
  const code = vector(locals.map((type) => [1, types[type]]))
  append(code, body)
  code.push(end)
  return [...unsigned(code.length), ...code]
}

/** As little memory as any; one that threads share has to say how much it may become. */
const limits = { own: [0x00, 1], shared: [0x03, 1, ...unsigned(mostPages)] } as const

/**
 * A module, in base64, that exports the functions, which call each other by their places, over the memory
 * `host.memory`: this thread's own, or one that threads share.
 */
export function assemble(functions: readonly KernelFunction[], memory: keyof typeof limits = 'own'): string {
  const signatures = functions.map(({ parameters, result }) => [
    0x60,
    ...vector(parameters.map((type) => [types[type]])),
    ...vector(result ? [[types[result]]] : []),
  ])
  const bytes = [
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector(signatures)),
    ...section(2, [1, ...named('host'), ...named('memory'), 0x02, ...limits[memory]]),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(7, vector(functions.map(({ name }, index) => [...named(name), 0x00, ...unsigned(index)]))),
    ...section(10, vector(functions.map(writeBody))),
  ]
  return Buffer.from(bytes).toString('base64')
}
