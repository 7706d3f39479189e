/** `brain reindex`: vectors of the configured model for every memory, and then recall with them. */
import type { Command } from 'commander'
import { BrainError } from '../../core/errors.ts'
import { interruptible } from '../interrupt.ts'
import { startProgress } from '../progress.ts'
import { createStyle } from '../render/style.ts'
import type { Session } from '../session.ts'

async function runReindex(session: Session): Promise<void> {
  const { terminal } = session
  const { reindex } = await import('../../sleep/reindex.ts')
  const complaints: string[] = []
  const done = await session.withBrain(
    'reindex',
    async (brain, caller) => {
      const { store, embedders } = brain.context(caller)
      const embedder = await embedders.current()
      if (embedder === undefined) {
        const why = complaints[0] ?? 'the embedder is none: choose one with `brain model use`'
        throw new BrainError('failed', `nothing to embed with: ${why}`)
      }
      const progress = startProgress(terminal)
      try {
        const embedded = await interruptible(terminal, (signal) =>
          reindex({
            store,
            embedder,
            signal,
            progress: (done, total) =>
              progress.update({
                doing: 'embedding',
                done,
                total,
                yield: `${done.toLocaleString('en')} memories`,
              }),
          }),
        )
        return { model: embedder.identity.name, embedded }
      } finally {
        progress.end()
      }
    },
    (complaint) => complaints.push(complaint),
  )
  const style = createStyle(terminal.colour)
  await session.print(done, () =>
    done.embedded === 0
      ? `every memory has its vector of ${done.model}`
      : `${style.green('embedded')} ${done.embedded.toLocaleString('en')} memories: recall uses ${done.model}`,
  )
}

export function shapeReindex(command: Command, open: () => Session): void {
  command.action(() => runReindex(open()))
}
