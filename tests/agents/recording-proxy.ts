import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request as ask } from 'node:http'
import { relayWebsocket } from '@sluice/testkit/websocket-relay'

export interface SeenRequest {
  readonly method: string
  /** Path with its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly frames?: readonly string[]
  /** Status of the gateway's answer; 0 until it begins. */
  status: number
  losses: string
}

/** A plain relay in front of the gateway that records the traffic. */
export interface RecordingProxy {
  readonly url: string
  readonly seen: SeenRequest[]
  close(): Promise<void>
}

export async function openRecordingProxy(gateway: string): Promise<RecordingProxy> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const body = Buffer.concat(chunks)
      const entry = { method, path, headers, body: body.toString(), status: 0, losses: '' }
      seen.push(entry)
      const upstream = ask(new URL(path, gateway), { method, headers }, (answer) => {
        entry.status = answer.statusCode ?? 0
        entry.losses = String(answer.headers['x-sluice-losses'] ?? '')
        response.writeHead(entry.status, answer.headers)
        answer.pipe(response)
        answer.on('error', () => response.destroy())
      })
      upstream.on('error', () => response.destroy())
      response.on('close', () => upstream.destroy())
      upstream.end(body)
    })
  })
  server.on('upgrade', (request, socket, head) => {
    const { method = '', url: path = '', headers } = request
    const frames: string[] = []
    const entry = { method, path, headers, body: '', frames, status: 0, losses: '' }
    seen.push(entry)
    const target = new URL(path, gateway.replace(/^http/, 'ws'))
    void relayWebsocket(request, [socket, head], target, (text) => frames.push(text)).then((status) => {
      entry.status = status
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
