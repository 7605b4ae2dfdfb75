import { isIP } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { type AddressGuard, AddressRefused } from './address-guard.ts'
import { takeInterimAnswers } from './interim-answers.ts'

/** Milliseconds. */
export interface StageTimeouts {
  readonly connectTimeoutMs: number
  readonly firstByteTimeoutMs: number
  readonly idleTimeoutMs: number
}

/** How long idle connections are kept: less than the idle time of common front ends. */
const KEEP_ALIVE_MS = 30_000
const MAX_HEADER_BYTES = 32_768

/**
 * The only way out of this process: a pool of HTTP/1.1 connections per origin, closed when unused. Every connection goes through
 * the address guard, redirects are never followed, and every stage has a time-out.
 */
export function openGuardedAgent(guard: AddressGuard, timeouts: StageTimeouts, connections: number): Dispatcher {
  const connect = buildConnector({
    timeout: timeouts.connectTimeoutMs,
    allowH2: false,
    lookup: guard.lookup,
    autoSelectFamily: true,
  })
  return new Agent({
    connections,
    pipelining: 1,
    allowH2: false,
    headersTimeout: timeouts.firstByteTimeoutMs,
    bodyTimeout: timeouts.idleTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: (options, callback) => {
      // A literal address never reaches `lookup`.
      if (isIP(options.hostname) !== 0 && !guard.allows(options.hostname)) return callback(new AddressRefused(), null)
      connect(options, (...connected) => {
        const [error, socket] = connected
        if (error === null && socket !== null) takeInterimAnswers(socket, timeouts.firstByteTimeoutMs)
        callback(...connected)
      })
    },
  })
}
