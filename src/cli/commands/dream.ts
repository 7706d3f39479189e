/** `brain dream`: one night's thoughts, now. By hand, or from cron: `0 3 * * * brain --dir ~/work dream`. */
import type { Command } from 'commander'
import { checkSetting } from '../../config/config.ts'
import { BrainError } from '../../core/errors.ts'
import { excerptOf } from '../../core/excerpt.ts'
import type { Dream } from '../../core/records.ts'
import { interruptible } from '../interrupt.ts'
import { withProgress } from '../progress.ts'
import { type Style, visible } from '../render/style.ts'
import type { Session } from '../session.ts'

/** Undefined leaves the seed to the day. @throws BrainError `invalid`. */
function readSeed(seed: string | undefined): number | undefined {
  if (seed === undefined) return undefined
  if (/^\d{1,9}$/.test(seed)) return Number(seed)
  throw new BrainError('invalid', 'seed must be an integer between 0 and 999999999')
}

export function configureDream(command: Command, open: () => Session): void {
  command
    .option('--max <integer>', 'maximum number of dreams (default: the setting dream.max, 5)')
    .option('--seed <integer>', 'vary the wording; the same brain and seed dream the same')
    .action(async (options: { max?: string; seed?: string }) => {
      const session = open()
      const seed = readSeed(options.seed)
      const { hostTimeZone, seedOf } = await import('../../dreams/nightly.ts')
      const { dreamNight } = await import('../../dreams/night.ts')
      const { tidyIndex } = await import('../../sleep/reindex.ts')
      const { withSmallHeap } = await import('../../heap.ts')
      const { createReword } = await import('../../dreams/reword.ts')
      const { toWireDream } = await import('../../operations/dreams.ts')
      const kept = await session.withBrain('dream', async (brain, caller) => {
        const { config } = brain
        const now = Date.now()
        const limit = options.max === undefined ? config['dream.max'] : checkSetting('dream.max', options.max)
        const { terminal, warn } = session
        return interruptible(terminal, (signal) =>
          withProgress(terminal, async (progress) => {
            const dreams = await withSmallHeap(() =>
              dreamNight(brain.context(caller), {
                now,
                seed: seed ?? seedOf(now),
                timeZone: hostTimeZone(),
                // The check gives a number or throws.
                limit: limit as number,
                reword: createReword({ config, environment: terminal.environment, warn }),
                signal,
                onStep: progress.update,
              }),
            )
            await tidyIndex(brain.store, signal)
            return dreams
          }),
        )
      })
      const { style } = session
      await session.print({ dreams: kept.map(toWireDream) }, () => renderKept(kept, style))
    })
}

/** How many were kept and how each begins; `brain dreams` is the place to read them, and marks them read. */
function renderKept(kept: readonly Dream[], style: Style): string {
  if (kept.length === 0)
    return style.dim(
      'no thought worth keeping: nothing that notes of different days say together is new and sure enough',
    )
  const begins = ({ thought }: Dream): string => {
    const room = Math.max(30, Math.min(96, style.width - 6))
    return visible(excerptOf(thought, room))
  }
  const lines = kept.map((dream) => `${style.bold(String(dream.id).padStart(4))}  ${begins(dream)}`)
  const count = kept.length === 1 ? 'one thought' : `${kept.length} thoughts`
  return [`kept ${count}, unread: read them with \`brain dreams\``, ...lines].join('\n')
}
