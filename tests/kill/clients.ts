import { setTimeout as delay } from 'node:timers/promises'

/** A call that the clients of the kill test make over and over. */
interface Call {
  readonly model: string
  readonly stream: boolean
  readonly includeUsage?: true
  /** Leaves after so many milliseconds. */
  readonly leavesAfterMs?: number
}

/** Every way a charge can come to be: whole answers of both kinds, answers that break off, clients that leave. */
const CALLS: readonly Call[] = [
  { model: 'emu-fast', stream: false },
  { model: 'emu-fast', stream: true, includeUsage: true },
  { model: 'emu-pace-40-10', stream: true, includeUsage: true },
  { model: 'emu-fast', stream: false },
  { model: 'emu-reasoning', stream: true },
  { model: 'emu-fast', stream: true, includeUsage: true },
  { model: 'emu-pace-400-5', stream: true, includeUsage: true },
  { model: 'emu-fast', stream: false },
  { model: 'emu-pace-100-10', stream: true, leavesAfterMs: 120 },
  { model: 'emu-fast', stream: true },
  { model: 'emu-pace-20-10', stream: false },
  { model: 'emu-cut-mid', stream: true },
  { model: 'emu-error-500', stream: false },
  { model: 'emu-no-usage', stream: true },
]

export const MODELS: readonly string[] = [...new Set(CALLS.map((call) => call.model))]

/** An answer that a client received to its very end: the whole JSON body, or the stream's [DONE]. */
export interface CompleteAnswer {
  readonly requestId: string
  readonly model: string
  /** As the client was told; undefined when it did not ask or the provider did not say. */
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | undefined
}

/**
 * Calls from many clients at once until the gateway is gone. Answers what arrived whole. `onAnswer` hears the number of
 * whole answers so far.
 */
export async function callUntilGone(
  url: string,
  keys: readonly string[],
  clients: number,
  onAnswer: (count: number) => void,
): Promise<CompleteAnswer[]> {
  const answers: CompleteAnswer[] = []
  const client = async (number: number) => {
    for (let turn = number; ; turn++) {
      const call = CALLS[turn % CALLS.length]
      const key = keys[turn % keys.length]
      if (call === undefined || key === undefined) return
      const result = await callOnce(url, key, call)
      if (result === 'gone') return
      if (result !== 'broken') onAnswer(answers.push(result))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return answers
}

async function callOnce(url: string, key: string, call: Call): Promise<CompleteAnswer | 'broken' | 'gone'> {
  const leave = new AbortController()
  const timer = call.leavesAfterMs === undefined ? undefined : setTimeout(() => leave.abort(), call.leavesAfterMs)
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: call.model,
        messages: [{ role: 'user', content: 'Which way does the water go?' }],
        ...(call.stream ? { stream: true } : {}),
        ...(call.includeUsage ? { stream_options: { include_usage: true } } : {}),
      }),
      signal: leave.signal,
    })
    const text = await response.text()
    const requestId = response.headers.get('x-request-id') ?? ''
    return response.ok ? completeAnswer(call, requestId, text) : 'broken'
  } catch (error) {
    if (leave.signal.aborted) return 'broken'
    return (await isGone(url)) ? 'gone' : rethrowUnlessBroken(error)
  } finally {
    clearTimeout(timer)
  }
}

function completeAnswer(call: Call, requestId: string, text: string): CompleteAnswer | 'broken' {
  const { model } = call
  if (!call.stream) return { requestId, model, usage: JSON.parse(text).usage }
  const frames = text.split('\n\n').map((frame) => frame.replace(/^data: /, ''))
  if (!frames.includes('[DONE]') || frames.some((frame) => frame.startsWith('{"error"'))) return 'broken'
  const last = frames.findLast((frame) => frame.startsWith('{') && frame.includes('"usage":{'))
  return { requestId, model, usage: last === undefined ? undefined : JSON.parse(last).usage }
}

/** A connection may break before the process is seen to be gone. */
async function isGone(url: string): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await fetch(`${url}/healthz`)
      await delay(50)
    } catch {
      return true
    }
  }
  return false
}

/** A stream that the emulator cut ends in an error here as well; anything else is a fault of the test. */
function rethrowUnlessBroken(error: unknown): 'broken' {
  if (error instanceof TypeError) return 'broken'
  throw error
}
