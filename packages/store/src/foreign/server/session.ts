import type { ForeignValue } from '../foreign-database.ts'
import type { CatalogueRow } from '../source-engine.ts'

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
