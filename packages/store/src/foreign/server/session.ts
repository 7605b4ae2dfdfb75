import type { Socket } from 'node:net'
import type { ForeignValue } from '../foreign-database.ts'
import type { CatalogueRow } from '../source-engine.ts'

export const CONNECT_TIMEOUT_MS = 10_000
/** For one statement, at the server. */
export const STATEMENT_TIMEOUT_MS = 300_000
/** What the network may add before a connection counts as dead. */
export const GRACE_MS = 10_000

/** A connection to a server, in a thread of its own. Everything rejects with the driver's error. */
export interface ServerSession {
  /** How the server keeps texts, in its own words. */
  readonly encoding: string
  query(sql: string): Promise<ForeignValue[][]>
  catalogue(): Promise<readonly CatalogueRow[]>
  /** Ends the moment and begins another. */
  begin(): Promise<void>
}

/** Sentences of one engine about its server. */
export interface ServerDriver {
  /** "PostgreSQL server" */
  readonly kind: string
  /** The engine's own codes, as second halves of a sentence. */
  readonly problems: ReadonlyMap<string, string>
  connect(url: string): Promise<ServerSession>
}

/** More than any statement of ours asks for. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024
const LOOK_MS = 50

/** Bounds what a server makes this process hold: the drivers gather an answer in memory until it is whole. */
export interface ByteLimit {
  /** What was received so far belongs to an earlier answer. */
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
