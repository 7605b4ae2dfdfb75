import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { specifiedReply } from './specified-replies.ts'

interface GatewayProxy {
  readonly url: string
  close(): Promise<void>
}

interface GatewayProxyOptions {
  /** `specified` limits management replies to what the specification names. */
  readonly replies: 'whole' | 'specified'
  readonly delayMs: number
}

/** A server of the family answers like this for a path that it does not have. */
const NO_ROUTE = JSON.stringify({
  error: { message: 'Invalid URL', type: 'invalid_request_error', param: '', code: '' },
})

export async function openGatewayProxy(gatewayUrl: string, options: GatewayProxyOptions): Promise<GatewayProxy> {
  const server = createServer((incoming, answer) => {
    // A browser that disconnects also ends its request.
    pass(gatewayUrl, options, incoming, answer).catch(() => answer.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function pass(
  gatewayUrl: string,
  { replies, delayMs }: GatewayProxyOptions,
  incoming: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = incoming
  const path = url.replace(/\?.*/, '')
  const isManaged = replies === 'specified' && path.startsWith('/api/')
  // Compressed replies could not be read here.
  const { 'accept-encoding': encoding, ...headers } = incoming.headers
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const upstream = request(new URL(url, gatewayUrl), {
      method,
      headers: isManaged ? headers : { ...headers, ...(encoding !== undefined && { 'accept-encoding': encoding }) },
    })
    upstream.on('response', resolve).on('error', reject)
    answer.on('close', () => upstream.destroy())
    incoming.pipe(upstream)
  })
  if (delayMs > 0) await delay(delayMs)
  const isJson = reply.headers['content-type']?.includes('json') === true
  if (!isManaged || !isJson) {
    answer.writeHead(reply.statusCode ?? 502, reply.headers)
    await pipeline(reply, answer)
    return
  }
  const specified = specifiedReply(method, path, JSON.parse(await text(reply)))
  const { 'content-length': _, 'transfer-encoding': __, etag: ___, ...kept } = reply.headers
  answer.writeHead(specified === undefined ? 404 : (reply.statusCode ?? 502), kept)
  answer.end(specified === undefined ? NO_ROUTE : JSON.stringify(specified))
}
