import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'

/** Connects a websocket client with `target`, and shows every message of the client. Resolves with the target's status. */
export function relayWebsocket(
  request: IncomingMessage,
  [socket, head]: readonly [Duplex, Buffer],
  target: URL,
  onMessage: (text: string) => void,
): Promise<number> {
  const { host: _host, connection: _connection, upgrade: _upgrade, ...headers } = request.headers
  const own = Object.entries(headers).filter(([name]) => !name.startsWith('sec-websocket-'))
  const upstream = new WebSocket(target, { headers: Object.fromEntries(own) })
  return new Promise((resolve) => {
    upstream.on('unexpected-response', (_, { statusCode: status = 502 }) => {
      socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      resolve(status)
    })
    upstream.on('error', () => socket.destroy())
    upstream.on('open', () => {
      resolve(101)
      new WebSocketServer({ noServer: true }).handleUpgrade(request, socket, head, (client) => {
        client.on('message', (data: Buffer) => {
          onMessage(data.toString())
          upstream.send(data.toString())
        })
        upstream.on('message', (data: Buffer) => client.send(data.toString()))
        client.on('close', () => upstream.close())
        upstream.on('close', () => client.close())
      })
    })
  })
}
