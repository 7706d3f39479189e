/**
 * What the product reads in plans beside flags, for fit.py: `{model, near, sets: [{flags, plans}]}` on standard input; on standard output, for each
 * set, the weights set by hand, the names of the features and of every plan the nearest flags with their cosines (with the plan's vector aimed, and
 * without), log odds by the pair model and features.
 */
import { readFileSync } from 'node:fs'
import { compare } from '../../src/core/judgement/features.ts'
import { read } from '../../src/core/judgement/reading.ts'
import { readWarning } from '../../src/core/judgement/warning.ts'
import { handWeights } from '../../src/core/judgement/weights.ts'
import { Encoder } from '../../src/models/encoder.ts'
import { PairModel } from '../../src/models/pair-model.ts'

interface Asked {
  readonly encoder: string
  /** Directory of the pair model; without one nothing is read. */
  readonly model: string | null
  readonly near: number
  /** Whether the encoder's vectors are told, float32 in base64. */
  readonly vectors: boolean
  readonly sets: readonly { readonly flags: readonly string[]; readonly plans: readonly string[] }[]
}

const asked: Asked = JSON.parse(readFileSync(0, 'utf8'))
const encoder = new Encoder(asked.encoder)
const reader = asked.model === null ? undefined : new PairModel(asked.model, encoder)

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

const encode = (vectors: readonly Float32Array[]): string =>
  Buffer.concat(vectors.map(({ buffer }) => Buffer.from(buffer))).toString('base64')

const answers = asked.sets.map(({ flags, plans }) => {
  const vectors = flags.map((flag) => encoder.embed(flag).slice())
  const planVectors = plans.map((plan) => encoder.embed(plan).slice())
  const cosinesOf = (plan: Float32Array): number[] => vectors.map((other) => dot(plan, other))
  const likenesses = planVectors.map(cosinesOf)
  const cosines = planVectors.map((plan) => cosinesOf(reader?.aim(plan) ?? plan))
  const nearest = cosines.map((own) =>
    own
      .map((_, flag) => flag)
      .sort((a, b) => (own[b] ?? 0) - (own[a] ?? 0))
      .slice(0, asked.near),
  )
  const warnings = flags.map(readWarning)
  const readings = plans.map(read)
  const logits = plans.map(() => new Map<number, number>())
  // Flag by flag: what is made of a flag is kept for the plans that follow.
  for (const [flag, text] of flags.entries()) {
    for (const [plan, near] of nearest.entries()) {
      const logit = near.includes(flag) ? reader?.judge(text, [plans[plan] ?? ''])[0] : undefined
      if (logit !== undefined) logits[plan]?.set(flag, logit)
    }
  }
  const features = nearest.map((near, plan) =>
    near.flatMap((flag) => {
      const [warning, reading] = [warnings[flag], readings[plan]]
      return warning && reading ? [Object.entries(compare(warning, reading))] : []
    }),
  )
  return {
    ...(asked.vectors ? { flagVectors: encode(vectors), planVectors: encode(planVectors) } : {}),
    byHand: handWeights,
    names: features[0]?.[0]?.map(([name]) => name) ?? [],
    near: nearest,
    cosine: nearest.map((near, plan) => near.map((flag) => cosines[plan]?.[flag])),
    likeness: nearest.map((near, plan) => near.map((flag) => likenesses[plan]?.[flag])),
    logit: nearest.map((near, plan) => near.map((flag) => logits[plan]?.get(flag))),
    features: features.map((near) => near.map((parts) => parts.map(([, { value }]) => value))),
  }
})
process.stdout.write(JSON.stringify(answers))
