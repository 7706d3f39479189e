/**
 * Settles predictions that are due by the commands they came with: exit 0 is correct, 1 incorrect, anything else leaves
 * them open. Knows which commands may run, those whose proof says that this user wrote them here, and nothing of
 * terminals or schedules.
 */

import { dirname } from 'node:path'
import { redactSecrets } from '../agents/secrets.ts'
import type { CheckSigner } from '../config/check-signer.ts'
import { requireOwned } from '../core/access.ts'
import { BrainError } from '../core/errors.ts'
import { toInstant } from '../core/instant.ts'
import type { Prediction } from '../core/records.ts'
import { callOperation } from '../operations/call.ts'
import type { Context } from '../operations/operation.ts'
import { resolve } from '../operations/resolve.ts'
import { runCommand } from './run-command.ts'

export type CheckStatus = 'correct' | 'incorrect' | 'undecided' | 'refused' | 'ready'

/** What became of one check. */
export interface Checked {
  readonly prediction_id: number
  readonly command: string
  readonly status: CheckStatus
  readonly exit_code: number | null
  /** The end of what the command wrote, without secrets; null where it did not run. */
  readonly output: string | null
  /** Why it is undecided or refused; null otherwise. */
  readonly why: string | null
}

export interface SettleOptions {
  readonly context: Context
  readonly signer: CheckSigner
  /** The `.brain` directory; commands run in the one that holds it. */
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Milliseconds for each command. */
  readonly limit: number
  /** Says what would run, and runs nothing. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
}

/** What this user has to do before it runs. */
const unproven = (id: number): string =>
  `it was not written by you on this machine: read it, then \`brain check ${id} --trust\``

const outcomeOf: Readonly<Record<number, 'correct' | 'incorrect'>> = { 0: 'correct', 1: 'incorrect' }

/** Characters of output that a resolution quotes. */
const quoted = 500

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 100) / 10} s`

async function settle(prediction: Prediction, command: string, options: SettleOptions): Promise<Checked> {
  const { context, signer, directory, environment, limit, dryRun, signal } = options
  const { id, check } = prediction
  const told = { prediction_id: id, command, exit_code: null, output: null, why: null }
  if (!signer.verify({ project: context.project, id, command }, check?.proof ?? null))
    return { ...told, status: 'refused', why: unproven(id) }
  if (dryRun) return { ...told, status: 'ready' }
  const ended = await runCommand({
    command,
    directory: dirname(directory),
    environment: { ...environment, BRAIN_PREDICTION: String(id) },
    limit,
    ...(signal && { signal }),
  })
  signal?.throwIfAborted()
  const output = redactSecrets(ended.output).text
  const ran = { ...told, exit_code: ended.exitCode, output }
  const outcome = outcomeOf[ended.exitCode ?? -1]
  if (outcome === undefined) {
    const how =
      ended.exitCode === null
        ? 'it was ended by a signal or could not start'
        : `it exited with ${ended.exitCode}`
    return {
      ...ran,
      status: 'undecided',
      why: ended.timedOut ? `it took longer than ${seconds(limit)}` : how,
    }
  }
  const tail = output === '' ? '' : `: ${output.slice(-quoted).toWellFormed()}`
  try {
    const actual = `the check exited with ${ended.exitCode}${tail}`
    await callOperation(resolve, context, { prediction_id: id, outcome, actual })
  } catch (error) {
    // Somebody was faster while the command ran.
    if (!(error instanceof BrainError && error.kind === 'refused')) throw error
    return { ...ran, status: 'refused', why: error.message }
  }
  return { ...ran, status: outcome }
}

/** Every check of the project that is due, one after the other. */
export async function settleDue(options: SettleOptions): Promise<Checked[]> {
  const { context } = options
  const checked: Checked[] = []
  for (const prediction of await context.store.predictions.listDueChecks(context.project, context.now())) {
    options.signal?.throwIfAborted()
    if (prediction.check !== null) checked.push(await settle(prediction, prediction.check.command, options))
  }
  return checked
}

/**
 * The prediction and its command.
 * @throws BrainError `refused` when it is not there, not the project's, resolved, or has no check.
 */
export async function findCheck(
  { store, project }: Context,
  id: number,
): Promise<{ prediction: Prediction; command: string }> {
  const prediction = requireOwned('prediction', id, await store.predictions.find(project, id))
  if (prediction.check === null) throw new BrainError('refused', `prediction ${id} has no check`)
  if (prediction.resolution !== null) throw new BrainError('refused', `prediction ${id} is already resolved`)
  return { prediction, command: prediction.check.command }
}

/** The check of one prediction. @throws BrainError `refused` as `findCheck` does, and before it is due. */
export async function settleOne(id: number, options: SettleOptions): Promise<Checked> {
  const { prediction, command } = await findCheck(options.context, id)
  const due = prediction.dueAt
  if (!options.dryRun && (due === null || due > options.context.now())) {
    const when = due === null ? 'has no due date' : `is due ${toInstant(due).toISOString().slice(0, 16)}Z`
    throw new BrainError(
      'refused',
      `prediction ${id} ${when}: \`brain check ${id} --dry-run\` shows its check`,
    )
  }
  return settle(prediction, command, options)
}
