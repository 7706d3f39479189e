/** Two things of one sort: "the harbour kiosk" and "the station kiosk", week 11 and week 13, staging and production. */
import { caseStems } from './lexicon.ts'
import type { Night } from './material.ts'
import type { Pair } from './pairs.ts'
import { isContent, type Token } from './reading.ts'

/** Nouns whose numbers tell one of them from another. */
const numbering =
  /^(?:week|day|batch|round|invoic|build|version|ticket|issu|cycl|box|well|site|sprint|chapter|node|rack|gate|disk|room|step|phase|order|form|incub\w*|line|level|bai|unit|bike|car|van|kiosk|server|cluster)$/

/** The word before a shared one, where both notes have one of their own: "the harbour kiosk", "the station kiosk". */
export function areTwoOfASort(night: Night, pair: Pair): boolean {
  const [a, b] = [night.concordance.read(pair.earlier).tokens, night.concordance.read(pair.later).tokens]
  const shared = new Set(pair.shared.map((term) => night.concordance.termAt(term)))
  const modifiers = (tokens: readonly Token[], term: string): Set<string> =>
    new Set(
      tokens.flatMap((token, at) => {
        const before = tokens[at - 1]
        return token.term === term &&
          before !== undefined &&
          isContent(before) &&
          !shared.has(before.term) &&
          token.start - before.end <= 1 &&
          !/(?:ed|ing|s)$/.test(before.lower)
          ? [before.term]
          : []
      }),
    )
  for (const term of shared) {
    const [one, other] = [modifiers(a, term), modifiers(b, term)]
    if (one.size > 0 && other.size > 0 && ![...one].some((modifier) => other.has(modifier))) return true
  }
  // "Week 11" and "week 13", "incubator A" and "incubator B".
  const numberAfter = (tokens: readonly Token[], term: string): string | undefined => {
    const at = tokens.findIndex((token) => token.term === term)
    const next = tokens[at + 1]
    return next !== undefined && (next.kind === 'number' || /^[A-Z]$/.test(next.surface))
      ? next.lower
      : undefined
  }
  for (const term of new Set([...a, ...b].map((token) => token.term))) {
    const [one, other] = [numberAfter(a, term), numberAfter(b, term)]
    if (one !== undefined && other !== undefined && one !== other && numbering.test(term)) return true
  }
  const cases = (tokens: readonly Token[]): Set<string> =>
    new Set(tokens.filter(({ term }) => caseStems.has(term)).map(({ term }) => term))
  const [ours, theirs] = [cases(a), cases(b)]
  return ours.size > 0 && theirs.size > 0 && ![...ours].some((term) => theirs.has(term))
}
