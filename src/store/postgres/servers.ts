/**
 * Which of the servers that an address names is connected to: where there are several, the one that takes writes. Knows how
 * the driver is told; `connection.ts` decides what is done when one is lost.
 */
import { accessSync, constants } from 'node:fs'
import pg from 'pg'
import pgpass from 'pgpass'
import { BrainError } from '../../core/errors.ts'
import { addressesOf, filesOf, forDriver } from '../../core/store-address.ts'

/** What the driver is given to connect. @throws BrainError `storage` naming a file of the address that cannot be read. */
export function toDriver(address: string, password: string | undefined): string {
  for (const file of filesOf(new URL(address))) {
    try {
      accessSync(file, constants.R_OK)
    } catch (error) {
      throw new BrainError(
        'storage',
        `cannot read ${file}, which the address of the database names: check its path and who may read it`,
        { cause: error },
      )
    }
  }
  return forDriver(address, password)
}

/** A connection that looks into `~/.pgpass` where it is given no password. */
export class Client extends pg.Client {
  constructor(options: pg.ClientConfig) {
    super(options)
    // The driver leaves open what asks for a password it lacks, and the process would not end before the server closes it.
    this.connection.once('error', () => this.connection.stream.destroy())
    // The driver would do so too, and warn the user that its next version will not.
    if (this.password === null)
      Object.assign(this, { password: () => new Promise((found) => pgpass(this, found)) })
  }
}

/** With the code that a standby server answers a write with. */
class OnStandby extends Error {
  readonly code = '25006'
}

export class Servers {
  readonly #addresses: readonly string[]
  #at = 0

  constructor(address: string, password: string | undefined) {
    this.#addresses = addressesOf(address).map((one) => toDriver(one, password))
  }

  get count(): number {
    return this.#addresses.length
  }

  /** The one that is connected to now. */
  get current(): string {
    return this.#addresses[this.#at] ?? ''
  }

  /** Goes on to the next, unless another did since `address` was the current one. */
  passOver(address: string): void {
    if (address === this.current) this.#at = (this.#at + 1) % this.count
  }

  /** A connection of the pool. */
  get Client(): typeof pg.Client {
    const servers = this
    return class extends Client {
      constructor(options?: pg.ClientConfig) {
        super({ ...options, connectionString: servers.current })
      }
    }
  }

  /** Of a new connection. @throws where there are several and this one takes no writes, as a standby does not. */
  async require(client: pg.ClientBase): Promise<void> {
    if (this.count === 1) return
    const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
    if (rows[0]?.standby !== false) throw new OnStandby('this is a standby')
  }
}
