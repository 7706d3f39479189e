/**
 * The models in the package, each opened when it is first asked for: the built-in encoder, and those that read two texts at
 * once over its words. Knows which builds on which; what they compute is theirs.
 */
import type { BuiltinModel } from './builtin-model.ts'
import type { NightModel } from './night-model.ts'
import { once } from './once.ts'
import type { PairModel } from './pair-model.ts'

export interface ShippedModels {
  /** @throws BrainError `failed` when its files are missing or damaged. */
  encoder(): Promise<BuiltinModel>
  /** The encoder for its word pieces and table; undefined without it. */
  pieces(): Promise<BuiltinModel | undefined>
  /** For recall and the gut-check; undefined without its files or those of the encoder. */
  reader(): Promise<PairModel | undefined>
  /** For dreams; undefined without its files or those of the encoder. */
  nightReader(): Promise<NightModel | undefined>
  close(): void
}

/** Without what cannot be opened, since the rest does without it. */
const orNone =
  <T>(open: () => Promise<T>): (() => Promise<T | undefined>) =>
  () =>
    open().catch(() => undefined)

/** The models of a directory, or of the package; opens none. */
export function createShippedModels(directory?: string): ShippedModels {
  let opened: BuiltinModel | undefined
  const encoder = once(async () => {
    const { openBuiltinModel } = await import('./builtin-model.ts')
    opened = openBuiltinModel(directory)
    return opened
  })
  const reader = once(async () => {
    const { openPairModel } = await import('./pair-model.ts')
    return openPairModel(await encoder())
  })
  const nightReader = once(async () => {
    const { openNightModel } = await import('./night-model.ts')
    return openNightModel(await encoder())
  })
  return {
    encoder,
    pieces: orNone(encoder),
    reader: orNone(reader),
    nightReader: orNone(nightReader),
    close: () => opened?.close(),
  }
}
