import { startProgram } from '../../sqlite/host.ts'
import { textDecoder } from '../decode-text.ts'
import { ForeignTrouble } from '../foreign-database.ts'
import { type OpenedSource, type SourceWords, tablesOf } from '../source-engine.ts'
import type { OpenedServer, RefreshedServer, ServerRows } from './program.ts'
import { CONNECT_TIMEOUT_MS, GRACE_MS, STATEMENT_TIMEOUT_MS } from './session.ts'

/** Opens a server by its address. `wordsOf` receives the server's text encoding. */
export async function openServerSource(
  url: string,
  wordsOf: (encoding: string) => SourceWords,
  signal: AbortSignal,
): Promise<OpenedSource> {
  const program = new URL('./program.ts', import.meta.url)
  const timeoutMs = CONNECT_TIMEOUT_MS + STATEMENT_TIMEOUT_MS + 2 * GRACE_MS
  const host = await startProgram({ file: url, program, timeoutMs, access: 'none' })
  const abandon = (): void => host.abandon()
  signal.addEventListener('abort', abandon, { once: true })
  const close = (): void => {
    signal.removeEventListener('abort', abandon)
    host.abandon()
  }
  /** Once a thread is gone, its calls would reach a new one, which reads another moment. */
  const call = async <T extends object>(method: string, args: readonly unknown[]): Promise<Exclude<T, Failed>> => {
    if (host.generation > 0) throw new ForeignTrouble('the connection to the server was lost')
    const result = (await host.call(method, args).catch((error: unknown) => {
      throw new ForeignTrouble(
        `the connection to the server was abandoned: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    })) as T | Failed
    if ('problem' in result) throw new ForeignTrouble(result.problem)
    return result as Exclude<T, Failed>
  }

  try {
    const { encoding, catalogue } = await call<OpenedServer>('open', [])
    let tables = tablesOf(catalogue)
    return {
      source: {
        get tables() {
          return tables
        },
        words: wordsOf(encoding),
        query: async (sql) => (await call<ServerRows>('query', [sql])).rows,
        decodeText: textDecoder('UTF-8'),
        refresh: async () => {
          tables = tablesOf((await call<RefreshedServer>('refresh', [])).catalogue)
        },
        close: async () => close(),
      },
    }
  } catch (error) {
    close()
    if (error instanceof ForeignTrouble) return { problem: error.message }
    throw error
  }
}

interface Failed {
  readonly problem: string
}
