import type { Socket } from 'node:net'
import type { ForeignValue } from '../foreign-database.ts'
import type { CatalogueRow } from '../source-engine.ts'

export const CONNECT_TIMEOUT_MS = 10_000
/** Time-out of one statement, enforced by the server. */
export const STATEMENT_TIMEOUT_MS = 300_000
/** Allowance for the network before a connection counts as dead. */
export const GRACE_MS = 10_000

/** A connection to a server, in its own thread. Every failure rejects with the driver's error. */
export interface ServerSession {
  /** The server's text encoding, by its own name. */
  readonly encoding: string
  query(sql: string): Promise<ForeignValue[][]>
  catalogue(): Promise<readonly CatalogueRow[]>
  /** Moves on: later reads show the server as it is now. */
  begin(): Promise<void>
}

/** One engine's driver, with the wording of its messages about the server. */
export interface ServerDriver {
  /** "PostgreSQL server" */
  readonly kind: string
  /** The engine's own codes, as second halves of a sentence. */
  readonly problems: ReadonlyMap<string, string>
  connect(url: string): Promise<ServerSession>
}

/** More than any of our statements returns. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024
const LOOK_MS = 50

/** Limits how much memory a server's answer can take: the drivers collect an answer until it is complete. */
export interface ByteLimit {
  /** Restarts the count: bytes received so far belong to an earlier answer. */
  restart(): void
}

/** Cuts the connection when more than 256 MB arrived since the last `restart`. Works below TLS. */
export function limitBytes(socket: Socket): ByteLimit {
  let from = 0
  const timer = setInterval(() => {
    if (socket.bytesRead - from <= MAX_ANSWER_BYTES) return
    clearInterval(timer)
    socket.destroy(new Error('sent more than 256 MB at once'))
  }, LOOK_MS)
  timer.unref()
  return {
    restart: () => {
      from = socket.bytesRead
    },
  }
}
