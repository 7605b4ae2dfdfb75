import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

/** A provider of realtime sessions. `metadata.behave` of a `response.create` sets the response's behaviour. */
export interface RealtimeProvider {
  readonly url: string
  readonly handshakes: readonly { readonly url: string; readonly headers: IncomingHttpHeaders }[]
  readonly frames: readonly string[]
  readonly open: number
  /** Unsent bytes of open sessions. */
  readonly waiting: number
  say(frame: string | Uint8Array): void
  close(): Promise<void>
}

export const REALTIME_USAGE = {
  total_tokens: 95,
  input_tokens: 50,
  output_tokens: 45,
  input_token_details: {
    text_tokens: 20,
    audio_tokens: 30,
    image_tokens: 0,
    cached_tokens: 0,
    cached_tokens_details: { text_tokens: 0, audio_tokens: 0, image_tokens: 0 },
  },
  output_token_details: { text_tokens: 5, audio_tokens: 40 },
}
const HEARD_USAGE = {
  type: 'tokens',
  input_tokens: 7,
  input_token_details: { audio_tokens: 7 },
  output_tokens: 3,
}
/** A tenth of a second of 16-bit audio at 24 kHz: two tokens. */
const SOUND = Buffer.alloc(4_800).toString('base64')

type Event = Readonly<Record<string, unknown>>

/** Keys that contain `refused` get 401 before any session. */
export async function startRealtimeProvider(): Promise<RealtimeProvider> {
  const handshakes: { url: string; headers: IncomingHttpHeaders }[] = []
  const frames: string[] = []
  const server = createServer((_, reply) => void reply.writeHead(404).end())
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    handshakes.push({ url: request.url ?? '', headers: request.headers })
    if (request.headers.authorization?.includes('refused') === true) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (opened) => converse(opened, frames))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the provider has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    handshakes,
    frames,
    get open() {
      return sockets.clients.size
    },
    get waiting() {
      return [...sockets.clients].reduce((sum, { bufferedAmount }) => sum + bufferedAmount, 0)
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

function converse(socket: WebSocket, frames: string[]): void {
  const send = (event: Event) => socket.send(JSON.stringify(event))
  let session: unknown = { type: 'realtime', audio: { output: { format: { type: 'audio/pcm', rate: 24_000 } } } }
  let behaving = ''
  send({ type: 'session.created', session })
  socket.on('error', () => {})
  socket.on('message', (data: Buffer) => {
    frames.push(data.toString())
    const event = JSON.parse(data.toString()) as Event & { response?: { metadata?: { behave?: string } } }
    switch (event['type']) {
      case 'session.update':
        session = event['session']
        return send({ type: 'session.updated', session })
      case 'input_audio_buffer.commit':
        return send({
          type: 'conversation.item.input_audio_transcription.completed',
          transcript: 'Open the gate.',
          ...(event['uncounted'] === true ? {} : { usage: HEARD_USAGE }),
        })
      case 'response.create':
        behaving = event.response?.metadata?.behave ?? ''
        return respond(socket, send, behaving)
      case 'response.cancel':
        if (behaving !== 'count') return send({ type: 'error', error: { code: 'response_cancel_not_active' } })
        return send({ type: 'response.done', response: { status: 'cancelled', usage: REALTIME_USAGE } })
      case 'no.such.event':
        return send({ type: 'error', error: { code: 'unknown_event' } })
      default:
        return undefined
    }
  })
}

function respond(socket: WebSocket, send: (event: Event) => void, behave: string): void {
  send({ type: 'response.created', response: { status: 'in_progress', usage: null } })
  if (behave === 'think') return
  if (behave === 'fail') return send({ type: 'response.done', response: { status: 'failed', usage: null } })
  for (let part = 0; part < 5; part++) send({ type: 'response.output_audio.delta', delta: SOUND })
  send({ type: 'response.output_audio_transcript.delta', delta: 'The gate is open.' })
  if (behave === 'hang' || behave === 'count') return
  if (behave === 'cut') return socket.terminate()
  const usage = behave === 'uncounted' ? null : REALTIME_USAGE
  send({ type: 'response.done', response: { status: 'completed', usage } })
  if (behave === 'last') {
    send({ type: 'response.done', response: { status: 'completed', usage } })
    socket.close(1001)
  }
}
