import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

/** Marks requests that the emulator makes from frames. */
export const FRAMED = 'x-emulator-framed'

interface Known {
  readonly id: string
  readonly items: readonly unknown[]
}

interface Answered {
  readonly type: string
  readonly response?: { readonly id: string; readonly output: readonly unknown[] }
}

/**
 * Responses on a websocket, as OpenAI offers them: each frame becomes a POST to `address`, with the conversation so far prepended
 * to its input. Only the latest response is remembered. `onFrame` receives the byte count of each frame.
 */
export function serveFramed(
  request: IncomingMessage,
  [socket, head]: readonly [Duplex, Buffer],
  address: string,
  onFrame: (bytes: number) => void,
): void {
  const { authorization = '' } = request.headers
  new WebSocketServer({ noServer: true }).handleUpgrade(request, socket, head, (client) => {
    const left = new AbortController()
    let known: Known | undefined
    client.on('error', () => {})
    client.on('close', () => left.abort())
    client.on('message', (frame: Buffer) => {
      onFrame(frame.length)
      const {
        type,
        previous_response_id: previous,
        input,
        ...body
      } = JSON.parse(frame.toString()) as Record<string, unknown>
      if (type !== 'response.create') return say(client, 400, { code: 'unknown_event', message: `no ${String(type)}` })
      if (previous !== undefined && previous !== known?.id) {
        return say(client, 400, { code: 'previous_response_not_found', message: 'It is not known here.' })
      }
      const fresh = Array.isArray(input) ? (input as unknown[]) : [{ role: 'user', content: input }]
      const items = previous === undefined ? fresh : [...(known?.items ?? []), ...fresh]
      const posted = fetch(address, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', [FRAMED]: 'true' },
        body: JSON.stringify({ ...body, input: items, stream: true }),
        signal: left.signal,
      })
      posted
        .then((reply) => answer(client, reply))
        .then(
          (response) => (known = response && { id: response.id, items: [...items, ...response.output] }),
          () => client.terminate(),
        )
    })
  })
}

function say(client: WebSocket, status: number, error: unknown): void {
  client.send(JSON.stringify({ type: 'error', status, error }))
}

async function answer(client: WebSocket, reply: Response): Promise<Answered['response']> {
  if (!reply.ok) {
    const { error } = (await reply.json()) as { readonly error: unknown }
    say(client, reply.status, error)
    return undefined
  }
  let response: Answered['response']
  let text = ''
  for await (const chunk of (reply.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const events = (text + chunk).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = event.slice(event.indexOf('data: ') + 'data: '.length)
      client.send(data)
      if (event.startsWith('event: response.completed')) response = (JSON.parse(data) as Answered).response
    }
  }
  return response
}
