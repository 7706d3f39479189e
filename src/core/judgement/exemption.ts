/**
 * Whether what was said of one plan, that a flag does not apply to it, may be said of another: words of the flag itself tell
 * the two apart, however alike they are.
 */
import { isStopTerm, toPlainTerms } from '../words.ts'
import { readWarning, type WarningReading } from './warning.ts'

/** Stop words that make a plan another one: "one at a time" and "all at once". */
const telling = new Set(
  toPlainTerms(
    'all any both before after each every first never no not once one only together two whole without',
  ),
)

const termsOf = (text: string): string[] =>
  toPlainTerms(text).filter((term) => telling.has(term) || !isStopTerm(term))

/** Terms of what a warning recommends or asks for, and of nothing that it warns of: "one at a time" beside "all at once". */
export function saferTerms({ warned, safe }: Pick<WarningReading, 'warned' | 'safe'>): Set<string> {
  const grave = new Set(termsOf(warned.replace(/\bwithout\b.*/is, '')))
  return new Set(termsOf(safe).filter((term) => !grave.has(term)))
}

/**
 * False where the plan has words of what the flag warns of that the other plan lacks, or lacks words of what it recommends or
 * asks for that the other plan has: `CREATE INDEX` is not `CREATE INDEX CONCURRENTLY`.
 */
export function createExemption(flag: string): (plan: string, exempted: string) => boolean {
  const { warned, safe } = readWarning(flag)
  const [grave, gentle] = [new Set(termsOf(warned)), new Set(termsOf(safe))]
  return (plan, exempted) => {
    const [own, other] = [new Set(termsOf(plan)), new Set(termsOf(exempted))]
    return (
      [...own].every((term) => other.has(term) || gentle.has(term) || !grave.has(term)) &&
      [...other].every((term) => own.has(term) || !gentle.has(term))
    )
  }
}
