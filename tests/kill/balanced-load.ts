import { setTimeout as delay } from 'node:timers/promises'
import { SERVED_BY } from '@sluice/testkit/local-nginx'
import { type CompleteAnswer, PAUSE_MS } from './load.ts'

/**
 * The result of a call for its client: whole → everything arrived · refused → a status and a JSON error that say so · told → a
 * stream that ended with an error event · cut → a valid stream that broke off silently · unclear → anything else, which must not
 * happen
 */
export type Seen = 'whole' | 'refused' | 'told' | 'cut' | 'unclear'

export interface SeenCall {
  readonly seen: Seen
  /** Unix milliseconds. */
  readonly began: number
  readonly ended: number
  /** `host:port` of the replica that answered; empty for none. */
  readonly servedBy: string
  /** A refusal's status and code, or what was unclear. */
  readonly detail: string
  readonly answer?: CompleteAnswer
}

export interface BalancedLoad {
  /** Resolves when this many more answers have arrived whole, or after `patienceMs`. */
  more(answers: number, patienceMs: number): Promise<void>
  stop(): Promise<readonly SeenCall[]>
}

/** From `MODELS` in `load.ts`. Streams of 0.4 and 2 s are in progress whenever something is killed. */
const CALLS = [
  { model: 'emu-fast', stream: false },
  { model: 'emu-pace-40-10', stream: true },
  { model: 'emu-fast', stream: true },
  { model: 'emu-pace-400-5', stream: true },
  { model: 'emu-pace-20-10', stream: false },
] as const
const CLIENTS = 32
/** Keeps clients from calling a balancer without replicas in a tight loop. */
const AFTER_FAILURE_MS = 100
/** A longer call counts as `unclear`. */
const PATIENCE_MS = 30_000

export function startBalancedLoad(url: string, keys: readonly string[]): BalancedLoad {
  const calls: SeenCall[] = []
  const whole: SeenCall[] = []
  const stopping = new AbortController()
  const client = async (number: number): Promise<void> => {
    for (let turn = number; !stopping.signal.aborted; turn++) {
      const call = CALLS[turn % CALLS.length] ?? CALLS[0]
      const seen = await callOnce(url, keys[turn % keys.length] ?? '', call)
      calls.push(seen)
      if (seen.seen === 'whole') whole.push(seen)
      await delay(seen.seen === 'whole' ? PAUSE_MS : AFTER_FAILURE_MS)
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number))
  return {
    more: async (count, patienceMs) => {
      const [enough, until] = [whole.length + count, Date.now() + patienceMs]
      while (whole.length < enough && Date.now() < until) await delay(10)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(clients)
      return calls
    },
  }
}

async function callOnce(url: string, key: string, call: (typeof CALLS)[number]): Promise<SeenCall> {
  const began = Date.now()
  const seen = (what: Seen, detail: string, servedBy = '', answer?: CompleteAnswer): SeenCall => ({
    seen: what,
    detail,
    servedBy,
    began,
    ended: Date.now(),
    ...(answer !== undefined && { answer }),
  })
  let response: Response
  try {
    response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: call.model,
        messages: [{ role: 'user', content: 'Which way does the water go?' }],
        ...(call.stream && { stream: true, stream_options: { include_usage: true } }),
      }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  } catch (error) {
    return seen('unclear', `no answer: ${error instanceof Error ? error.message : 'unknown'}`)
  }
  const servedBy = (response.headers.get(SERVED_BY) ?? '').split(', ').at(-1) ?? ''
  let text: string
  try {
    text = await response.text()
  } catch {
    return seen(response.ok ? 'cut' : 'unclear', 'broke off', servedBy)
  }
  if (!response.ok) {
    const code = refusalOf(text)
    return code === undefined
      ? seen('unclear', `${response.status} ${text.slice(0, 200)}`, servedBy)
      : seen('refused', `${response.status} ${code}`, servedBy)
  }
  const requestId = response.headers.get('x-request-id') ?? ''
  const answer = (usage: CompleteAnswer['usage']): SeenCall =>
    seen('whole', '', servedBy, { requestId, model: call.model, usage })
  if (!call.stream) {
    const usage = parse(text)?.['usage']
    return isUsage(usage) ? answer(usage) : seen('cut', 'half an answer', servedBy)
  }
  const frames = text.split('\n\n').map((frame) => frame.replace(/^data: /, ''))
  const reported = frames.find((frame) => frame.startsWith('{"error"'))
  if (reported !== undefined) return seen('told', refusalOf(reported) ?? reported.slice(0, 200), servedBy)
  if (!frames.includes('[DONE]')) return seen('cut', 'without an end', servedBy)
  const usage = frames.map((frame) => parse(frame)?.['usage']).findLast(isUsage)
  return usage === undefined ? seen('unclear', 'without usage', servedBy) : answer(usage)
}

/** The code of an error in OpenAI's format; undefined for any other text. */
function refusalOf(text: string): string | undefined {
  const error = parse(text)?.['error']
  if (typeof error !== 'object' || error === null || !('message' in error) || !('code' in error)) return undefined
  return typeof error.message === 'string' && error.message !== '' ? String(error.code) : undefined
}

function isUsage(value: unknown): value is NonNullable<CompleteAnswer['usage']> {
  return typeof value === 'object' && value !== null && 'prompt_tokens' in value && 'completion_tokens' in value
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
