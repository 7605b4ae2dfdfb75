import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '@sluice/contract/errors'
import type { Callers } from './client-address.ts'
import type { DroppedBy } from './client-connections.ts'
import type { AcceptedOnSocket, Accepted } from './exchange.ts'
import type { RefusalBody } from './write-refusal.ts'

/** What the edge is opened with. */
export interface EdgeDeps {
  readonly limits: {
    readonly bodyLimit: number
    readonly bodyMemory: number
    /** Bytes of one plain answer, and of all answers that are still being collected or read. */
    readonly answerLimit: number
    readonly answerMemory: number
    readonly bodyTimeoutMs: number
    /** Bytes per second at which a body must arrive, at least. */
    readonly bodyRate: number
    /** Requests open at the same time, whatever they are waiting for. */
    readonly maxRequests: number
    /** Client connections open at the same time, of which one network can have half. Unlimited when absent. */
    readonly maxConnections?: number
    /** How long a client may leave sent bytes unread. */
    readonly clientStallMs: number
  }
  /**
   * Prefix of every path that a proxy passes on unchanged, such as `/ai`; empty for none. Everything below gets paths without it.
   */
  readonly basePath: string
  readonly callers: Callers
  readonly now: () => number
  /** 32 hex characters. */
  readonly newId: () => string
  /** The paid path. Never rejects; a rejection is a bug and is logged as one. */
  readonly relay: (accepted: AcceptedOnSocket) => Promise<void>
  /** The management API, as a listener of `node:http`. */
  readonly management: (request: IncomingMessage, reply: ServerResponse) => void
  /** What monitoring reads. */
  readonly metrics: (request: IncomingMessage, reply: ServerResponse) => void
  /** Writes refusals on paths of the relay in the form that their callers expect. */
  readonly refusalBody: (caller: Pick<Accepted, 'path' | 'headers'>) => RefusalBody
  /** Called for requests that are refused here, with their code; must return at once. */
  readonly onRefused: (code: string) => void
  /** The console's files, for every other path. */
  readonly console: (request: IncomingMessage, reply: ServerResponse, path: string, requestId: string) => void
  /** Empty when the database answers, otherwise why not. Never rejects. */
  readonly databaseProblem: () => Promise<string>
  /**
   * Called when connections were closed before any request arrived on them, with their number since the last call and the limit
   * that the first one met.
   */
  readonly onDropped?: (count: number, by: DroppedBy) => void
  /** A reason to refuse relayed requests early. */
  readonly overload: () => Refusal | undefined
  readonly log: { error(fields: object, message: string): void }
}
