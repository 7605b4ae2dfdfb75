import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { AddressGuard } from './address-guard.ts'

/** A request made to see how it changes on the way; it must not contain anything secret. */
export interface ObservedRequest {
  readonly method: 'GET' | 'POST'
  /** http or https. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly upgrade?: true
  /** Announces a body of this many bytes, waits for the permission to send it, and leaves. */
  readonly announcedBytes?: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface ServerCertificate {
  /** Unix milliseconds. */
  readonly validUntil: number
  /** A code such as `CERT_HAS_EXPIRED`; empty when clients trust it for this name. */
  readonly distrust: string
}

/** A part of an answer's body, and its arrival in ms of a monotonic clock. */
export interface ArrivedPiece {
  readonly at: number
  readonly text: string
}

export type Observed =
  | {
      readonly ok: true
      /** 100 when the announced body may be sent, 101 when the connection became a websocket. */
      readonly status: number
      readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
      readonly pieces: readonly ArrivedPiece[]
      /** Undefined without TLS. */
      readonly certificate: ServerCertificate | undefined
    }
  | { readonly ok: false; readonly reason: string }

/** Bytes read of an answer. */
const MAX_BYTES = 65_536

/** Makes one guarded request on its own connection, without redirects. Only reports an untrusted certificate. Never rejects. */
export function observeRequest(guard: AddressGuard, asked: ObservedRequest, steady: () => number): Promise<Observed> {
  const { method, url, headers, upgrade, announcedBytes, timeoutMs, signal } = asked
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && !guard.allows(host)) return Promise.resolve(faultOf('SLUICE_ADDRESS_REFUSED'))
  const { promise, resolve } = Promise.withResolvers<Observed>()
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const options = {
    method,
    agent: false,
    lookup: guard.lookup,
    signal: limit,
    headers: {
      ...headers,
      ...(upgrade === true ? UPGRADE : { connection: 'close' }),
      ...(announcedBytes === undefined ? {} : { 'content-length': String(announcedBytes), expect: '100-continue' }),
    },
  }
  const sent =
    url.protocol === 'https:'
      ? secureRequest(url, { ...options, rejectUnauthorized: false })
      : plainRequest(url, options)
  const end = (observed: Observed): void => {
    resolve(observed)
    sent.destroy()
  }
  const seen = (status: number, answer?: IncomingMessage, pieces: readonly ArrivedPiece[] = []): void =>
    end({ ok: true, status, headers: answer?.headers ?? {}, pieces, certificate: certificateOf(sent) })
  sent.on('error', (error: NodeJS.ErrnoException) => end(faultOf(limit.aborted ? 'ETIMEDOUT' : (error.code ?? ''))))
  sent.on('continue', () => seen(100))
  sent.on('upgrade', (answer, socket) => {
    seen(101, answer)
    socket.destroy()
  })
  sent.on('response', (answer) => {
    const pieces: ArrivedPiece[] = []
    let bytes = 0
    const whole = (): void => seen(answer.statusCode ?? 0, answer, pieces)
    answer.on('data', (piece: Buffer) => {
      bytes += piece.length
      pieces.push({ at: steady(), text: piece.toString() })
      if (bytes > MAX_BYTES) whole()
    })
    answer.on('end', whole)
    answer.on('error', (error: NodeJS.ErrnoException) => end(faultOf(limit.aborted ? 'ETIMEDOUT' : (error.code ?? ''))))
  })
  if (announcedBytes === undefined) sent.end()
  else sent.flushHeaders()
  return promise
}

/** A key like those of browsers (RFC 6455, section 4.1); nothing depends on its value. */
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'c2x1aWNlIGRvY3RvciBhc2s=',
}

function certificateOf({ socket }: ClientRequest): ServerCertificate | undefined {
  if (!(socket instanceof TLSSocket)) return undefined
  const validUntil = Date.parse(socket.getPeerCertificate().valid_to)
  const problem: unknown = socket.authorizationError
  return { validUntil, distrust: socket.authorized ? '' : codeOf(problem) }
}

/** Node sets a code here, despite its types. */
function codeOf(problem: unknown): string {
  if (typeof problem === 'string') return problem
  return problem instanceof Error && 'code' in problem && typeof problem.code === 'string' ? problem.code : 'UNTRUSTED'
}

const REASONS: Readonly<Record<string, string>> = {
  SLUICE_ADDRESS_REFUSED: 'its address is not allowed',
  ENOTFOUND: 'its name cannot be resolved',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  ECONNREFUSED: 'nothing is listening there',
  ETIMEDOUT: 'it did not answer in time',
}

function faultOf(code: string): Observed {
  return { ok: false, reason: REASONS[code] ?? `the connection failed${/^\w{1,40}$/.test(code) ? ` (${code})` : ''}` }
}
