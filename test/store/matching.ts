import type { KeywordMatch } from '../../src/store/candidates.ts'
import type { MemoryFilter } from '../../src/store/memory-life.ts'
import type { Store } from '../../src/store/store.ts'

interface Asked {
  readonly project?: string
  readonly terms: readonly string[]
  readonly limit?: number
  readonly among?: MemoryFilter
}

/** The memories of a project that hold any of the terms, best first. */
export const matchingOf = async (
  { index }: Store,
  { project = 'mine', terms, limit = 10, among = { now: 0 } }: Asked,
): Promise<readonly KeywordMatch[]> =>
  (await index.candidates(project, { terms, matches: limit, among, texts: false })).matches

/** What a gut-check finds by words alone. */
export const flagsOf = async (
  { index }: Store,
  { project = 'mine', terms, now = 0 }: { project?: string; terms: readonly string[]; now?: number },
) => {
  const { flags, held } = await index.flagCandidates(project, { terms, gravest: 200, now })
  return { flags, held }
}
