import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Encoder } from '../../src/models/encoder.ts'
import { cosine, pooled } from './reference.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { installEncoder, pieces } from './tiny-models.ts'

const idOf = (piece: string): number => pieces.indexOf(piece)
const framed = (ids: Iterable<number>): number[] => [idOf('[CLS]'), ...ids, idOf('[SEP]')]

describe('the encoder', () => {
  test.each([
    'note',
    'deploy',
    'the database',
    'running user timeout connection',
    'the user cafe: deploy 42!',
  ])('gives %j the vector that plain arithmetic gives', (text) => {
    const directory = temporaryDirectory()
    const weights = installEncoder(directory)
    const encoder = new Encoder(directory)
    const vector = encoder.embed(text)
    expect(vector).toHaveLength(384)
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    expect(cosine(vector, pooled(weights, framed(encoder.tokenise(text))))).toBeGreaterThan(0.9999)
    encoder.close()
  })

  test('gives the same bytes whatever came before', () => {
    const directory = temporaryDirectory()
    installEncoder(directory)
    const encoder = new Encoder(directory)
    const first = encoder.embed('the user')
    // The first few texts find their weights elsewhere than those after them.
    for (let times = 0; times < 3; times += 1) {
      encoder.embed('running deploy database connection timeout note')
      expect(encoder.embed('the user')).toEqual(first)
    }
    encoder.close()
  })

  // Vectors that brains hold are compared with those of later questions: a kernel may get faster, no bit may change.
  test('gives the bytes that releases before gave', () => {
    const directory = temporaryDirectory()
    installEncoder(directory)
    const encoder = new Encoder(directory)
    const hash = createHash('sha256')
    for (const length of [1, 2, 3, 4, 5, 14, 51, 100, 254]) {
      const ids = Uint16Array.from({ length }, (_, at) => (at * at + length) % pieces.length)
      const vector = encoder.embed('', ids)
      hash.update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    }
    expect(hash.digest('hex')).toBe('ab9bb149c3b2597609396ec05fd0f0e1fd8672772c86765ec41ba03021b7f6ca')
    encoder.close()
  })

  test('takes the first 254 pieces of a longer text', () => {
    const directory = temporaryDirectory()
    installEncoder(directory)
    const encoder = new Encoder(directory)
    const most = new Uint16Array(254).fill(idOf('deploy'))
    const more = new Uint16Array(300).fill(idOf('note'))
    more.set(most)
    expect(encoder.embed('', more)).toEqual(encoder.embed('', most))
    encoder.close()
  })

  test('refuses a model whose tensors have another shape, and says which', () => {
    const directory = temporaryDirectory()
    const data = new Float32Array(3)
    installEncoder(directory, {
      change: { 'layer.1.up.bias': { name: 'layer.1.up.bias', type: 'float32', dimensions: [3], data } },
    })
    const encoder = new Encoder(directory)
    expect(() => encoder.embed('note')).toThrow(/layer\.1\.up\.bias is float32 \[3\]/)
    encoder.close()
  })
})
