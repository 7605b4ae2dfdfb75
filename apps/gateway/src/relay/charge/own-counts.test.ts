import { asList, asObject, type JsonObject, parseJson } from '@sluice/dialects/json-value'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, startSite, type SiteReply, type SiteRequest } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** One provider per dialect, none of which reports usage. */
const PROVIDERS = {
  chat: { type: 50 },
  responses: { type: 50, config: '{"api_format":"response"}' },
  messages: { type: 14 },
  gemini: { type: 24 },
  cohere: { type: 35 },
} as const
type Dialect = keyof typeof PROVIDERS
const DIALECTS = Object.keys(PROVIDERS) as readonly Dialect[]

let world: GatewayWorld
let site: Site
let key: string

beforeAll(async () => {
  world = await openGatewayWorld()
  site = await startSite(answer)
  for (const dialect of DIALECTS) {
    await world.addChannel(site.url, [`m-${dialect}`], PROVIDERS[dialect])
  }
  await world.addChannel(site.url, ['m-promptless'], PROVIDERS.chat)
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
})

const TEXT = 'The gate is open.'

const events = (...data: readonly object[]): SiteReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: data.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''),
})
const named = (...data: readonly { readonly type: string }[]): SiteReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: data.map((each) => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join(''),
})

function answer({ path, body }: SiteRequest): SiteReply {
  const { stream = false, model } = asObject(parseJson(body)) ?? {}
  if (path.endsWith('/embeddings')) return { body: { object: 'list', model, data: [vector(0)] } }
  if (path.endsWith(':batchEmbedContents')) return { body: { embeddings: [{ values: [0.5] }] } }
  if (path.endsWith(':embedContent')) return { body: { embedding: { values: [0.5] } } }
  if (path.includes(':streamGenerateContent')) return events(generated('The gate '), generated('is open.', 'STOP'))
  if (path.includes(':generateContent')) return { body: generated(TEXT, 'STOP') }
  if (path.endsWith('/messages')) return stream === true ? named(...MESSAGE_EVENTS) : { body: MESSAGE }
  if (path.endsWith('/chat') && stream !== true) return { body: COHERE }
  if (path.endsWith('/chat')) return named(...COHERE_EVENTS)
  if (path.endsWith('/responses')) {
    const head = { id: 'resp_1', object: 'response', created_at: 1, model, output: [] }
    const end = { ...head, status: 'completed', output: [SAID] }
    if (stream !== true) return { body: end }
    const begun = { ...head, status: 'in_progress' }
    const delta = {
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: TEXT,
    }
    return named({ type: 'response.created', response: begun } as never, delta, {
      type: 'response.completed',
      response: end,
    } as never)
  }
  if (path.endsWith('/completions') && !path.includes('/chat/')) {
    const chunk = {
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1,
      model,
      choices: [{ text: TEXT, index: 0, finish_reason: 'stop' }],
    }
    return stream === true ? events(chunk) : { body: chunk }
  }
  const head = { id: 'c-1', created: 1, model }
  const partial = model === 'm-promptless' ? { usage: { prompt_tokens: 0, completion_tokens: 9, total_tokens: 9 } } : {}
  const message = { role: 'assistant', content: TEXT }
  if (stream !== true) {
    return {
      body: { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], ...partial },
    }
  }
  const chunk = { ...head, object: 'chat.completion.chunk' }
  return events(
    { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ...(model === 'm-promptless' ? [{ ...chunk, choices: [], ...partial }] : []),
  )
}

