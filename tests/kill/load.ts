import { setTimeout as delay } from 'node:timers/promises'
import { callFramed } from './framed-call.ts'

interface Call {
  readonly model: string
  readonly stream: boolean
  readonly includeUsage?: true
  /** Disconnects after this many milliseconds. */
  readonly leavesAfterMs?: number
  readonly isFramed?: true
}

/** Every way in which a charge can arise: whole answers of both kinds, interrupted answers, clients that disconnect. */
const CALLS: readonly Call[] = [
  { model: 'emu-fast', stream: false },
  { model: 'emu-fast', stream: true, includeUsage: true },
  { model: 'emu-pace-40-10', stream: true, includeUsage: true },
  { model: 'emu-fast', stream: false },
  { model: 'emu-reasoning', stream: true },
  { model: 'emu-pace-40-10', stream: true, isFramed: true },
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

/** 24 s: long enough for its hold to record what to charge, which it does after 15 s. */
const LONG_CALL: Call = { model: 'emu-pace-600-40', stream: true, includeUsage: true }

export const MODELS: readonly string[] = [...new Set([...CALLS, LONG_CALL].map((call) => call.model))]

const CLIENTS = 48
/** After each answer. Long runs have no pause, to also find faults that only occur when nothing is idle. */
export const PAUSE_MS = Object.keys(process.env).some((name) => /^SLUICE_(KILL_|TEST_LONG)/.test(name)) ? 0 : 300
/** Pause after an answer that did not arrive whole, so that a dead gateway is not called in a tight loop. */
const AFTER_FAILURE_MS = 100

/** An answer that a client received in full: the whole JSON body, or a stream up to [DONE]. */
export interface CompleteAnswer {
  readonly requestId: string
  readonly model: string
  /** As reported to the client; undefined when it did not ask or the provider did not report it. */
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | undefined
}

/** All requests, and the answers that arrived whole. */
export interface Answered {
  readonly requests: number
  readonly answers: readonly CompleteAnswer[]
}

export interface Load {
  /** Resolves when this many more answers have arrived whole, or after `patienceMs`. */
  more(answers: number, patienceMs: number): Promise<void>
  stop(): Promise<Answered>
}

/** Calls the gateways in turn until stopped, whatever happens to them. `longStreams` adds clients with one long stream each. */
export function startLoad(urls: () => readonly string[], keys: readonly string[], { longStreams = 0 } = {}): Load {
  const answers: CompleteAnswer[] = []
  let requests = 0
  const stopping = new AbortController()
  const ask = async (url: string, key: string, call: Call): Promise<void> => {
    requests += 1
    const result = await (call.isFramed === true ? callFramed(url, key, call.model) : callOnce(url, key, call))
    if (result !== 'broken') answers.push(result)
    await delay(result === 'broken' ? AFTER_FAILURE_MS : PAUSE_MS)
  }
  const client = async (number: number): Promise<void> => {
    for (let turn = number; !stopping.signal.aborted; turn++) {
      await ask(pick(urls(), turn), pick(keys, turn), pick(CALLS, turn))
    }
  }
  const clients = [
    ...Array.from({ length: CLIENTS }, (_, number) => client(number)),
    ...Array.from({ length: longStreams }, (_, number) => ask(pick(urls(), number), pick(keys, number), LONG_CALL)),
  ]
  return {
    more: async (count, patienceMs) => {
      const [enough, until] = [answers.length + count, Date.now() + patienceMs]
      while (answers.length < enough && Date.now() < until) await delay(10)
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(clients)
      return { requests, answers }
    },
  }
}

function pick<T>(from: readonly T[], turn: number): T {
  const picked = from[turn % from.length]
  if (picked === undefined) throw new Error('nothing to pick from')
  return picked
}

async function callOnce(url: string, key: string, call: Call): Promise<CompleteAnswer | 'broken'> {
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
    // A client that disconnected, or a connection that was refused or broke; anything else is a fault of the test.
    if (leave.signal.aborted || error instanceof TypeError) return 'broken'
    throw error
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
