/**
 * Staged records on the disk of whoever imports, in batches: however many there are, the process holds one batch. The file
 * has no name while it is open, so that nothing is left of it whatever becomes of the process.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Passage } from '../../models/embedder.ts'
import { toTokens, toVectors } from '../search/vector-bytes.ts'
import type { StagedRecord } from '../transfer.ts'

interface Place {
  readonly offset: number
  readonly length: number
}

const toBase64 = ({ buffer, byteOffset, byteLength }: Float32Array | Uint16Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))

/** A passage as it waits. */
interface Packed extends Pick<Passage, 'start' | 'end'> {
  readonly tokens: string
  readonly vector: string
}

const pack = ({ embedding, ...staged }: StagedRecord) => ({
  ...staged,
  ...(embedding && {
    embedding: {
      ...embedding,
      passages: embedding.passages.map(
        ({ start, end, tokens, vector }): Packed => ({
          start,
          end,
          tokens: toBase64(tokens),
          vector: toBase64(vector),
        }),
      ),
    },
  }),
})

const unpack = ({ embedding, ...staged }: ReturnType<typeof pack>): StagedRecord => ({
  ...staged,
  ...(embedding && {
    embedding: {
      ...embedding,
      passages: embedding.passages.map(({ start, end, tokens, vector }) => ({
        start,
        end,
        tokens: toTokens(bytesOf(tokens)),
        vector: toVectors(bytesOf(vector)),
      })),
    },
  }),
})

export class Spool {
  readonly #handle: FileHandle
  readonly #file: string
  readonly #places: Place[] = []
  #end = 0

  private constructor(handle: FileHandle, file: string) {
    this.#handle = handle
    this.#file = file
  }

  static async open(): Promise<Spool> {
    const file = join(tmpdir(), `brain-${randomUUID()}.import`)
    const handle = await open(file, 'wx+', 0o600)
    // Where an open file cannot be without a name, it goes when it is closed.
    await rm(file, { force: true }).catch(() => {})
    return new Spool(handle, file)
  }

  async add(records: readonly StagedRecord[]): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(records.map(pack)))
    await this.#handle.write(bytes, 0, bytes.length, this.#end)
    this.#places.push({ offset: this.#end, length: bytes.length })
    this.#end += bytes.length
  }

  /** The batches, in the order in which they came; as often as they are asked for. */
  async *batches(): AsyncGenerator<StagedRecord[], void, undefined> {
    for (const { offset, length } of this.#places) {
      const bytes = Buffer.allocUnsafe(length)
      await this.#handle.read(bytes, 0, length, offset)
      // Written by `add` and by nobody else.
      const packed = JSON.parse(bytes.toString('utf8')) as ReturnType<typeof pack>[]
      yield packed.map(unpack)
    }
  }

  async close(): Promise<void> {
    await this.#handle.close()
    await rm(this.#file, { force: true }).catch(() => {})
  }
}