const vector = (index: number) => ({ object: 'embedding', index, embedding: [0.5] })
const generated = (text: string, finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...(finishReason && { finishReason }) }],
  modelVersion: 'm',
})
const MESSAGE_HEAD = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
const MESSAGE = { ...MESSAGE_HEAD, content: [{ type: 'text', text: TEXT }], stop_reason: 'end_turn' }
const MESSAGE_EVENTS = [
  { type: 'message_start', message: { ...MESSAGE_HEAD, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } },
  { type: 'message_stop' },
]
const SAID = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: TEXT, annotations: [] }],
}
const COHERE = {
  id: 'co-1',
  finish_reason: 'COMPLETE',
  message: { role: 'assistant', content: [{ type: 'text', text: TEXT }] },
}
const COHERE_EVENTS = [
  { type: 'message-start', id: 'co-1', delta: { message: { role: 'assistant', content: [] } } },
  { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
  { type: 'content-delta', index: 0, delta: { message: { content: { text: TEXT } } } },
  { type: 'content-end', index: 0 },
  { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
]

interface Row {
  readonly call: string
  readonly at: readonly Dialect[]
  readonly path: (model: string) => string
  readonly body: JsonObject
  readonly read: (reply: string) => JsonObject | undefined
  readonly names: readonly [string, string?]
}

const ASKED = { messages: [{ role: 'user', content: 'Is the gate open?' }] }
const INPUT = { input: 'Is the gate open?' }
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'Is the gate open?' }] }] }
const member = (name: string) => (reply: string) => asObject(asObject(parseJson(reply))?.[name])
const dataOf = (reply: string) =>
  reply.split('\n').flatMap((line) => {
    const event = line.startsWith('data: ') ? asObject(parseJson(line.slice('data: '.length))) : undefined
    return event === undefined ? [] : [event]
  })
/** The last usage in a stream counts. */
const lastOf = (name: string) => (reply: string) =>
  dataOf(reply)
    .flatMap((event) => {
      const usage = asObject(asObject(event['response'] ?? event)?.[name])
      return usage === undefined ? [] : [usage]
    })
    .at(-1)
const CHAT = ['prompt_tokens', 'completion_tokens'] as const
const TOKENS = ['input_tokens', 'output_tokens'] as const
const GEMINI = ['promptTokenCount', 'candidatesTokenCount'] as const
const streamed = (body: JsonObject) => ({ ...body, stream: true, stream_options: { include_usage: true } })
const gemini = (action: string) => (model: string) => `/v1beta/models/${model}:${action}`
const COMPLETING = ['chat'] as const

const ROWS: readonly Row[] = [
  { call: 'chat', at: DIALECTS, path: () => '/v1/chat/completions', body: ASKED, read: member('usage'), names: CHAT },
  {
    call: 'chat, streamed',
    at: DIALECTS,
    path: () => '/v1/chat/completions',
    body: streamed(ASKED),
    read: lastOf('usage'),
    names: CHAT,
  },
  {
    call: 'completions',
    at: COMPLETING,
    path: () => '/v1/completions',
    body: { prompt: 'Is it?' },
    read: member('usage'),
    names: CHAT,
  },
  {
    call: 'completions, streamed',
    at: COMPLETING,
    path: () => '/v1/completions',
    body: streamed({ prompt: 'Is it?' }),
    read: lastOf('usage'),
    names: CHAT,
  },
  { call: 'responses', at: DIALECTS, path: () => '/v1/responses', body: INPUT, read: member('usage'), names: TOKENS },
  {
    call: 'responses, streamed',
    at: DIALECTS,
    path: () => '/v1/responses',
    body: { ...INPUT, stream: true },
    read: lastOf('usage'),
    names: TOKENS,
  },
  {
    call: 'compaction',
    at: ['chat', 'messages', 'gemini'],
    path: () => '/v1/responses/compact',
    body: INPUT,
    read: member('usage'),
    names: TOKENS,
  },
  {
    call: 'messages',
    at: DIALECTS,
    path: () => '/v1/messages',
    body: { ...ASKED, max_tokens: 99 },
    read: member('usage'),
    names: TOKENS,
  },
  {
    call: 'messages, streamed',
    at: DIALECTS,
    path: () => '/v1/messages',
    body: { ...ASKED, max_tokens: 99, stream: true },
    read: lastOf('usage'),
    names: TOKENS,
  },
  {
    call: 'generateContent',
    at: DIALECTS,
    path: gemini('generateContent'),
    body: CONTENTS,
    read: member('usageMetadata'),
    names: GEMINI,
  },
  {
    call: 'streamGenerateContent',
    at: DIALECTS,
    path: gemini('streamGenerateContent?alt=sse'),
    body: CONTENTS,
    read: lastOf('usageMetadata'),
    names: GEMINI,
  },
  {
    call: 'streamGenerateContent as a list',
    at: DIALECTS,
    path: gemini('streamGenerateContent'),
    body: CONTENTS,
    read: (reply) => asObject(asObject(asList(parseJson(reply)).at(-1))?.['usageMetadata']),
    names: GEMINI,
  },
  {
    call: 'embeddings',
    at: ['chat', 'gemini'],
    path: () => '/v1/embeddings',
    body: INPUT,
    read: member('usage'),
    names: ['prompt_tokens'],
  },
  {
    call: 'embedContent',
    at: ['gemini'],
    path: gemini('embedContent'),
    body: { content: { parts: [{ text: 'Is it?' }] } },
    read: member('usageMetadata'),
    names: ['promptTokenCount'],
  },
]

