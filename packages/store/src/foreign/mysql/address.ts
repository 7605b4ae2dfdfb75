import { decoded } from '../server/server-problem.ts'

export interface MysqlAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** `verified`: with a certificate that this machine trusts. */
  readonly tls: 'none' | 'unverified' | 'verified'
}

const PORT = 3306
const TLS: ReadonlyMap<string, MysqlAddress['tls']> = new Map([
  ['true', 'verified'],
  ['skip-verify', 'unverified'],
  ['false', 'none'],
])
/** Parameters of the family's addresses that have no effect here. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['charset', 'collation', 'parseTime', 'loc', 'timeout'])

/**
 * Reads `mysql://user:password@host:3306/database?tls=true`. `tls` (or `ssl`) is `true`, `skip-verify` (any certificate) or
 * `false`, as in the addresses of One API; without it the connection is not encrypted. A problem never quotes the address.
 */
export function mysqlAddress(url: string): MysqlAddress | { readonly problem: string } {
  if (!URL.canParse(url))
    return {
      problem:
        'the address of the MySQL server is not valid; special characters in the password must be percent-encoded',
    }
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const database = decoded(pathname.slice(1))
  if (hostname === '') return { problem: 'the address of the MySQL server does not contain a host' }
  if (database === '')
    return {
      problem: 'the address of the MySQL server does not contain a database: mysql://user:password@host:3306/database',
    }
  let tls: MysqlAddress['tls'] = 'none'
  for (const [name, value] of searchParams) {
    const chosen = name === 'tls' || name === 'ssl' ? TLS.get(value) : undefined
    if (chosen !== undefined) tls = chosen
    else if (name === 'tls' || name === 'ssl')
      return { problem: `the parameter ${name} of the MySQL server's address must be true, skip-verify or false` }
    else if (!WITHOUT_EFFECT.has(name))
      return { problem: 'the address of the MySQL server has an unknown parameter; only tls is allowed' }
  }
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? PORT : Number(port),
    user: decoded(username),
    password: decoded(password),
    database,
    tls,
  }
}
