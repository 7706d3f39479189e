/** The part of pgpass that is used here; it comes without types. */
declare module 'pgpass' {
  import type { ClientConfig } from 'pg'
  /** Looks for a password in the file that PGPASSFILE names, else in ~/.pgpass. */
  export default function findPassword(
    connection: ClientConfig,
    found: (password: string | undefined) => void,
  ): void
}
