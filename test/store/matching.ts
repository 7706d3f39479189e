import type { KeywordMatch, Store } from '../../src/store/store.ts'

/** The memories of a project that hold any of the terms, best first. */
export const matchingOf = async (
  { index }: Store,
  { project = 'mine', terms, limit = 10 }: { project?: string; terms: readonly string[]; limit?: number },
): Promise<KeywordMatch[]> =>
  index.matching(project, { terms, statistics: await index.termStatistics(project, terms), limit })
