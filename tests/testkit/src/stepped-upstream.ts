import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A chat provider whose streams the test controls. */
export interface SteppedUpstream {
  readonly url: string
  readonly bodies: readonly Readonly<Record<string, unknown>>[]
  readonly open: number
  say(text: string): void
  /** Properly ends the oldest stream, with a usage of 5 prompt and 10 answer tokens; waits for one if necessary. */
  finish(): Promise<void>
  close(): Promise<void>
}

export async function startSteppedUpstream(): Promise<SteppedUpstream> {
  const streams: ServerResponse[] = []
  const bodies: Record<string, unknown>[] = []
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>)
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.write(event({ choices: [{ index: 0, delta: { role: 'assistant', content: 'So' } }] }))
      streams.push(reply)
    })
    reply.once('close', () => {
      const at = streams.indexOf(reply)
      if (at >= 0) streams.splice(at, 1)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    get open() {
      return streams.length
    },
    say: (text) => {
      for (const stream of streams) stream.write(event({ choices: [{ index: 0, delta: { content: text } }] }))
    },
    finish: async () => {
      while (streams.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      const usage = { prompt_tokens: 5, completion_tokens: 10, total_tokens: 15 }
      const end = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
      streams.shift()?.end(`${end}${event({ choices: [], usage })}data: [DONE]\n\n`)
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const event = (fields: object) =>
  `data: ${JSON.stringify({ id: 'stepped', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`