async function ask(path: string, body: JsonObject): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const reply = await fetch(`${world.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await reply.text()
  expect(reply.status, text).toBe(200)
  return text
}

let seen = 0
/** The charge of the one call made since the last look. It is durable at once, but reaches the tables a little later. */
const lastCharge = async () => {
  const newest = async () =>
    (
      await world.rows(
        'select id, prompt_tokens, completion_tokens, estimated from log where type = 2 order by id desc limit 1',
      )
    )[0]
  await expect.poll(async () => Number((await newest())?.['id'] ?? 0)).toBeGreaterThan(seen)
  const charge = await newest()
  seen = Number(charge?.['id'])
  return charge
}

describe.each(ROWS)('$call at a provider that counts nothing', ({ at, path, body, read, names: [prompt, output] }) => {
  test.each(at)('of %s shows the tokens that were charged', async (dialect) => {
    const model = `m-${dialect}`
    const usage = read(await ask(path(model), { model, ...body }))
    const charge = await lastCharge()
    expect(charge).toMatchObject({ estimated: 1 })
    expect(charge?.['prompt_tokens']).toBeGreaterThan(0)
    expect(usage?.[prompt]).toBe(charge?.['prompt_tokens'])
    if (output === undefined) return
    expect(charge?.['completion_tokens']).toBeGreaterThan(0)
    expect(usage?.[output]).toBe(charge?.['completion_tokens'])
  })
})

test.each([false, true])(
  'a prompt of no tokens is counted here, and the answer is left as it was reported (stream: %s)',
  async (stream) => {
    const body = { model: 'm-promptless', ...(stream ? streamed(ASKED) : ASKED) }
    const usage = (stream ? lastOf('usage') : member('usage'))(await ask('/v1/chat/completions', body))
    const charge = await lastCharge()
    expect(charge).toMatchObject({ estimated: 1, completion_tokens: 9 })
    expect(charge?.['prompt_tokens']).toBeGreaterThan(0)
    expect(usage).toMatchObject({ prompt_tokens: charge?.['prompt_tokens'], completion_tokens: 9 })
  },
)

test('a stream whose client asks for no usage has none', async () => {
  const reply = await ask('/v1/chat/completions', { model: 'm-chat', ...ASKED, stream: true })
  expect(dataOf(reply).length).toBeGreaterThan(0)
  expect(dataOf(reply).filter((chunk) => 'usage' in chunk)).toEqual([])
})

test('the chunk that reports it repeats the others’ id', async () => {
  const chunks = dataOf(await ask('/v1/chat/completions', { model: 'm-chat', ...streamed(ASKED) }))
  expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(['c-1']))
  expect(chunks.at(-1)).toMatchObject({ object: 'chat.completion.chunk', created: 1, model: 'm-chat', choices: [] })
})

test('a message that the provider ended keeps its stop reason', async () => {
  const stream = { ...ASKED, model: 'm-messages', max_tokens: 99, stream: true }
  const stops = dataOf(await ask('/v1/messages', stream)).filter(({ type }) => type === 'message_delta')
  expect(stops.at(-1)).toMatchObject({
    delta: { stop_reason: 'end_turn' },
    usage: { output_tokens: expect.any(Number) },
  })
})
