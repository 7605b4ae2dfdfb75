import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { METRICS_TYPE } from '@sluice/observe/metrics/metrics'

export type MetricsListener = (request: IncomingMessage, reply: ServerResponse) => void

/**
 * Shows the metrics to a caller with the bearer token. Without a configured token, the page does not exist. Concurrent scrapes
 * share one text, so no caller can make the gateway write it more than once at a time.
 */
export function createMetricsListener(token: string, read: () => Promise<string>): MetricsListener {
  let reading: Promise<string> | undefined
  const expected = digest(token)
  return (request, reply) => {
    if (token === '') return answer(reply, 404, 'not found\n')
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(reply, 405, 'GET only\n', ['Allow', 'GET'])
    const [scheme = '', presented = ''] = (request.headers.authorization ?? '').split(' ')
    if (scheme.toLowerCase() !== 'bearer' || !timingSafeEqual(digest(presented), expected)) {
      return answer(reply, 401, 'the token from SLUICE_METRICS_TOKEN is required\n', ['WWW-Authenticate', 'Bearer'])
    }
    reading ??= read().finally(() => {
      reading = undefined
    })
    reading.then(
      (text) => answer(reply, 200, text, [], METRICS_TYPE),
      () => answer(reply, 500, 'the metrics could not be read\n'),
    )
  }
}

/** A digest has the same length for every input. */
const digest = (text: string) => hash('sha256', text, 'buffer')

function answer(
  reply: ServerResponse,
  status: number,
  body: string,
  headers: readonly string[] = [],
  type = 'text/plain; charset=utf-8',
): void {
  if (reply.destroyed) return
  const length = String(Buffer.byteLength(body))
  const head = ['Content-Type', type, 'Content-Length', length, 'Cache-Control', 'no-store', ...headers]
  reply.writeHead(status, head).end(body)
}
