/** The storage port for reading another program's database: the rows of its tables, as data. Part of the port in `store.ts`. */

/** A row: its rowid and the requested columns. Texts above a megabyte, and blobs, are null. */
export type ForeignRow = Readonly<Record<string, string | number | null>>

/** Another program's database: read from a copy, row by row; nothing in it is run. */
export interface ForeignDatabase {
  /** Its tables and their columns, without views, virtual tables and tables with computed columns. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>
  /**
   * Rows in order of rowid; a missing column is null. Several readers may be active at once.
   * @throws BrainError `invalid` if the database is damaged.
   */
  rows(table: string, columns: readonly string[]): Generator<ForeignRow, void, undefined>
  /** The first row that has a value in a column, found row by row where there is no index. */
  find(
    table: string,
    where: { column: string; value: string },
    columns: readonly string[],
  ): ForeignRow | undefined
  close(): void
}
