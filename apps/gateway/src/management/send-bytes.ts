import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { BodyClaim, type BodyMemory, type BodyOwner } from '../edge/body-memory.ts'
import { accepts } from '../edge/serve-console.ts'
import { hasIt, type WrittenDocument } from './kept-answers.ts'

/** Replies of at least this size count against the memory for replies; smaller ones fit into the system's socket buffer. */
export const COUNTED_FROM = 65_536
/** Bytes of all counted replies that their clients have not read yet, and of the largest reply. */
export const MANAGEMENT_REPLIES = { ceiling: 134_217_728, largest: 16_777_216 } as const

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' } as const

/** Sends a document in a form that the caller can read, or 304 if the caller has it. Its bytes are not copied. */
export async function sendDocument(
  context: Context,
  document: WrittenDocument,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const head = { ...headers, ETag: document.etag }
  if (hasIt(context.req.header('if-none-match'), document)) return context.body(null, 304, head)
  const { bytes, compressed } = document
  const isCompressed = compressed !== undefined && accepts(context.req.header('accept-encoding') ?? '', 'gzip')
  if (!isCompressed) return send(context, bytes, head)
  return send(context, await compressed(), { ...head, 'Content-Encoding': 'gzip' })
}

/** Sends a reply made for one caller. Its unread bytes count; undefined when there is no room for more. */
export function sendOwn(context: Context, text: string, memory: BodyMemory, owner: BodyOwner): Response | undefined {
  const bytes = Buffer.from(text)
  const reply = outgoingOf(context)
  const claim = new BodyClaim(memory, owner)
  if (reply !== undefined) {
    if (claim.hold(bytes.length) !== undefined) return undefined
    reply.once('close', () => claim.release())
    if (reply.destroyed) claim.release()
  }
  return send(context, bytes)
}

/** Writes directly to the socket, because a response of the framework would keep a copy for each reader. */
function send(context: Context, bytes: Buffer, headers: Readonly<Record<string, string>> = {}): Response {
  const reply = outgoingOf(context)
  const head = { ...headers, ...JSON_TYPE, 'Content-Length': String(bytes.length) }
  if (reply === undefined) return context.body(Uint8Array.from(bytes), 200, head)
  const names = Object.keys(head).map((name) => name.toLowerCase())
  const prepared = [...context.res.headers].filter(([name]) => !names.includes(name))
  reply.writeHead(200, [...prepared, ...Object.entries(head)].flat()).end(bytes)
  return RESPONSE_ALREADY_SENT
}

/** Undefined without a socket, as in tests that call the API as a function. */
const outgoingOf = (context: Context) => (context.env as Partial<HttpBindings> | undefined)?.outgoing
