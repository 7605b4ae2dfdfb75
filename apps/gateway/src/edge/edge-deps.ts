import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '@sluice/contract/errors'
import type { Callers } from './client-address.ts'
import type { DroppedBy } from './client-connections.ts'
import type { AcceptedOnSocket, Accepted } from './exchange.ts'
import type { RefusalBody } from './write-refusal.ts'

export interface EdgeDeps {
  readonly limits: {
    readonly bodyLimit: number
    readonly bodyMemory: number
    /** Bytes of one plain answer, and of all answers still being collected or read. */
    readonly answerLimit: number
    readonly answerMemory: number
    readonly bodyTimeoutMs: number
    /** Least bytes per second at which a body must arrive. */
    readonly bodyRate: number
    readonly maxRequests: number
    /** One network can have half of them. Unlimited when absent. */
    readonly maxConnections?: number
    /** How long a client may leave sent bytes unread. */
    readonly clientStallMs: number
  }
  /** Path prefix that a proxy passes on, such as `/ai`; empty for none. The handlers below get paths without it. */
  readonly basePath: string
  readonly callers: Callers
  readonly now: () => number
  /** 32 hex characters. */
  readonly newId: () => string
  /** The paid path. Never rejects; a rejection is a bug and logged as one. */
  readonly relay: (accepted: AcceptedOnSocket) => Promise<void>
  readonly management: (request: IncomingMessage, reply: ServerResponse) => void
  readonly metrics: (request: IncomingMessage, reply: ServerResponse) => void
  /** Writes refusals on relay paths in the form that their callers expect. */
  readonly refusalBody: (caller: Pick<Accepted, 'path' | 'headers'>) => RefusalBody
  /** Called with the code of each request that is refused here; must return at once. */
  readonly onRefused: (code: string) => void
  /** Serves the console's files, for every other path. */
  readonly console: (request: IncomingMessage, reply: ServerResponse, path: string, requestId: string) => void
  /** Empty when the database answers, otherwise the reason. Never rejects. */
  readonly databaseProblem: () => Promise<string>
  /** Called when connections were closed before any request: their number since the last call, and the limit for the first. */
  readonly onDropped?: (count: number, by: DroppedBy) => void
  /** A reason to refuse relayed requests early. */
  readonly overload: () => Refusal | undefined
  readonly log: { error(fields: object, message: string): void }
}
