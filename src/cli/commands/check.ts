/** `brain check`: runs the checks of predictions that are due, those that this user wrote here. */
import type { Command } from 'commander'
import type { Brain, Caller } from '../../brain.ts'
import type { Checked, CheckStatus, SettleOptions } from '../../checks/settle.ts'
import { BrainError } from '../../core/errors.ts'
import { interruptible } from '../interrupt.ts'
import { hang } from '../render/layout.ts'
import { type Style, visible } from '../render/style.ts'
import type { Session } from '../session.ts'

interface Options {
  readonly dryRun?: boolean
  readonly trust?: boolean
  readonly timeLimit: string
}

const colourOf = (status: CheckStatus, { green, red, yellow, dim }: Style): string =>
  ({ correct: green, incorrect: red, undecided: yellow, refused: yellow, ready: dim })[status](
    status === 'ready' ? 'would run' : status,
  )

function renderChecked({ prediction_id, command, status, output, why }: Checked, style: Style): string {
  const lines = [
    `${style.bold(String(prediction_id).padStart(4))}  ${colourOf(status, style)}  ${visible(command)}`,
    ...(why === null ? [] : [hang('      ', visible(why), style.width)]),
    ...(output === null || output === '' || status === 'correct'
      ? []
      : [hang('      ', style.dim(visible(output)), style.width)]),
  ]
  return lines.join('\n')
}

/** @throws BrainError `invalid`. */
function readId(id: string): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id)
  throw new BrainError('invalid', 'id must be a positive integer')
}

/** @throws BrainError `invalid`. */
function readLimit(limit: string): number {
  if (/^[1-9]\d{0,3}$/.test(limit) && Number(limit) <= 3_600) return Number(limit) * 1_000
  throw new BrainError('invalid', 'time-limit must be an integer between 1 and 3600')
}

function settlingOf(session: Session, brain: Brain, caller: Caller): Omit<SettleOptions, 'limit'> {
  const context = brain.context(caller)
  // A command opens its brain by hand.
  if (context.signer === undefined) throw new Error('checks are for the user of this machine')
  return {
    context,
    signer: context.signer,
    directory: brain.directory,
    environment: session.terminal.environment,
  }
}

async function trust(session: Session, id: number): Promise<void> {
  const { findCheck } = await import('../../checks/settle.ts')
  const command = await session.withBrain('check', async (brain, caller) => {
    const { context, signer } = settlingOf(session, brain, caller)
    const { command } = await findCheck(context, id)
    const proof = signer.sign({ project: context.project, id, command })
    if (await context.store.predictions.prove(context.project, id, { command, proof })) return command
    throw new BrainError('refused', `the check of prediction ${id} was changed meanwhile: look again`)
  })
  const { style } = session
  await session.print({ prediction_id: id, command, trusted: true }, () =>
    [
      `${style.green('trusted')} as it is, in this place: ${visible(command)}`,
      `\`brain check ${id}\` runs it when the prediction is due`,
    ].join('\n'),
  )
}

async function check(session: Session, id: number | undefined, options: Options): Promise<void> {
  const limit = readLimit(options.timeLimit)
  const { settleDue, settleOne } = await import('../../checks/settle.ts')
  const checks = await session.withBrain('check', (brain, caller) =>
    interruptible(session.terminal, async (signal) => {
      const settling = {
        ...settlingOf(session, brain, caller),
        limit,
        signal,
        dryRun: options.dryRun === true,
      }
      return id === undefined ? settleDue(settling) : [await settleOne(id, settling)]
    }),
  )
  const [only] = checks
  // Asked for by its id and not run is a refusal like any other.
  if (id !== undefined && options.dryRun !== true && only?.status === 'refused') {
    throw new BrainError(
      'refused',
      `the check of prediction ${id} (${only.command}) did not run: ${only.why}`,
    )
  }
  const { style } = session
  await session.print({ checks }, () =>
    checks.length === 0
      ? style.dim('no check is due')
      : checks.map((one) => renderChecked(one, style)).join('\n'),
  )
}

export function configureCheck(command: Command, open: () => Session): void {
  command
    .argument('[id]', 'id of the prediction (default: every one that is due)')
    .option('--dry-run', 'print what would run, and run nothing')
    .option('--trust', 'accept the check of this prediction as your own, once you have read it; runs nothing')
    .option('--time-limit <seconds>', 'how long each command may take; 1 to 3600', '60')
    .action(async (named: string | undefined, options: Options) => {
      const session = open()
      const id = named === undefined ? undefined : readId(named)
      if (options.trust !== true) return check(session, id, options)
      if (id === undefined) throw new BrainError('invalid', '--trust needs the id of a prediction')
      return trust(session, id)
    })
}
