/** Conditions of a composed statement, with their values: PostgreSQL numbers what others write as a question mark. */
import type { Value } from './transaction.ts'

/** A condition, in which a question mark stands for each of the values. */
export type Condition = readonly [sql: string, ...values: Value[]]

/** SQL with its question marks numbered from `first` on. */
export function numbered(sql: string, first = 1): string {
  let at = first - 1
  return sql.replace(/\?/g, () => {
    at += 1
    return `$${at}`
  })
}

/** All of the conditions, and their values in order. */
export const joined = (conditions: readonly Condition[]): { where: string; values: Value[] } => ({
  where: numbered(conditions.map(([sql]) => sql).join(' AND ')),
  values: conditions.flatMap(([, ...values]) => values),
})
