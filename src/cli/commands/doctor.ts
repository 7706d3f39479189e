/** `brain doctor`: checks the brain, reports what is wrong, and with --fix repairs what can be repaired without loss. */
import type { Command } from 'commander'
import type { Brain } from '../../brain.ts'
import { BrainError, reasonOf } from '../../core/errors.ts'
import type { Embedder } from '../../models/embedder.ts'
import { sameModel } from '../../models/pool.ts'
import type { Context } from '../../operations/operation.ts'
import { chooseEmbedder } from '../../search/served-embedder.ts'
import type { Finding } from '../../store/store.ts'
import { examineSpace } from '../free-space.ts'
import { type Style, visible } from '../render/style.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

/** What recall does while the configured embedder cannot be had: older vectors may be of a model that still embeds. */
async function recallWithout(context: Context, why: string): Promise<string> {
  const { embedders, store } = context
  const served = await store.index.servedModel()
  const embedder = served && (await chooseEmbedder(context))
  const answers = embedder && (await embedders.attempt(() => embedder.embedQuery('brain')))
  return answers === undefined
    ? `recall is by keyword only: ${why}`
    : `${why}; recall and new notes go on with ${served?.name}`
}

/** Whether the configured model is there, and whether it is the one whose vectors are served. */
async function examineModel({ config, context: contextOf }: Brain): Promise<Finding> {
  const check = 'model'
  const finding = (ok: boolean, detail: string): Finding => ({ check, ok, detail, fixable: false })
  const context = contextOf({ project: config.project, agent: config.agent })
  const { embedders, store } = context
  if (config.embedder === 'none') return finding(true, 'none is wanted: recall is by keyword')
  let embedder: Embedder
  try {
    embedder = await embedders.configured()
  } catch (error) {
    return finding(false, await recallWithout(context, reasonOf(error)))
  }
  const served = await store.index.servedModel()
  if (served === undefined || sameModel(served, embedder.identity))
    return finding(true, embedder.identity.name)
  if ((await embedders.successor(served)) !== undefined)
    return finding(true, 'goes over from the built-in model of an earlier version by itself')
  return finding(
    false,
    `vectors are of ${served.name}, but ${embedder.identity.name} is configured: run \`brain reindex\``,
  )
}

/** The built-in model serves word by word comparison whatever embedder is configured. */
async function examineFiles(): Promise<Finding> {
  const { findAltered } = await import('../../models/model-card.ts')
  const altered = await findAltered()
  const found = { check: 'built-in model', fixable: false }
  if (altered?.length === 0) return { ...found, ok: true, detail: 'its files are those of its card' }
  const why = altered === undefined ? 'its card is missing' : `not as on its card: ${altered.join(', ')}`
  return { ...found, ok: false, detail: `${why}: install brain again` }
}

function render(findings: readonly Finding[], style: Style): string {
  const width = Math.max(...findings.map(({ check }) => visible(check).length))
  return findings
    .map(({ check, ok, detail, fixable }) => {
      const verdict = ok ? style.green('ok   ') : fixable ? style.yellow('fix  ') : style.red('wrong')
      return `${verdict}  ${visible(check).padEnd(width)}  ${ok ? style.dim(visible(detail)) : visible(detail)}`
    })
    .join('\n')
}

export function configureDoctor(command: Command, open: () => Session): void {
  command
    .option('--fix', 'repair what can be repaired without losing a text')
    .option('--security', 'show who could read or write it, where texts go, and which keys open it')
    .action(async (options: { fix?: boolean; security?: boolean }) => {
      const session = open()
      if (options.security && options.fix)
        throw new BrainError('invalid', '--security only looks: run --fix by itself')
      const findings = options.security
        ? await (await import('./doctor-security.ts')).examineSecurity(session)
        : await examine(session, options.fix === true)
      const wrong = findings.filter(({ ok }) => !ok)
      if (wrong.length > 0) session.outcome.exitCode = 1
      await session.print({ ok: wrong.length === 0, findings }, () => render(findings, session.style))
      if (wrong.some(({ fixable }) => fixable) && !session.options.json) {
        await write(session.terminal.stderr, 'Run `brain doctor --fix` to repair what is marked fix.\n')
      }
    })
}

const spaceOf = (session: Session): Finding[] => (session.isStored ? [] : examineSpace(session.locate()))

async function examine(session: Session, fix: boolean): Promise<Finding[]> {
  try {
    return await session.withBrain(
      'doctor',
      async (brain) => {
        const { maintenance } = brain.store
        const findings = fix ? await maintenance.repair() : await maintenance.check()
        return [...findings, ...spaceOf(session), await examineFiles(), await examineModel(brain)]
      },
      // The findings say it.
      () => {},
    )
  } catch (error) {
    if (!(error instanceof BrainError) || error.kind !== 'storage') throw error
    // A brain that cannot be opened is looked at all the same; what a repair would need is not there.
    const { examineClosedBrain } = await import('../../brain.ts')
    const findings = session.isStored
      ? []
      : await examineClosedBrain(session.locate(), session.terminal.environment)
    const opening = { check: 'opening', ok: false, detail: error.message, fixable: false }
    // Whether its disk is full is why, or it is not of interest.
    return [opening, ...findings, ...spaceOf(session).filter(({ ok }) => !ok)]
  }
}
