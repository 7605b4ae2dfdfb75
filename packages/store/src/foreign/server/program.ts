import type { OpenUnconnectedProgram } from '../../sqlite/program.ts'
import type { ForeignValue } from '../foreign-database.ts'
import type { CatalogueRow } from '../source-engine.ts'
import { secretsOf, serverProblem } from './server-problem.ts'
import type { ServerDriver, ServerSession } from './session.ts'

/** The methods' results; a problem is a whole sentence. */
export type OpenedServer = { readonly encoding: string; readonly catalogue: readonly CatalogueRow[] } | Problem
export type ServerRows = { readonly rows: ForeignValue[][] } | Problem
export type RefreshedServer = { readonly catalogue: readonly CatalogueRow[] } | Problem
interface Problem {
  readonly problem: string
}

/**
 * The program that talks to a server. It runs in a thread, because a driver that meets a malformed answer may throw an error that
 * nothing can catch; this then ends only the thread.
 */
export const open: OpenUnconnectedProgram = (url) => {
  let driver: ServerDriver | undefined
  let session: ServerSession | undefined
  const attempt = async <T>(work: () => Promise<T>): Promise<T | Problem> => {
    try {
      return await work()
    } catch (error) {
      return { problem: `the ${driver?.kind} ${serverProblem(error, driver?.problems ?? new Map(), secretsOf(url))}` }
    }
  }
  const opened = (): ServerSession => {
    if (session === undefined) throw new Error('the server was not opened')
    return session
  }
  return {
    open: async (): Promise<OpenedServer> => {
      const loaded = await driverOf(url)
      driver = loaded
      return await attempt(async () => {
        const connected = await loaded.connect(url)
        session = connected
        await connected.begin()
        return { encoding: connected.encoding, catalogue: await connected.catalogue() }
      })
    },
    query: (sql: string): Promise<ServerRows> => attempt(async () => ({ rows: await opened().query(sql) })),
    refresh: (): Promise<RefreshedServer> =>
      attempt(async () => {
        await opened().begin()
        return { catalogue: await opened().catalogue() }
      }),
  }
}

async function driverOf(url: string): Promise<ServerDriver> {
  return url.startsWith('mysql:')
    ? (await import('../mysql/driver.ts')).MYSQL
    : (await import('../postgres/driver.ts')).POSTGRES
}
