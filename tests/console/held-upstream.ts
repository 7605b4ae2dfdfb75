import type { Socket } from 'node:net'
import { startRawUpstream } from '@sluice/testkit/raw-upstream'

export interface HeldAnswer {
  readonly asked: { readonly messages: readonly { readonly role: string; readonly content: unknown }[] }
  reason(text: string): void
  say(text: string): void
  /** Ends the answer as models do, with a usage of 20 prompt and 30 answer tokens. */
  end(finish?: 'stop' | 'length'): void
  /** Ends the answer like a broken connection. */
  cut(): void
}

export interface HeldUpstream {
  readonly url: string
  /** The next call, which may have arrived already. */
  next(): Promise<HeldAnswer>
  close(): Promise<void>
}

export async function startHeldUpstream(): Promise<HeldUpstream> {
  const arrived: HeldAnswer[] = []
  const waiting: ((answer: HeldAnswer) => void)[] = []
  const upstream = await startRawUpstream((socket, request) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n')
    const answer = answerOn(socket, request)
    const taker = waiting.shift()
    if (taker === undefined) arrived.push(answer)
    else taker(answer)
  })
  return {
    url: upstream.url,
    next: () => {
      const answer = arrived.shift()
      return answer === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(answer)
    },
    close: () => upstream.close(),
  }
}

function answerOn(socket: Socket, request: string): HeldAnswer {
  const body = Buffer.from(request.slice(request.indexOf('\r\n\r\n') + 4), 'latin1').toString('utf8')
  const write = (choice: object, more: object = {}) => {
    const frame = { id: 'held', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], ...more }
    socket.write(`data: ${JSON.stringify(frame)}\n\n`)
  }
  return {
    asked: JSON.parse(body) as HeldAnswer['asked'],
    reason: (text) => write({ delta: { reasoning_content: text } }),
    say: (text) => write({ delta: { content: text } }),
    end(finish = 'stop') {
      write({ delta: {}, finish_reason: finish })
      write({ delta: {} }, { usage: { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50 } })
      socket.end('data: [DONE]\n\n')
    },
    cut: () => void socket.destroy(),
  }
}
