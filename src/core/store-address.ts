/**
 * Addresses of stores as text: whether one names a database, and which servers. The only place that knows the schemes;
 * connects to nothing.
 */

const scheme = /^postgres(?:ql)?:/i

/** Whether an address, or its scheme, names a database rather than a file or directory. */
export const isDatabase = (address: string): boolean => scheme.test(address)

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/i

/** One address for each server that an address names, in its order: `postgres://user@one:5432,two/database` names two. */
export function addressesOf(address: string): string[] {
  const [, before = '', hosts = '', after = ''] = parts.exec(address) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [address]
}

/** An address without connection parameters, which identifies the store. */
export function nameOfStore(address: string): string {
  const urls = addressesOf(address).map((one) => new URL(one))
  const servers = urls.map(
    ({ hostname, port, searchParams }) => `${searchParams.get('host') ?? hostname}:${port || '5432'}`,
  )
  return `postgres:${servers.join(',')}${urls[0]?.pathname ?? ''}`
}
