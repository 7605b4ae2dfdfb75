import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { readChatRequest } from './chat-request.ts'
import { chatScript } from './chat.ts'
import { COHERE_PATH, cohereScript } from './cohere.ts'
import { CONVERSE_PATH, converseScript } from './converse.ts'
import { errorAnswer } from './failures.ts'
import { FRAMED, serveFramed } from './framed-responses.ts'
import { GEMINI_PATH, geminiScript } from './gemini.ts'
import { followCall, type Journal, openJournal, type OpenJournal } from './journal.ts'
import { MESSAGES_PATH, messagesScript } from './messages.ts'
import { MODELS } from './models.ts'
import { OTHER_CALLS, otherScript } from './other-calls.ts'
import { play } from './play.ts'
import { RESPONSES_PATH, responsesScript } from './responses.ts'
import { type Exchange, holding, type Script } from './script.ts'
import { createSwitchedFaults, readSwitch, type SwitchedFaults } from './switched-faults.ts'

/**
 * A provider that speaks OpenAI's dialect (`POST /v1/chat/completions`, `/v1/responses` and the calls of `other-calls.ts`, `GET
 * /v1/models`, `GET /v1/models/{id}`) and the chats of Anthropic (`messages.ts`), Google (`gemini.ts`), Bedrock (`converse.ts`) and
 * Cohere (`cohere.ts`). Responses are also served on websockets (`framed-responses.ts`). `models.ts` describes the models. Every
 * call needs a key; `sk-emu-refused` is answered with 401. Paths under `/at/{place}` are a separate place with the same content, so
 * that a few channels can fail independently.
 *
 * For tests in another process, `GET /emulator/journal` returns the recorded calls, `GET /emulator/counts` the same without the
 * calls, and `POST /emulator/faults` with a `SwitchedFault` switches one on, or off if `as` is empty.
 */
export interface Emulator {
  /** `http://127.0.0.1:<port>`, without `/v1`. */
  readonly url: string
  readonly journal: Journal
  readonly faults: SwitchedFaults
  /** Lets all held answers continue; see `holding` in `script.ts`. */
  goOn(): void
  readonly held: number
  at(place: string): string
  close(): Promise<void>
}

const BODY_LIMIT = 128 << 20
const REFUSED_KEY = 'sk-emu-refused'
const PLACE = /^\/at\/([\w-]{1,40})(?=\/)/

interface Desk {
  readonly journal: OpenJournal
  readonly faults: SwitchedFaults
  readonly held: Set<() => void>
}

/** @param port 0 for a free one */
export async function startEmulator(port = 0): Promise<Emulator> {
  const journal = openJournal()
  const faults = createSwitchedFaults(Date.now)
  const held = new Set<() => void>()
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    route({ journal, faults, held }, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
    const path = request.url?.replace(PLACE, '')
    if (path !== RESPONSES_PATH || keyOf(request) === '' || keyOf(request) === REFUSED_KEY) {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      return
    }
    serveFramed(request, [socket, head], `http://${request.headers.host}${request.url}`, (bytes) => {
      journal.bytes += bytes
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the emulator has no port')
  const url = `http://127.0.0.1:${address.port}`
  return {
    url,
    journal,
    faults,
    goOn: () => {
      for (const go of held) go()
    },
    get held() {
      return held.size
    },
    at: (place) => `${url}/at/${place}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
      await once(server, 'close')
    },
  }
}

async function route(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '' } = request
  const place = PLACE.exec(url)?.[1] ?? ''
  const path = url.replace(PLACE, '').replace(/\?.*$/, '').replace(/\/$/, '')
  if (path.startsWith('/emulator/')) return handle(`${method} ${path}`, desk, request, response)
  const key = keyOf(request)
  if (key === '' || key === REFUSED_KEY) return play(errorAnswer(401), 0, response)
  if (method === 'GET' && path === '/v1/models')
    return sendJson(response, 200, { object: 'list', data: MODELS.map(entry) })
  if (method === 'GET' && path.startsWith('/v1/models/')) {
    return sendJson(response, 200, entry({ name: decodeURIComponent(path.slice('/v1/models/'.length)) }))
  }
  const script = method === 'POST' ? scriptFor(path) : undefined
  if (script === undefined) return play(errorAnswer(404, `Unknown request URL: ${method} ${url}.`), 0, response)
  return answer(desk, { place, key, script }, request, response)
}

/** Calls from tests, not from clients. */
async function handle(
  call: string,
  { journal, faults }: Desk,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (call === 'GET /emulator/journal') return sendJson(response, 200, journal)
  if (call === 'GET /emulator/counts') return sendJson(response, 200, { ...journal, calls: [] })
  const fault = call === 'POST /emulator/faults' ? readSwitch((await readBody(request)) ?? '') : undefined
  if (fault === undefined) return sendJson(response, 400, { problem: `${call} is no such call, or is put wrongly` })
  if (fault.as === '') faults.switchOff(fault)
  else faults.switchOn(fault)
  return sendJson(response, 200, {})
}

/** A bearer token, or the key in Anthropic's or Google's header; '' for none. */
function keyOf({ headers }: IncomingMessage): string {
  const key = headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key'] ?? ''
  return String(key).replace(/^Bearer /, '')
}

const entry = ({ name }: { readonly name: string }) => ({
  id: name,
  object: 'model',
  created: 1_735_689_600,
  owned_by: 'emulator',
})

type ScriptFor = (body: string, exchange: Exchange) => Script

function scriptFor(path: string): ScriptFor | undefined {
  if (path === '/v1/chat/completions') return chat
  if (path === RESPONSES_PATH) return responsesScript
  if (path === MESSAGES_PATH) return messagesScript
  if (path === COHERE_PATH) return cohereScript
  if (OTHER_CALLS.has(path)) return (body, exchange) => otherScript(path, body, exchange)
  if (CONVERSE_PATH.test(path)) return (body, exchange) => converseScript(path, body, exchange)
  if (GEMINI_PATH.test(path)) return (body, exchange) => geminiScript(path, body, exchange)
  return undefined
}

function chat(body: string, exchange: Exchange): Script {
  const request = readChatRequest(body)
  if ('problem' in request) return { ...errorAnswer(400, request.problem, request.param), delayMs: 0 }
  return chatScript(request, exchange)
}

interface Asked {
  readonly place: string
  readonly key: string
  readonly script: ScriptFor
}

async function answer(
  { journal, faults, held }: Desk,
  { place, key, script: scriptOf }: Asked,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  if (body === undefined) return play(errorAnswer(413, 'The body is too large.'), 0, response)
  if (request.headers[FRAMED] === undefined) journal.bytes += Buffer.byteLength(body)
  // When the client disconnects, the script stops waiting.
  const call = followCall(journal, { place, headers: request.headers, body }, response)
  const as = faults.modelFor(place, key, body)
  const script = scriptOf(body, { number: call.number, created: Math.floor(Date.now() / 1_000), as, now })
  const steps = holding(script.steps, body)
  await play({ ...script, steps }, script.delayMs, response, call.gone, {
    onCut: () => {
      call.cut()
      faults.cut(place, key, body)
    },
    onHold: (signal) => wait(held, signal),
  })
}

function wait(held: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (then: () => void) => {
      held.delete(go)
      then()
    }
    const go = () => leave(resolve)
    held.add(go)
    signal.addEventListener('abort', () => leave(() => reject(new Error('nobody waits any more'))))
  })
}

const now = () => performance.timeOrigin + performance.now()

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
