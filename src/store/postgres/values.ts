/** How PostgreSQL's values become JavaScript's: its 8-byte integers are ids, counts and times, all of which a number holds. */
import pg from 'pg'

/** Numbers of types: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const types = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  int4s: 1007,
  int8s: 1016,
  numeric: 1700,
} as const

const toNumbers = (text: string): number[] =>
  text.length <= 2 ? [] : text.slice(1, -1).split(',').map(Number)

const fromText = new Map<number, (text: string) => unknown>([
  [types.int8, Number],
  [types.numeric, Number],
  [types.int4s, toNumbers],
  [types.int8s, toNumbers],
])

/** What the driver asks for each column's reader. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary' = 'text') =>
    (format === 'text' ? fromText.get(oid) : undefined) ??
    // Typed by the driver for every type one by one.
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}
