/** Predict: a statement that will turn out true or false. */
import * as z from 'zod/mini'
import { BrainError } from '../core/errors.ts'
import { predictedConfidence } from '../core/predictions.ts'
import { circumstancesOf } from './circumstances.ts'
import { momentToCome } from './moment-to-come.ts'
import { type Context, defineOperation } from './operation.ts'
import {
  about,
  comingMoment,
  name,
  number,
  optional,
  recordId,
  shellCommand,
  text,
  timestamp,
  toTimestamp,
} from './schemas.ts'

/** @throws BrainError `invalid` where nothing says when it would run. */
function readCheck(
  check: string | null | undefined,
  dueAt: number | null,
  { signer, project }: Context,
): { command: string; prove: (id: number) => string | null } | null {
  if (check == null) return null
  if (dueAt === null) throw new BrainError('invalid', 'check needs due: it runs when the prediction is due')
  return { command: check, prove: (id) => signer?.sign({ project, id, command: check }) ?? null }
}

export const predict = defineOperation({
  name: 'predict',
  summary: 'Record a falsifiable prediction in a domain, with a confidence.',
  guidance: 'Call when you expect an outcome that can be checked later.',
  help: {
    group: 'Predictions',
    place: 1,
    examples: [
      'brain predict "The migration takes under an hour" --domain infra --confidence 0.8',
      'brain predict "The flaky test is fixed" --domain ci --due 2w --check "./ci/flaky.sh"',
    ],
  },
  members: {
    prediction: about('A statement that will turn out true or false', text()),
    domain: about('Field it belongs to, such as deploys', name()),
    confidence: about('Probability that it comes true', optional(number(0, 1), predictedConfidence)),
    basis: about('Reasons for it', optional(text(), null)),
    due: about('By when: a date, or 2w', optional(comingMoment())),
    check: about('Command that settles it when due: exit 0 correct, 1 incorrect', optional(shellCommand())),
  },
  output: () =>
    z.object({
      id: recordId(),
      domain: z.string(),
      confidence: z.number(),
      due_at: z.exactOptional(timestamp()),
    }),
  route: { method: 'POST', path: '/v1/predict' },
  effect: 'write',
  tool: true,
  unlisted: ['check', 'due_at'],
  command: { positional: ['prediction'] },
  run: async (context, input) => {
    const { store, project, now } = context
    const createdAt = now()
    const dueAt = momentToCome('due', input.due, createdAt) ?? null
    const { id, domain, confidence } = await store.predictions.add(project, {
      prediction: input.prediction,
      domain: input.domain.trim(),
      confidence: input.confidence ?? predictedConfidence,
      basis: input.basis ?? null,
      createdAt,
      circumstances: circumstancesOf(context),
      dueAt,
      check: readCheck(input.check, dueAt, context),
    })
    return { id, domain, confidence, ...(dueAt !== null && { due_at: toTimestamp(dueAt) }) }
  },
})
