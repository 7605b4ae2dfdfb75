import { setTimeout as delay } from 'node:timers/promises'

/** One request of the load, as its client saw it. */
export interface Request {
  readonly id: string
  /** Unix milliseconds. */
  readonly sent: number
  readonly elapsedMs: number
  /** Empty for a whole answer. */
  readonly problem: string
}

export interface Load {
  /** Stops sending, and returns all requests once the last has ended. */
  stop(): Promise<readonly Request[]>
}

/** Conversations; every third request is a turn of one of them. */
const CONVERSATIONS = 100

/** Chat calls at an even rate, regardless of earlier answers; every other answer is a stream. */
export function startSteadyLoad(url: string, key: string, model: string, perSecond: number): Load {
  const requests: Promise<Request>[] = []
  const stopping = new AbortController()
  const started = performance.now()
  const run = async (): Promise<void> => {
    for (let number = 0; !stopping.signal.aborted; number++) {
      const early = started + (number * 1_000) / perSecond - performance.now()
      if (early > 1) await delay(early)
      if (!stopping.signal.aborted) requests.push(askOnce(url, key, model, number))
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
      return await Promise.all(requests)
    },
  }
}

async function askOnce(url: string, key: string, model: string, number: number): Promise<Request> {
  const stream = number % 2 === 1
  const session = number % 3 === 0 ? { 'x-session-id': `conversation ${number % CONVERSATIONS}` } : {}
  const [sent, started] = [Date.now(), performance.now()]
  const seen = (id: string, problem: string): Request => ({ id, sent, elapsedMs: performance.now() - started, problem })
  try {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...session },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Which way does the water go?' }] }),
    })
    const text = await response.text()
    const id = response.headers.get('x-request-id') ?? ''
    const isWhole = stream ? text.endsWith('data: [DONE]\n\n') && !text.includes('"error"') : text.endsWith('}')
    return seen(id, response.ok && isWhole ? '' : `${response.status} ${text.slice(0, 200)}`)
  } catch (error) {
    return seen('', String(error))
  }
}
