/** `brain dream`: one night's thoughts, now. By hand, or from cron: `0 3 * * * brain --dir ~/work dream`. */
import type { Command } from 'commander'
import { checkSetting } from '../../config/config.ts'
import { BrainError } from '../../core/errors.ts'
import { interruptible } from '../interrupt.ts'
import { startProgress } from '../progress.ts'
import type { Session } from '../session.ts'

/** Undefined leaves the seed to the day. @throws BrainError `invalid`. */
function readSeed(seed: string | undefined): number | undefined {
  if (seed === undefined) return undefined
  if (/^\d{1,9}$/.test(seed)) return Number(seed)
  throw new BrainError('invalid', 'seed must be an integer between 0 and 999999999')
}

export function shapeDream(command: Command, open: () => Session): void {
  command
    .option('--max <integer>', 'at most so many dreams (default: the setting dream.max, 5)')
    .option('--seed <integer>', 'vary the wording; the same brain and seed dream the same')
    .action(async (options: { max?: string; seed?: string }) => {
      const session = open()
      const seed = readSeed(options.seed)
      const { hostTimeZone, seedOf } = await import('../../dreams/nightly.ts')
      const { dreamNight } = await import('../../dreams/night.ts')
      const { compact } = await import('../../sleep/reindex.ts')
      const { withSmallHeap } = await import('../../heap.ts')
      const { createReword } = await import('../../dreams/reword.ts')
      const { toWireDream } = await import('../../operations/dreams.ts')
      const kept = await session.withBrain('dream', async (brain, caller) => {
        const { config } = brain
        const now = Date.now()
        const most = options.max === undefined ? config['dream.max'] : checkSetting('dream.max', options.max)
        const { terminal, warn } = session
        return interruptible(terminal, async (signal) => {
          const progress = startProgress(terminal)
          try {
            const dreams = await withSmallHeap(() =>
              dreamNight(brain.context(caller), {
                now,
                seed: seed ?? seedOf(now),
                timeZone: hostTimeZone(),
                // The check gives a number or throws.
                most: most as number,
                reword: createReword({ config, environment: terminal.environment, warn }),
                signal,
                onStep: progress.update,
              }),
            )
            await compact(brain.store, signal)
            return dreams
          } finally {
            progress.end()
          }
        })
      })
      const { render: renderDreams } = await import('../render/dreams.ts')
      const { createStyle } = await import('../render/style.ts')
      const style = createStyle(session.terminal.colour, session.width)
      const output = { dreams: kept.map(toWireDream) }
      await session.print(output, () =>
        kept.length === 0 ? style.dim('no thought worth keeping') : renderDreams(output, style),
      )
    })
}
