/**
 * Layers of BERT and the heads of the pair model in plain float64, as the papers have them: what the kernels are
 * compared with.
 */
import type { Weights } from './tiny-models.ts'

type Row = number[]

const width = 384
const headWidth = 32

function normalise(row: Row, gamma: Float32Array, beta: Float32Array): Row {
  const mean = row.reduce((sum, value) => sum + value, 0) / row.length
  const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length
  return row.map(
    (value, at) => ((value - mean) / Math.sqrt(variance + 1e-12)) * (gamma[at] ?? 0) + (beta[at] ?? 0),
  )
}

/** By its power series and, where that loses its digits, the integral's other end. */
function erf(x: number): number {
  if (Math.abs(x) > 5) return Math.sign(x)
  let sum = 0
  let term = x
  // The terms grow until n is x squared; those below this change no digit of the sum.
  for (let n = 0; n < x * x || Math.abs(term) > 1e-18; n += 1) {
    sum += term / (2 * n + 1)
    term *= -(x * x) / (n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}

const gelu = (x: number): number => 0.5 * x * (1 + erf(x / Math.SQRT2))

// A loop: `reduce` over typed arrays takes many times as long, and this is most of what the tests do.
function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/**
 * The mean of the last states of some rows, [CLS] and [SEP] among them. Those from `boundary` on are of the second type
 * and see all rows, in the model's lowest layers only one another, if it has such layers; their positions begin
 * anew. Those before it see none behind it. The mean is over the former where there are any.
 */
export function pooled(weights: Weights, ids: readonly number[], boundary = ids.length): Row {
  const { float, int8 } = weights
  const linear = (name: string, row: Row): Row => {
    const scales = float(`${name}.scale`)
    const biases = float(`${name}.bias`)
    const matrix = int8(`${name}.weight`)
    return Array.from(scales, (scale, output) => {
      const from = output * row.length
      return dot(row, matrix.subarray(from, from + row.length)) * scale + (biases[output] ?? 0)
    })
  }
  const norm = (name: string, row: Row): Row => normalise(row, float(`${name}.gamma`), float(`${name}.beta`))
  const add = (a: Row, b: Row): Row => a.map((value, at) => value + (b[at] ?? 0))
  const positions = int8('position.weight')
  const positionScales = float('position.scale')
  const types = weights.has('type') ? float('type') : new Float32Array(2 * width)
  const apart = weights.has('apart') ? (float('apart')[0] ?? 0) : 0
  let rows = ids.map((id, place) => {
    const word = weights.word(id)
    const type = place < boundary ? 0 : 1
    const position = place - type * boundary
    const scale = positionScales[position] ?? 0
    const row = Array.from(
      word,
      (value, at) =>
        value + (positions[position * width + at] ?? 0) * scale + (types[type * width + at] ?? 0),
    )
    return norm('norm', row)
  })
  for (let at = 0; weights.has(`layer.${at}.query.weight`); at += 1) {
    const layer = `layer.${at}`
    const queries = rows.map((row) => linear(`${layer}.query`, row))
    const keys = rows.map((row) => linear(`${layer}.key`, row))
    const values = rows.map((row) => linear(`${layer}.value`, row))
    const isApart = at < apart
    rows = rows.map((row, at) => {
      const context: Row = []
      for (let from = 0; from < width; from += headWidth) {
        const query = queries[at]?.slice(from, from + headWidth) ?? []
        const sees = (other: number): boolean =>
          at < boundary ? other < boundary : !isApart || other >= boundary
        const scores = keys.map((key, other) =>
          sees(other) ? Math.exp(dot(query, key.slice(from, from + headWidth)) / Math.sqrt(headWidth)) : 0,
        )
        const sum = scores.reduce((total, score) => total + score, 0)
        for (let part = from; part < from + headWidth; part += 1) {
          context.push(
            values.reduce(
              (total, value, other) => total + ((scores[other] ?? 0) / sum) * (value[part] ?? 0),
              0,
            ),
          )
        }
      }
      const attended = norm(`${layer}.attentionNorm`, add(row, linear(`${layer}.output`, context)))
      const hidden = linear(`${layer}.up`, attended).map(gelu)
      return norm(`${layer}.outputNorm`, add(attended, linear(`${layer}.down`, hidden)))
    })
  }
  const meant = boundary < rows.length ? rows.slice(boundary) : rows
  return Array.from(
    { length: width },
    (_, at) => meant.reduce((sum, row) => sum + (row[at] ?? 0), 0) / meant.length,
  )
}

/** The outputs of a head of the pair model. */
export function head(weights: Weights, name: string, row: Row): Row {
  const { float } = weights
  const layer = (part: string, input: Row): Row => {
    const matrix = float(`${name}.${part}.weight`)
    return Array.from(float(`${name}.${part}.bias`), (bias, output) => {
      const from = output * input.length
      return bias + dot(input, matrix.subarray(from, from + input.length))
    })
  }
  return layer('out', layer('hidden', row).map(Math.tanh))
}

export const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
