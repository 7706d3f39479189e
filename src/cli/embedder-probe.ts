/** Tries an embedder out when it is chosen, so that nobody learns only from recall that it cannot embed. */
import { loadConfig } from '../config/load.ts'
import { isPlainEmbedder } from '../core/embedders.ts'
import { reasonOf } from '../core/errors.ts'
import type { ModelIdentity } from '../models/embedder.ts'
import { createEmbedderPool } from '../models/pool.ts'
import type { Session } from './session.ts'

/**
 * Opens the embedder that the settings of `directory` ask for with these before all others; undefined if that is none.
 * @throws BrainError with the remedy.
 */
export async function probe(
  session: Session,
  settings: Readonly<Record<string, unknown>>,
  { directory = session.find(), warn = session.warn } = {},
): Promise<ModelIdentity | undefined> {
  const { environment } = session.terminal
  const config = await loadConfig({
    ...(directory !== undefined && { directory }),
    environment,
    asked: { name: 'the command line', values: settings },
    warn,
  })
  if (config.embedder === 'none') return undefined
  const pool = createEmbedderPool({ config, environment, warn })
  try {
    const { identity } = await pool.configured()
    return identity
  } finally {
    await pool.close()
  }
}

/** @throws BrainError `invalid` for settings that name a model which nobody knows. */
export async function requireKnownModel({ embedder }: Readonly<Record<string, unknown>>): Promise<void> {
  if (typeof embedder !== 'string' || isPlainEmbedder(embedder)) return
  const { getModel } = await import('../models/installed-models.ts')
  getModel(embedder)
}

/** Warns, with the remedy, where settings just written ask for an embedder that cannot embed yet: others may follow. */
export async function warnOfEmbedder(
  session: Session,
  settings: Readonly<Record<string, unknown>>,
  directory = session.find(),
): Promise<void> {
  if (!Object.keys(settings).some((name) => /^embedder\b/.test(name))) return
  try {
    await probe(session, settings, { directory, warn: () => {} })
  } catch (error) {
    session.warn(`the embedder cannot be used yet: ${reasonOf(error)}`)
  }
}
