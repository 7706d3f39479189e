/**
 * An ONNX file open for reading its named tensors. Knows shapes and bytes; what the tensors are for, and the graph
 * between them, is the readers' concern.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { BrainError } from '../core/errors.ts'
import { findTensors, type StoredTensor } from './onnx-file.ts'

const elementBytes = { int8: 1, float32: 4 } as const

const refuse = (why: string): never => {
  throw new BrainError('failed', why)
}

export class ModelFile {
  readonly #descriptor: number
  readonly #tensors: ReadonlyMap<string, StoredTensor>
  #closed = false

  /** Looks for the tensors where they are not `known`. @throws BrainError `failed` when the file is missing or no ONNX file. */
  constructor(file: string, known?: readonly StoredTensor[]) {
    try {
      this.#descriptor = openSync(file, 'r')
    } catch (error) {
      throw new BrainError('failed', 'it cannot be opened', { cause: error })
    }
    try {
      this.#tensors = new Map((known ?? findTensors(this.#descriptor)).map((tensor) => [tensor.name, tensor]))
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  /** Bytes of the file. */
  get size(): number {
    return fstatSync(this.#descriptor).size
  }

  /** All of them. */
  get tensors(): readonly StoredTensor[] {
    return [...this.#tensors.values()]
  }

  has(name: string): boolean {
    return this.#tensors.has(name)
  }

  /**
   * The tensor of that name; `shape` has 0 where any extent will do.
   * @throws BrainError `failed` when it is missing or of another type or shape.
   */
  tensor(name: string, type: keyof typeof elementBytes, shape: readonly number[]): StoredTensor {
    const tensor = this.#tensors.get(name) ?? refuse(`it has no tensor named ${name}`)
    const { dimensions, length } = tensor
    const elements = dimensions.reduce((product, extent) => product * extent, 1)
    const fits =
      tensor.type === type &&
      dimensions.length === shape.length &&
      shape.every((extent, at) => extent === 0 || extent === dimensions[at]) &&
      length === elements * elementBytes[type]
    if (!fits) {
      const wanted = `${type} [${shape.map((extent) => extent || 'any').join(', ')}]`
      refuse(`its ${name} is ${tensor.type} [${dimensions.join(', ')}] in ${length} bytes, not ${wanted}`)
    }
    return tensor
  }

  /** All bytes of a tensor of whatever type. @throws BrainError `failed` when there is none. */
  bytes(name: string): Uint8Array {
    const { offset, length } = this.#tensors.get(name) ?? refuse(`it has no tensor named ${name}`)
    const bytes = new Uint8Array(length)
    this.read(bytes, offset)
    return bytes
  }

  /** Fills `target` with the file's bytes from `offset` on. @throws BrainError `failed` when it ends too early or is closed. */
  read(target: Uint8Array, offset: number): void {
    if (this.#closed) refuse('it is already closed')
    let done = 0
    while (done < target.length) {
      const read = readSync(this.#descriptor, target, done, target.length - done, offset + done)
      if (read === 0) refuse('it ends too early')
      done += read
    }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#descriptor)
  }
}
