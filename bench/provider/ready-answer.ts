import { chatScript } from '@sluice/testkit/emulator/chat'
import { traitsOf } from '@sluice/testkit/emulator/models'

/** An answer as bytes for the socket, made once per model. */
export interface ReadyAnswer {
  readonly delayMs: number
  readonly gapMs: number
  /** The first has the head; those of a stream are one chunk each. */
  readonly writes: readonly Buffer[]
}

/** The words of an answer and the token counts do not depend on the prompt, because the bench sends only one. */
const PROMPT = { maxTokens: undefined, tool: undefined, promptTokens: 180, seed: 0, question: '' }
const END = Buffer.from('0\r\n\r\n')

/**
 * The emulator's answer to a request with this body, always with the same bytes; events without a pause between them are one write.
 * Throws for a model that does anything but answer.
 */
export function readyAnswer(body: string): ReadyAnswer {
  const model = /"model": ?"([^"]+)"/.exec(body)?.[1] ?? ''
  const request = {
    ...PROMPT,
    model,
    stream: /"stream": ?true/.test(body),
    includeUsage: /"include_usage": ?true/.test(body),
  }
  const exchange = { number: 1, created: 1_790_000_000, now: () => 0 }
  const { status, headers, delayMs, steps } = chatScript(request, exchange)
  const parts = ['']
  for (const step of steps) {
    if (typeof step === 'string') throw new Error(`${model} is not for the bench`)
    if ('waitMs' in step) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${step.send.toString()}`)
  }
  const first = Object.entries({ ...headers, 'x-request-id': 'req_emulator' })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const start = `HTTP/1.1 ${status} OK\r\n${first}`
  if (!request.stream) {
    const text = parts.join('')
    return {
      delayMs,
      gapMs: 0,
      writes: [Buffer.from(`${start}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)],
    }
  }
  const chunks = parts.map((part) => Buffer.from(`${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`))
  const head = Buffer.from(`${start}transfer-encoding: chunked\r\n\r\n`)
  const writes = chunks.map((chunk, at) =>
    Buffer.concat([...(at === 0 ? [head] : []), chunk, ...(at === chunks.length - 1 ? [END] : [])]),
  )
  return { delayMs, gapMs: traitsOf(model).paceMs, writes }
}
