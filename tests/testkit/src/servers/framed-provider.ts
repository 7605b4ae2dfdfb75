import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { eventsOf, responseOf, streamOf } from '../responses-upstream.ts'

/** OpenAI's Responses by POST and on websockets that remember their latest response. `metadata.behave`: a `Behaviour`. */
export interface FramedProvider {
  readonly url: string
  readonly asked: readonly AskedOfProvider[]
  readonly handshakes: readonly IncomingHttpHeaders[]
  readonly bytes: number
  readonly open: number
  /** Unsent bytes of open websockets. */
  readonly waiting: number
  /** Status with which upgrades are refused; undefined accepts them. */
  refusing: number | undefined
  location: string
  finish(): void
  /** Drops every websocket without a closing handshake. */
  drop(): void
  say(frame: string): void
  close(): Promise<void>
}

export interface AskedOfProvider {
  readonly transport: 'POST' | 'websocket'
  readonly json: Readonly<Record<string, unknown>>
  /** All known items of the conversation before the answer. */
  readonly conversation: readonly unknown[]
  readonly authorization: string
}

/**
 * hold → begins, and waits for `finish` · busy → error 429 · wrong → error 400. Only on a websocket: drop → cut before anything is
 * sent · busyFirst → error 429 if the conversation has a known previous response · mute → sends nothing · cut → cut in the middle ·
 * limit → the connection's time is over · forget → knows no previous response · odd → sends an invalid frame
 */
type Behaviour =
  | 'hold'
  | 'busy'
  | 'wrong'
  | 'drop'
  | 'mute'
  | 'busyFirst'
  | 'cut'
  | 'limit'
  | 'forget'
  | 'odd'
  | undefined

type Send = (event: object) => void

export async function startFramedProvider(): Promise<FramedProvider> {
  const asked: AskedOfProvider[] = []
  const handshakes: IncomingHttpHeaders[] = []
  const held: (() => void)[] = []
  let bytes = 0
  let refusing: number | undefined
  let location = ''
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      bytes += body.length
      const json = JSON.parse(body.toString() || '{}') as Record<string, unknown>
      const { authorization = '' } = request.headers
      asked.push({ transport: 'POST', json, conversation: itemsOf(json), authorization })
      answerPost(reply, json, held)
    })
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    handshakes.push(request.headers)
    if (refusing !== undefined) {
      const head = `HTTP/1.1 ${refusing} Refused\r\nLocation: ${location}\r\n`
      socket.end(`${head}Content-Length: 0\r\nConnection: close\r\n\r\n`)
      return
    }
    const { authorization = '' } = request.headers
    sockets.handleUpgrade(request, socket, head, (opened) => {
      converse(opened, held, (json, conversation, size) => {
        bytes += size
        asked.push({ transport: 'websocket', json, conversation, authorization })
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    handshakes,
    get bytes() {
      return bytes
    },
    get open() {
      return sockets.clients.size
    },
    get waiting() {
      return [...sockets.clients].reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0)
    },
    get refusing() {
      return refusing
    },
    set refusing(status) {
      refusing = status
    },
    get location() {
      return location
    },
    set location(url) {
      location = url
    },
    finish: () => {
      for (const end of held.splice(0)) end()
    },
    drop: () => {
      for (const client of sockets.clients) client.terminate()
    },
    say: (frame) => {
      for (const client of sockets.clients) client.send(frame)
    },
    close: async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const behaviourOf = (json: Readonly<Record<string, unknown>>) =>
  (json['metadata'] as { readonly behave?: Behaviour } | undefined)?.behave

function itemsOf({ input }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(input) ? input : [{ type: 'message', role: 'user', content: input }]
}

const ERRORS = {
  busy: { status: 429, error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'Slow down.' } },
  wrong: { status: 400, error: { type: 'invalid_request_error', code: 'odd', message: 'No.', param: 'tools' } },
  limit: { status: 400, error: { type: 'invalid_request_error', code: 'websocket_connection_limit_reached' } },
  forget: {
    status: 400,
    error: { type: 'invalid_request_error', code: 'previous_response_not_found', message: 'Not found.' },
  },
} as const

function answerPost(reply: ServerResponse, json: Readonly<Record<string, unknown>>, held: (() => void)[]): void {
  const behave = behaviourOf(json)
  if (behave === 'busy' || behave === 'wrong') {
    const { status, error } = ERRORS[behave]
    reply.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' }).end(JSON.stringify({ error }))
    return
  }
  const response = responseOf(`resp_${randomUUID()}`, String(json['model']))
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  if (behave !== 'hold') return void reply.end(streamOf(response))
  const events = streamOf(response)
  const begun = events.indexOf('event: response.output_text.done')
  reply.write(events.slice(0, begun))
  held.push(() => reply.end(events.slice(begun)))
}

function converse(
  socket: WebSocket,
  held: (() => void)[],
  onAsked: (json: Readonly<Record<string, unknown>>, conversation: readonly unknown[], size: number) => void,
): void {
  const send: Send = (event) => socket.send(JSON.stringify(event))
  let known: { readonly id: string; readonly items: readonly unknown[] } | undefined
  socket.on('error', () => {})
  socket.on('message', (data: Buffer) => {
    const { type, ...json } = JSON.parse(data.toString()) as Record<string, unknown>
    if (type !== 'response.create' || 'stream' in json) return send({ type: 'error', ...ERRORS.wrong })
    const previous = json['previous_response_id']
    const behave = behaviourOf(json)
    const isKnown = previous === undefined || (previous === known?.id && behave !== 'forget')
    const conversation = [...(previous === undefined ? [] : (known?.items ?? [])), ...itemsOf(json)]
    onAsked(json, isKnown ? conversation : [], data.length)
    if (!isKnown) return send({ type: 'error', ...ERRORS.forget })
    if (behave === 'busy' || (behave === 'busyFirst' && previous !== undefined))
      return send({ type: 'error', ...ERRORS.busy, headers: { 'Retry-After': 7 } })
    if (behave === 'wrong') return send({ type: 'error', ...ERRORS.wrong })
    if (behave === 'drop') return socket.terminate()
    if (behave === 'mute') return
    if (behave === 'odd') return socket.send('what?')
    if (behave === 'limit') {
      send({ type: 'error', ...ERRORS.limit })
      return socket.close(1000)
    }
    const response = responseOf(`resp_${randomUUID()}`, String(json['model']))
    known = { id: response.id, items: [...conversation, ...response.output] }
    const events = eventsOf(response)
    const begun = events.findIndex((event) => event.type === 'response.output_text.done')
    events.slice(0, begun).forEach(send)
    const end = () => events.slice(begun).forEach(send)
    if (behave === 'cut') socket.terminate()
    else if (behave === 'hold') held.push(end)
    else end()
  })
}
