/** `brain reindex`: embeds every memory with the configured model and lets recall go over to it. */

import type { Command } from 'commander'
import { count, counted } from '../../core/counts.ts'
import { sameModel } from '../../models/pool.ts'
import type { ReindexProgress } from '../../sleep/reindex.ts'
import { interruptible } from '../interrupt.ts'
import { type Progress, withProgress } from '../progress.ts'
import { visible } from '../render/style.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal.ts'

const memories = (n: number): string => counted(n, 'memory', 'memories')

interface Report {
  readonly model: string
  readonly embedded: number
  /** Ids of memories that the model does not take. */
  readonly refused: readonly number[]
  /** Whether recall used vectors of another model before. */
  readonly switched: boolean
}

async function runReindex(session: Session): Promise<Report> {
  const { terminal } = session
  const { reindex } = await import('../../sleep/reindex.ts')
  return session.withBrain('reindex', ({ embedders, store }) =>
    interruptible(
      terminal,
      async (signal) => {
        const embedder = await embedders.configured()
        const { name } = embedder.identity
        const before = await store.index.servedModel()
        const lacking = await store.index.lacking(embedder.identity)
        if (lacking > 0 && !terminal.attended && !session.options.json) {
          await write(terminal.stderr, `embedding ${memories(lacking)} with ${visible(name)}\n`)
        }
        const { embedded, refused } = await withProgress(terminal, (progress) =>
          reindex({ store, embedder, signal, progress: createTeller(progress, name) }),
        )
        const switched = before === undefined || !sameModel(before, embedder.identity)
        return { model: name, embedded, refused, switched }
      },
      'The same command goes on where it stopped.',
    ),
  )
}

function createTeller(progress: Progress, name: string) {
  const started = Date.now()
  return ({ phase, done, total }: ReindexProgress): void => {
    if (phase === 'clearing') {
      progress.update({ doing: 'removing vectors of other models' })
      return
    }
    const rate = Math.round((done * 1000) / Math.max(1, Date.now() - started))
    progress.update({
      doing: `embedding with ${visible(name)}`,
      done,
      total,
      yield: `${count(done)} of ${memories(total)}, ${count(rate)}/s`,
    })
  }
}

function render({ model, embedded, refused, switched }: Report, session: Session): string {
  const { style } = session
  const name = visible(model)
  const lines: string[] = []
  if (embedded > 0 || switched)
    lines.push(`${style.green('embedded')} ${memories(embedded)}: recall uses ${name}`)
  else if (refused.length === 0) lines.push(`every memory has its vector of ${name}`)
  if (refused.length > 0) {
    const ids = `${refused.slice(0, 10).join(', ')}${refused.length > 10 ? ', …' : ''}`
    lines.push(
      `${style.yellow('left out')} ${memories(refused.length)} that it does not take, found by keyword: ${ids}`,
    )
  }
  return lines.join('\n')
}

export function configureReindex(command: Command, open: () => Session): void {
  command.action(async () => {
    const session = open()
    const report = await runReindex(session)
    await session.print(report, () => render(report, session))
  })
}
