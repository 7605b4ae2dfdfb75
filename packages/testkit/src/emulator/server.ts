import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { readChatRequest } from './chat-request.ts'
import { COHERE_PATH, cohereScript } from './cohere.ts'
import { CONVERSE_PATH, converseScript } from './converse.ts'
import { MODELS } from './models.ts'
import { OTHER_CALLS, otherScript } from './other-calls.ts'
import { errorAnswer, type Exchange, type Script, scriptFor, type Step } from './script.ts'

/**
 * A provider that speaks OpenAI's dialect: `POST /v1/chat/completions` and the calls of `other-calls.ts`, `GET /v1/models`,
 * `GET /v1/models/{id}`; and the chats of Bedrock (`converse.ts`) and Cohere (`cohere.ts`).
 * What a model does is in `models.ts`. Every call needs a bearer key; `sk-emu-refused` is answered with 401.
 * `GET /emulator/journal` answers what arrived, for tests that run beside another process.
 */
export interface Emulator {
  /** `http://127.0.0.1:<port>`, without `/v1`. */
  readonly url: string
  readonly journal: Journal
  close(): Promise<void>
}

/** What reached the emulator. */
export interface Journal {
  /** The last calls, oldest first; at most 200. */
  readonly calls: readonly Call[]
  /** Counts since the start. */
  readonly received: number
  readonly completed: number
  /** Calls whose client went away before the answer was complete. */
  readonly abandoned: number
}

export interface Call {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  /** `open`, then one of the others for good. */
  readonly state: 'open' | 'completed' | 'cut' | 'abandoned'
}

const JOURNAL_CALLS = 200
const BODY_LIMIT = 128 << 20
const REFUSED_KEY = 'Bearer sk-emu-refused'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** @param port 0 takes a free one. */
export async function startEmulator(port = 0): Promise<Emulator> {
  const journal = { calls: [] as Mutable<Call>[], received: 0, completed: 0, abandoned: 0 }
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    route(request, response, journal).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the emulator has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    journal,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

type OpenJournal = Omit<Mutable<Journal>, 'calls'> & { calls: Mutable<Call>[] }

async function route(request: IncomingMessage, response: ServerResponse, journal: OpenJournal): Promise<void> {
  const { method = '', url = '' } = request
  const path = url.replace(/\?.*$/, '').replace(/\/$/, '')
  if (method === 'GET' && path === '/emulator/journal') return sendJson(response, 200, journal)
  const { authorization } = request.headers
  if (authorization === undefined || authorization === REFUSED_KEY) return play(errorAnswer(401), 0, response)
  if (method === 'GET' && path === '/v1/models')
    return sendJson(response, 200, { object: 'list', data: MODELS.map(entry) })
  if (method === 'GET' && path.startsWith('/v1/models/')) {
    return sendJson(response, 200, entry({ name: decodeURIComponent(path.slice('/v1/models/'.length)) }))
  }
  if (method === 'POST' && isOffered(path)) {
    return answer(path, request, response, journal)
  }
  return play(errorAnswer(404, `Unknown request URL: ${method} ${url}.`), 0, response)
}

function isOffered(path: string): boolean {
  return path === '/v1/chat/completions' || path === COHERE_PATH || OTHER_CALLS.has(path) || CONVERSE_PATH.test(path)
}

const entry = ({ name }: { readonly name: string }) => ({
  id: name,
  object: 'model',
  created: 1_735_689_600,
  owned_by: 'emulator',
})

async function answer(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  journal: OpenJournal,
): Promise<void> {
  const body = await readBody(request)
  if (body === undefined) return play(errorAnswer(413, 'The body is too large.'), 0, response)
  const number = ++journal.received
  const call: Mutable<Call> = { headers: request.headers, body, state: 'open' }
  journal.calls.push(call)
  if (journal.calls.length > JOURNAL_CALLS) journal.calls.shift()
  // a client that leaves ends whatever the script still waits for
  const gone = new AbortController()
  response.on('close', () => {
    if (response.writableFinished) {
      call.state = 'completed'
      journal.completed++
    } else if (call.state === 'open') {
      call.state = 'abandoned'
      journal.abandoned++
    }
    gone.abort()
  })
  const script = scriptOf(path, body, { number, created: Math.floor(Date.now() / 1000) })
  await play(script, script.delayMs, response, gone.signal, () => {
    call.state = 'cut'
  })
}

function scriptOf(path: string, body: string, exchange: Exchange): Script {
  if (OTHER_CALLS.has(path)) return otherScript(path, body, exchange)
  if (path === COHERE_PATH) return cohereScript(body, exchange)
  if (CONVERSE_PATH.test(path)) return converseScript(path, body, exchange)
  const asked = readChatRequest(body)
  if ('problem' in asked) return { ...errorAnswer(400, asked.problem, asked.param), delayMs: 0 }
  return scriptFor(asked, exchange)
}

/** Undefined when the body exceeds the limit. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_LIMIT) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Sends a script step by step, no faster than the client reads. */
async function play(
  script: Omit<Script, 'delayMs'>,
  delayMs: number,
  response: ServerResponse,
  signal: AbortSignal = new AbortController().signal,
  onCut: () => void = () => {},
): Promise<void> {
  try {
    if (delayMs > 0) await delay(delayMs, undefined, { signal })
    for (const step of script.steps) {
      if (signal.aborted) return
      if (step === 'hang') return
      if (step === 'cut') {
        onCut()
        // what was written before must still arrive, so the reset waits for it
        if (response.headersSent) await drained(response)
        response.socket?.resetAndDestroy()
        return
      }
      if (!response.headersSent) response.writeHead(script.status, headersFor(script))
      await send(step, response, signal)
    }
    if (!response.headersSent) response.writeHead(script.status, headersFor(script))
    response.end()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function send(step: Exclude<Step, string>, response: ServerResponse, signal: AbortSignal): Promise<void> {
  if ('waitMs' in step) await (step.waitMs > 0 ? delay(step.waitMs, undefined, { signal }) : nextTurn())
  else if (!response.write(step.send)) await once(response, 'drain', { signal })
}

async function drained(response: ServerResponse): Promise<void> {
  await delay(20)
  if (response.writableNeedDrain) await once(response, 'drain')
}

function headersFor(script: Omit<Script, 'delayMs'>): Record<string, string> {
  return { ...script.headers, 'x-request-id': 'req_emulator' }
}
