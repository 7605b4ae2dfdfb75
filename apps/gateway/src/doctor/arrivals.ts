import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Callers } from '../edge/client-address.ts'

/** Where a gateway reports how a doctor's request arrived. Does not exist for callers without a currently issued value. */
export const ARRIVAL_PATH = '/api/doctor/arrival'
export const ARRIVAL_HEADER = 'sluice-doctor'
const VALUE = /^[0-9a-f]{64}$/
/** Pause before the second part of the answer, in ms: proxies that hold back streams pass on the part that comes with the head. */
const HEAD_MS = 100
/** Pause before the third part, in ms: too long to be chance. */
const PAUSE_MS = 400
export const SECOND_PART = 'data: second'

export interface Arrival {
  /** Proves that the answer is from a gateway that knows the value: see `proofOf`. */
  readonly proof: string
  /** The address that connected to the gateway. `isTrusted`: SLUICE_TRUSTED_PROXIES names it. */
  readonly peer: string
  readonly isTrusted: boolean
  readonly isSecure: boolean
  readonly forwardedFor: string
  readonly forwardedProto: string
  readonly host: string
}

export const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex')
export const proofOf = (value: string): string => createHash('sha256').update(`arrived ${value}`).digest('hex')

export interface ArrivalDeps {
  readonly isOut: (valueHash: string) => Promise<boolean>
  readonly callers: Callers
  readonly pause: (ms: number) => Promise<void>
}

export interface Arrivals {
  /** Answers a request from the doctor. Returns false, without writing anything, for any other request. Never rejects. */
  readonly serve: (request: IncomingMessage, reply: ServerResponse) => Promise<boolean>
  /** True for a request that might be from the doctor: no others need a database look-up. */
  readonly isFor: (request: IncomingMessage) => boolean
}

/** Answers in three parts with pauses between them, so that the other end notices a proxy that holds back streams. */
export function createArrivals({ isOut, callers, pause }: ArrivalDeps): Arrivals {
  const valueOf = ({ method, url, headers }: IncomingMessage): string | undefined => {
    const value = headers[ARRIVAL_HEADER]
    const isIt = method === 'GET' && url === ARRIVAL_PATH && typeof value === 'string' && VALUE.test(value)
    return isIt ? value : undefined
  }
  return {
    isFor: (request) => valueOf(request) !== undefined,
    serve: async (request, reply) => {
      const value = valueOf(request)
      if (value === undefined || !(await isOut(hashOf(value)).catch(() => false))) return false
      const { headers } = request
      const arrival: Arrival = {
        proof: proofOf(value),
        peer: callers.peerOf(request),
        isTrusted: callers.isFromProxy(request),
        isSecure: callers.isSecure(request),
        forwardedFor: textOf(headers['x-forwarded-for']),
        forwardedProto: textOf(headers['x-forwarded-proto']),
        host: headers.host ?? '',
      }
      // The headers of models' streamed answers, because a proxy must treat both alike.
      reply.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-cache',
        'X-Accel-Buffering': 'no',
      })
      reply.write(`data: ${JSON.stringify(arrival)}\n\n`)
      await pause(HEAD_MS)
      reply.write(`${SECOND_PART}\n\n`)
      await pause(PAUSE_MS)
      reply.end('data: [DONE]\n\n')
      return true
    },
  }
}

const textOf = (header: string | readonly string[] | undefined): string =>
  (typeof header === 'string' ? header : (header ?? []).join(', ')).slice(0, 1_000)
