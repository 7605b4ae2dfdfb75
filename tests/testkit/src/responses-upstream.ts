import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

/** A provider of OpenAI's Responses only. An answer is one reasoning item and one message, stored on request. */
export interface ResponsesUpstream {
  readonly url: string
  /** All calls, with JSON bodies parsed. */
  readonly calls: readonly UpstreamCall[]
  close(): Promise<void>
}

export interface UpstreamCall {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly json: Readonly<Record<string, unknown>>
  /** Id of the created response; empty for other calls. */
  readonly answered: string
  /** The whole `Authorization` header; empty without one. */
  readonly authorization: string
}

export const RESPONSE_TEXT = 'The gate is open.'
const USAGE = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 29,
}

export async function startResponsesUpstream(): Promise<ResponsesUpstream> {
  const calls: UpstreamCall[] = []
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '' } = request
      const { authorization = '' } = request.headers
      const body = Buffer.concat(chunks).toString()
      const json = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
      const isCall = method === 'POST' && url === '/v1/responses'
      const response = responseOf(`resp_${randomUUID()}`, String(json['model']))
      calls.push({ method, path: url, json, answered: isCall ? response.id : '', authorization })
      if (!isCall) {
        reply
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ requested: `${method} ${url}` }))
      } else if (json['stream'] === true) {
        reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamOf(response))
      } else {
        reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the upstream has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function responseOf(id: string, model: string) {
  const text = { type: 'output_text', text: RESPONSE_TEXT, annotations: [], logprobs: [] }
  return {
    id,
    object: 'response',
    created_at: 1,
    status: 'completed',
    error: null,
    model,
    output: [
      { id: `rs_${id}`, type: 'reasoning', summary: [], encrypted_content: 'sealed' },
      { id: `msg_${id}`, type: 'message', status: 'completed', role: 'assistant', content: [text] },
    ],
    usage: USAGE,
    vendor_field: { kept: true },
  }
}

export const streamOf = (response: ReturnType<typeof responseOf>): string =>
  eventsOf(response)
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')

export function eventsOf(
  response: ReturnType<typeof responseOf>,
): readonly { readonly type: string; readonly [member: string]: unknown }[] {
  const begun = { ...response, status: 'in_progress', output: [], usage: null }
  const [reasoning, message] = response.output
  const place = { item_id: message?.id, output_index: 1, content_index: 0 }
  const words = RESPONSE_TEXT.split(/(?= )/)
  return [
    { type: 'response.created', response: begun },
    { type: 'response.output_item.done', output_index: 0, item: reasoning },
    ...words.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
    { type: 'response.output_text.done', ...place, text: RESPONSE_TEXT },
    { type: 'response.output_item.done', output_index: 1, item: message },
    { type: 'response.completed', response },
  ]
}
