/** What was kept of a word about a result of recall, and where its score comes from. */
import { BrainError } from '../../core/errors.ts'
import { lastScoreOf } from '../last-recall.ts'
import type { Session } from '../session.ts'
import type { Output } from './output.ts'
import type { Style } from './style.ts'

export const render = (output: Output<'recall_feedback'>, style: Style): string =>
  `${style.green('noted')} that ${output.id} was ${output.verdict}; ${output.verdicts} in all. No answer changes for it: \`brain calibration --recall\` shows by such words how far scores can be trusted`

/** @throws BrainError `invalid` for a memory that the last recall did not show. */
export async function complete(
  input: Readonly<Record<string, unknown>>,
  session: Session,
): Promise<Readonly<Record<string, unknown>>> {
  if (input.score !== undefined || typeof input.id !== 'number') return input
  const { directory, database } = session.place
  const { project } = await session.settings()
  const score = lastScoreOf(directory, { database, project, id: input.id })
  if (score !== undefined) return { ...input, score }
  throw new BrainError(
    'invalid',
    `the last recall did not show memory ${input.id}: recall it first, or name its score with --score`,
  )
}
