/** Addresses of databases as text: which servers one names. Connects to nothing. */

const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/i

/** One address for each server that an address names, in its order: `postgres://user@one:5432,two/database` names two. */
export function addressesOf(address: string): string[] {
  const [, before = '', hosts = '', after = ''] = parts.exec(address) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => before + host + after) : [address]
}
