import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SiteRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface SiteReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Objects are sent as JSON. */
  readonly body?: object | string
}

export interface Site {
  readonly url: string
  readonly seen: readonly SiteRequest[]
  close(): Promise<void>
}

/** A small HTTP server on a free loopback port. When `answer` throws, the reply is 500 with the reason. */
export async function startSite(answer: (request: SiteRequest) => SiteReply | Promise<SiteReply>): Promise<Site> {
  const seen: SiteRequest[] = []
  const server = createServer((incoming, reply) => {
    void respond(incoming, reply).catch((error: unknown) => reply.writeHead(500).end(String(error)))
  })
  const respond = async (incoming: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await incoming.toArray()).toString()
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '', 'http://site')
    const request = { method: incoming.method ?? '', path, query, headers: incoming.headers, body }
    seen.push(request)
    const { status = 200, headers = {}, body: answered = '' } = await answer(request)
    const isText = typeof answered === 'string'
    reply.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
    reply.end(isText ? answered : JSON.stringify(answered))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
