import type { Socket } from 'node:net'
import { startRawUpstream } from './raw-upstream.ts'

/** A chat provider that answers only when the test lets it. */
export interface HeldUpstream {
  readonly url: string
  /** Last question of each waiting request, in order of arrival. */
  readonly waiting: readonly string[]
  /** Answers the oldest waiting request with a usage of 5 prompt and `output` answer tokens; waits for one if necessary. */
  answerNext(output?: number): Promise<void>
  close(): Promise<void>
}

export async function startHeldUpstream(): Promise<HeldUpstream> {
  const held: { readonly question: string; readonly socket: Socket }[] = []
  const upstream = await startRawUpstream((socket, request) => {
    held.push({ question: /"content":"([^"]*)"/.exec(request)?.[1] ?? '', socket })
    socket.once('close', () => {
      const at = held.findIndex((each) => each.socket === socket)
      if (at !== -1) held.splice(at, 1)
    })
  })
  return {
    url: upstream.url,
    get waiting() {
      return held.map(({ question }) => question)
    },
    answerNext: async (output = 10) => {
      while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      const body = answer(output)
      held
        .shift()
        ?.socket.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        )
    },
    close: () => upstream.close(),
  }
}

function answer(output: number): string {
  return JSON.stringify({
    id: 'held',
    object: 'chat.completion',
    created: 1,
    model: 'held',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: output, total_tokens: 5 + output },
  })
}
