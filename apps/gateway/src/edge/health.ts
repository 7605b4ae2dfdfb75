import type { ServerResponse } from 'node:http'

/** Time for the database to answer before the process counts as not ready. */
const READY_WITHIN_MS = 1_000

/**
 * `/healthz` and `/health` answer while the event loop turns. `/readyz` answers 200 only while new requests are welcome: not
 * draining, below the limits, database reachable within a second.
 */
export async function writeHealth(
  reply: ServerResponse,
  path: string,
  /** Empty when ready, otherwise the reason. Never rejects. */
  notReady: () => Promise<string>,
): Promise<void> {
  const reason = path === '/readyz' ? await within(notReady()) : ''
  const body = reason === '' ? 'ok\n' : `not ready: ${reason}\n`
  reply
    .writeHead(reason === '' ? 200 : 503, [
      'Content-Type',
      'text/plain; charset=utf-8',
      'Cache-Control',
      'no-store',
      'Content-Length',
      String(Buffer.byteLength(body)),
    ])
    .end(body)
}

async function within(check: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('the database does not answer'), READY_WITHIN_MS)
  })
  const reason = await Promise.race([check, late])
  clearTimeout(timer)
  return reason
}
