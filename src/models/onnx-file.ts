/**
 * Where the named tensors of an ONNX file lie. Reads the few bytes of protobuf around them and never the
 * tensors themselves; knows no operator and runs nothing.
 * The field numbers are those of `onnx.proto`: ModelProto, GraphProto, TensorProto.
 */
import { fstatSync, readSync } from 'node:fs'
import { BrainError } from '../core/errors.ts'

/** A tensor's raw bytes within the file, and how to read them. */
export interface StoredTensor {
  readonly name: string
  readonly type: 'float32' | 'int8' | 'other'
  readonly dimensions: readonly number[]
  readonly offset: number
  readonly length: number
}

const field = { graph: 7, initializer: 5, dims: 1, type: 2, name: 8, rawData: 9 } as const
const tensorTypes: Readonly<Record<number, StoredTensor['type']>> = { 1: 'float32', 3: 'int8' }
const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

const damaged = (what: string): never => {
  throw new BrainError('failed', `not an ONNX file or a damaged one (${what})`)
}

/** Reads forwards through a file by small windows; skipping costs nothing. */
class Cursor {
  readonly #descriptor: number
  readonly size: number
  readonly #window = Buffer.alloc(4096)
  #start = 0
  #filled = 0
  position = 0

  constructor(descriptor: number) {
    this.#descriptor = descriptor
    this.size = fstatSync(descriptor).size
  }

  /** Where in the window the next bytes are. */
  #reach(bytes: number): number {
    if (this.position < this.#start || this.position + bytes > this.#start + this.#filled) {
      this.#start = this.position
      this.#filled = readSync(this.#descriptor, this.#window, 0, this.#window.length, this.position)
      if (this.#filled < bytes) damaged('it ends too early')
    }
    return this.position - this.#start
  }

  byte(): number {
    const at = this.#reach(1)
    this.position += 1
    return this.#window[at] ?? 0
  }

  varint(): number {
    let value = 0
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = this.byte()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    return damaged('a number without end')
  }

  /** The end of the length-delimited field that starts here; never beyond `limit`. */
  extent(limit: number): number {
    const end = this.varint() + this.position
    return end <= limit ? end : damaged('a field reaches beyond its end')
  }

  text(end: number): string {
    const length = end - this.position
    if (length > this.#window.length) damaged('a name without end')
    const at = this.#reach(length)
    this.position = end
    return this.#window.toString('utf8', at, at + length)
  }

  skip(type: number, limit: number): void {
    if (type === wire.varint) this.varint()
    else if (type === wire.bytes) this.position = this.extent(limit)
    else if (type === wire.fixed32) this.position += 4
    else if (type === wire.fixed64) this.position += 8
    else damaged('an unknown kind of field')
    if (this.position > limit) damaged('it ends too early')
  }
}

/** Calls `visit` for each field up to `end`; a field that it leaves unread is skipped. */
function eachField(cursor: Cursor, end: number, visit: (number: number, type: number) => boolean): void {
  while (cursor.position < end) {
    const tag = cursor.varint()
    const type = tag & 7
    if (!visit(Math.floor(tag / 8), type)) cursor.skip(type, end)
  }
}

function readTensor(cursor: Cursor, end: number): StoredTensor {
  const dimensions: number[] = []
  const found = { name: '', type: 0, offset: 0, length: 0 }
  eachField(cursor, end, (number, type) => {
    if (number === field.dims && type === wire.varint) dimensions.push(cursor.varint())
    else if (number === field.dims && type === wire.bytes) {
      const last = cursor.extent(end)
      while (cursor.position < last) dimensions.push(cursor.varint())
    } else if (number === field.type && type === wire.varint) found.type = cursor.varint()
    else if (number === field.name && type === wire.bytes) found.name = cursor.text(cursor.extent(end))
    else if (number === field.rawData && type === wire.bytes) {
      const last = cursor.extent(end)
      found.offset = cursor.position
      found.length = last - cursor.position
      cursor.position = last
    } else return false
    return true
  })
  return { ...found, dimensions, type: tensorTypes[found.type] ?? 'other' }
}

/**
 * The initializers of the ONNX model behind an open file descriptor.
 * @throws BrainError `failed` when the bytes are no ONNX model or end too early.
 */
export function findTensors(descriptor: number): StoredTensor[] {
  const cursor = new Cursor(descriptor)
  const tensors: StoredTensor[] = []
  eachField(cursor, cursor.size, (number, type) => {
    if (number !== field.graph || type !== wire.bytes) return false
    const graphEnd = cursor.extent(cursor.size)
    eachField(cursor, graphEnd, (inner, innerType) => {
      if (inner !== field.initializer || innerType !== wire.bytes) return false
      tensors.push(readTensor(cursor, cursor.extent(graphEnd)))
      return true
    })
    return true
  })
  return tensors
}
