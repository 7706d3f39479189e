/**
 * Whether what was said of one plan, that a flag does not apply to it, may be said of another: words of the flag itself tell
 * the two apart, however alike they are.
 */
import { readWarning, termsWithOrder } from './warning.ts'

/**
 * False where the plan has words of what the flag warns of that the other plan lacks, or lacks words of what it recommends or
 * asks for that the other plan has: `CREATE INDEX` is not `CREATE INDEX CONCURRENTLY`.
 */
export function createExemption(flag: string): (plan: string, exempted: string) => boolean {
  const { warned, safe } = readWarning(flag)
  const [grave, gentle] = [new Set(termsWithOrder(warned)), new Set(termsWithOrder(safe))]
  return (plan, exempted) => {
    const [own, other] = [new Set(termsWithOrder(plan)), new Set(termsWithOrder(exempted))]
    return (
      [...own].every((term) => other.has(term) || gentle.has(term) || !grave.has(term)) &&
      [...other].every((term) => own.has(term) || !gentle.has(term))
    )
  }
}
