import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { Agent, type Dispatcher } from 'undici'

/**
 * A minimal relay in Node: `node:http` in front, undici's `dispatch` behind, no knowledge of tokens, money or events. Its distance
 * from Sluice is the cost of Sluice's own work; its distance from nginx is the cost of Node. Usage: `node bare-relay.ts <upstream
 * address>`; prints its own.
 */
const [upstream = ''] = process.argv.slice(2)
const origin = new URL(upstream).origin
const agent = new Agent({ connections: 2_048, headersTimeout: 60_000, bodyTimeout: 60_000 })

const server = createServer((request, reply) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const headers = ['content-type', 'application/json', 'authorization', request.headers.authorization ?? '']
    const relaying = new Relaying(reply)
    agent.dispatch({ origin, path: request.url ?? '/', method: 'POST', headers, body: Buffer.concat(chunks) }, relaying)
    reply.on('close', () => relaying.stop())
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port} is ready`)
})
process.once('SIGTERM', () => process.exit(0))

class Relaying implements Dispatcher.DispatchHandler {
  readonly #reply: ServerResponse
  #controller: Dispatcher.DispatchController | undefined

  constructor(reply: ServerResponse) {
    this.#reply = reply
  }

  stop(): void {
    if (!this.#reply.writableFinished) this.#controller?.abort(new Error('the client left'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    const { 'content-type': type = '', 'content-length': length } = headers
    this.#reply.writeHead(status, { 'content-type': type, ...(length !== undefined && { 'content-length': length }) })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#reply.write(chunk)) return
    controller.pause()
    this.#reply.once('drain', () => controller.resume())
  }

  onResponseEnd(): void {
    this.#reply.end()
  }

  onResponseError(): void {
    this.#reply.destroy()
  }
}
