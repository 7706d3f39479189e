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

/** What an address may say about the connection: beside these nothing, since a mistyped `sslmod` would connect in the clear. */
const parameters: ReadonlySet<string> = new Set(
  `application_name channel_binding client_encoding connect_timeout fallback_application_name gssencmode host hostaddr
  keepalives keepalives_count keepalives_idle keepalives_interval load_balance_hosts options port ssl sslcert sslkey
  sslmode sslnegotiation sslrootcert target_session_attrs tcp_user_timeout uselibpqcompat user`.split(/\s+/),
)
/** How the server is verified: these all by its certificate and its name. */
const verified: ReadonlySet<string> = new Set(['prefer', 'require', 'verify-ca', 'verify-full'])
const sslModes = 'disable, verify-full or, where nobody checks who answers, no-verify'

/** What is wrong with the parameters of an address, as a rule; undefined where nothing is. */
export function wrongParameter(url: URL): string | undefined {
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.has(name))
  if (unknown !== undefined)
    return `must have no parameter ${unknown}: it may have ${[...parameters].join(', ')}`
  const mode = url.searchParams.get('sslmode') ?? 'verify-full'
  return verified.has(mode) || mode === 'disable' || mode === 'no-verify'
    ? undefined
    : `must have sslmode ${sslModes}`
}

/** The parameters of an address that name files. */
export const filesOf = ({ searchParams }: URL): string[] =>
  ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => searchParams.get(name) ?? [])

/** An address as the driver takes it: weaker words for a verified connection are its `verify-full`, of which it warns. */
export function forDriver(address: string, password: string | undefined): string {
  const url = new URL(address)
  if (verified.has(url.searchParams.get('sslmode') ?? '') && !url.searchParams.has('uselibpqcompat'))
    url.searchParams.set('sslmode', 'verify-full')
  // It ignores a password that is passed next to an address, so it is put into the address.
  if (password !== undefined) url.password = encodeURIComponent(password)
  return url.href
}

/** An address without connection parameters, which identifies the store; as it is, where it is none that can be read. */
export function nameOfStore(address: string): string {
  const all = addressesOf(address)
  if (!all.every((one) => URL.canParse(one))) return address
  const urls = all.map((one) => new URL(one))
  const servers = urls.map(
    ({ hostname, port, searchParams }) => `${searchParams.get('host') ?? hostname}:${port || '5432'}`,
  )
  return `postgres:${servers.join(',')}${urls[0]?.pathname ?? ''}`
}
