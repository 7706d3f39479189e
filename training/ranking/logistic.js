/** Fits: weights that put the right one first, and probabilities. Plain numbers in and out. */

/**
 * Weights, none below 0, under which the right candidates of each question are likeliest: softmax over its candidates,
 * by Adam. `questions`: { rows: number[][], right: boolean[], weight }; `fixed`: weights that stay, by place.
 */
export function fitOrder(questions, { start, fixed, penalty = 1e-5, steps = 200 }) {
  const free = start.flatMap((_, at) => (fixed[at] ? [] : [at]))
  // Only the rivals that come near the right one pull at the weights.
  const near = questions.map(({ rows, right, weight }) => {
    const sums = rows.map((row) => row.reduce((sum, value, at) => sum + value * start[at], 0))
    const kept = rows.map((_, at) => at).sort((a, b) => right[b] - right[a] || sums[b] - sums[a]).slice(0, 40)
    const columns = Float64Array.from(kept.flatMap((at) => free.map((column) => rows[at][column])))
    return { columns, count: kept.length, rights: kept.filter((at) => right[at]).length, weight }
  })
  const size = free.length
  const weights = Float64Array.from(free, (at) => start[at])
  const [first, second, slope] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)]
  const shares = new Float64Array(64)
  for (let step = 1; step <= steps; step += 1) {
    for (let at = 0; at < size; at += 1) slope[at] = 2 * penalty * weights[at]
    for (const { columns, count, rights, weight } of near) {
      let highest = Number.NEGATIVE_INFINITY
      for (let row = 0; row < count; row += 1) {
        let sum = 0
        for (let at = 0; at < size; at += 1) sum += columns[row * size + at] * weights[at]
        shares[row] = sum
        highest = Math.max(highest, sum)
      }
      let [all, own] = [0, 0]
      for (let row = 0; row < count; row += 1) {
        shares[row] = Math.exp(shares[row] - highest)
        all += shares[row]
        if (row < rights) own += shares[row]
      }
      for (let row = 0; row < count; row += 1) {
        const pull = weight * (shares[row] / all - (row < rights ? shares[row] / (own + 1e-12) : 0))
        for (let at = 0; at < size; at += 1) slope[at] += pull * columns[row * size + at]
      }
    }
    for (let at = 0; at < size; at += 1) {
      first[at] = 0.9 * first[at] + 0.1 * slope[at]
      second[at] = 0.99 * second[at] + 0.01 * slope[at] ** 2
      const move = first[at] / (1 - 0.9 ** step) / (Math.sqrt(second[at] / (1 - 0.99 ** step)) + 1e-9)
      weights[at] = Math.max(0, weights[at] - 0.3 * move * (1 - step / (steps + 1)))
    }
  }
  const fitted = [...start]
  for (const [at, column] of free.entries()) fitted[column] = weights[at]
  return fitted
}

function solve(matrix, values) {
  const size = values.length
  const rows = matrix.map((row, at) => [...row, values[at]])
  for (let at = 0; at < size; at += 1) {
    let best = at
    for (let row = at + 1; row < size; row += 1) if (Math.abs(rows[row][at]) > Math.abs(rows[best][at])) best = row
    ;[rows[at], rows[best]] = [rows[best], rows[at]]
    for (let row = 0; row < size; row += 1) {
      if (row === at) continue
      const factor = rows[row][at] / rows[at][at]
      for (let column = at; column <= size; column += 1) rows[row][column] -= factor * rows[at][column]
    }
  }
  return rows.map((row, at) => row[size] / row[at])
}

/** Logistic regression by Newton's method with a ridge; the first input of each row is the constant. */
export function fitLogistic(rows, { penalty = 1, steps = 30 } = {}) {
  const size = rows[0].inputs.length
  let weights = new Array(size).fill(0)
  for (let step = 0; step < steps; step += 1) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : penalty * weight))
    const curve = weights.map((_, at) => weights.map((_, other) => (at === other && at > 0 ? penalty : at === other ? 1e-9 : 0)))
    for (const { inputs, right, weight } of rows) {
      const chance = 1 / (1 + Math.exp(-inputs.reduce((sum, value, at) => sum + value * weights[at], 0)))
      const bend = weight * Math.max(1e-9, chance * (1 - chance))
      for (let at = 0; at < size; at += 1) {
        slope[at] += weight * (chance - right) * inputs[at]
        for (let other = 0; other < size; other += 1) curve[at][other] += bend * inputs[at] * inputs[other]
      }
    }
    const move = solve(curve, slope)
    weights = weights.map((weight, at) => weight - move[at])
    if (Math.max(...move.map(Math.abs)) < 1e-7) break
  }
  return weights
}
