import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** Clients of other dialects at Gemini, and Gemini's clients at other providers, in both directions. */
let site: Site
let world: GatewayWorld
let key = ''
let answer: (path: string) => SiteReply

const GEMINI = 24
const PRICE = { ratio: 1, completion_ratio: 2 }

beforeAll(async () => {
  site = await startSite(({ path }) => answer(path))
  world = await openGatewayWorld()
  await world.addChannel(
    site.url,
    ['gemini-3-pro', 'gemini-3-pro-image', 'gemini-embedding-001', 'gemini-2.5-flash-preview-tts'],
    {
      type: GEMINI,
      model_configs: JSON.stringify({
        'gemini-3-pro': PRICE,
        'gemini-3-pro-image': PRICE,
        'gemini-embedding-001': PRICE,
        'gemini-2.5-flash-preview-tts': PRICE,
      }),
    },
  )
  await world.addChannel(site.url, ['gpt'])
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
})

async function ask(path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return await fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}
const sent = () => JSON.parse(site.seen.at(-1)?.body ?? '{}') as { contents: { role: string; parts: object[] }[] }

async function lastLog() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  return row ?? {}
}

const USAGE = { promptTokenCount: 30, candidatesTokenCount: 4, thoughtsTokenCount: 6, totalTokenCount: 40 }
const CALLED = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          { text: 'Where?', thought: true },
          { functionCall: { id: 'fc1', name: 'weather', args: { city: 'Rome' } }, thoughtSignature: 'c2lnbmVk' },
        ],
      },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: USAGE,
  modelVersion: 'gemini-3-pro-preview',
  responseId: 'r1',
}
const events = (messages: readonly object[]): SiteReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: messages.map((message) => `data: ${JSON.stringify(message)}\r\n\r\n`).join(''),
})
const gemini = (path: string): SiteReply => (path.includes(':stream') ? events([CALLED]) : { body: CALLED })

const SIGNED_CALL = {
  functionCall: { id: 'fc1', name: 'weather', args: { city: 'Rome' } },
  thoughtSignature: 'c2lnbmVk',
}
const RESULT = { functionResponse: { id: 'fc1', name: 'weather', response: { result: 'sunny' } } }
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } }

describe('the signature of a call returns to it through a client of', () => {
  test('OpenAI’s chat', async () => {
    answer = gemini
    const tools = [{ type: 'function', function: { name: 'weather', parameters: SCHEMA } }]
    const messages: object[] = [{ role: 'user', content: 'Is it warm?' }]
    const reply = await ask('/v1/chat/completions', { model: 'gemini-3-pro', messages, tools })
    const { choices } = (await reply.json()) as { choices: [{ message: object; finish_reason: string }] }
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { reasoning_content: 'Where?', tool_calls: [{ id: 'fc1', function: { name: 'weather' } }] },
    })
    expect(site.seen.at(-1)).toMatchObject({
      path: '/v1beta/models/gemini-3-pro:generateContent',
      headers: { 'x-goog-api-key': expect.any(String) },
    })
    expect(await lastLog()).toMatchObject({ prompt_tokens: 30, completion_tokens: 10, ended: 'complete' })
    messages.push(choices[0].message, { role: 'tool', tool_call_id: 'fc1', content: 'sunny' })
    await (await ask('/v1/chat/completions', { model: 'gemini-3-pro', messages, tools })).text()
    expect(sent().contents.slice(1)).toMatchObject([
      { role: 'model', parts: [SIGNED_CALL] },
      { role: 'user', parts: [RESULT] },
    ])
  })

  test('Anthropic’s Messages', async () => {
    answer = gemini
    const tools = [{ name: 'weather', input_schema: SCHEMA }]
    const messages: object[] = [{ role: 'user', content: 'Is it warm?' }]
    const body = { model: 'gemini-3-pro', max_tokens: 500, tools }
    const { content } = (await (await ask('/v1/messages', { ...body, messages })).json()) as { content: object[] }
    expect(content.at(-1)).toMatchObject({ type: 'tool_use', id: 'fc1', input: { city: 'Rome' } })
    messages.push(
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'fc1', content: 'sunny' }] },
    )
    await (await ask('/v1/messages', { ...body, messages })).text()
    expect(sent().contents[1]?.parts.at(-1)).toEqual(SIGNED_CALL)
    expect(sent().contents[2]?.parts).toEqual([RESULT])
  })

  test('OpenAI’s Responses', async () => {
    answer = gemini
    const tools = [{ type: 'function', name: 'weather', parameters: SCHEMA }]
    const input: object[] = [{ role: 'user', content: 'Is it warm?' }]
    const body = { model: 'gemini-3-pro', tools, store: false }
    const { output } = (await (await ask('/v1/responses', { ...body, input })).json()) as { output: object[] }
    expect(output.at(-1)).toMatchObject({ type: 'function_call', name: 'weather', arguments: '{"city":"Rome"}' })
    const { call_id: callId } = output.at(-1) as { call_id: string }
    input.push(...output, { type: 'function_call_output', call_id: callId, output: 'sunny' })
    await (await ask('/v1/responses', { ...body, input })).text()
    expect(sent().contents[1]?.parts.at(-1)).toEqual(SIGNED_CALL)
  })
})

const CHUNKS = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Loo' } }] },
  { choices: [{ index: 0, delta: { content: 'king' } }] },
  {
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"ci' } }],
        },
      },
    ],
  },
  { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: 'ty":"Rome"}' } }] } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  { choices: [], usage: { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 } },
].map((chunk) => ({ id: 'x', object: 'chat.completion.chunk', model: 'gpt-0', ...chunk }))
const chatStream: SiteReply = {
  headers: { 'content-type': 'text/event-stream' },
  body: `${CHUNKS.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`,
}
const HI = {
  system_instruction: { parts: [{ text: 'Be brief.' }] },
  contents: [{ parts: [{ text: 'Hi' }] }],
  generationConfig: { maxOutputTokens: 50 },
}
const TRANSLATED = [
  { candidates: [{ content: { parts: [{ text: 'Loo' }] } }] },
  { candidates: [{ content: { parts: [{ text: 'king' }] } }] },
  { candidates: [{ content: { parts: [{ functionCall: { id: 'c1', name: 'weather', args: { city: 'Rome' } } }] } }] },
  {
    candidates: [{ finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 5, totalTokenCount: 13 },
  },
]

describe('a client of Google’s at a provider of OpenAI’s chat', () => {
  test('receives a stream of events', async () => {
    answer = () => chatStream
    const reply = await ask('/v1beta/models/gpt:streamGenerateContent?alt=sse', HI)
    const translated = (await reply.text()).split('\n\n').filter(Boolean)
    expect(translated.map((event) => JSON.parse(event.slice(6)) as unknown)).toMatchObject(TRANSLATED)
    expect(JSON.parse(site.seen.at(-1)?.body ?? '')).toMatchObject({ model: 'gpt', stream: true, messages: [{}, {}] })
    expect(await lastLog()).toMatchObject({ prompt_tokens: 8, completion_tokens: 5, is_stream: 1, ended: 'complete' })
  })

  test('receives a stream as one list', async () => {
    answer = () => chatStream
    const reply = await ask('/v1/models/gpt:streamGenerateContent', HI)
    expect([reply.headers.get('content-type'), await reply.json()]).toMatchObject([
      expect.stringMatching(/^application\/json/),
      TRANSLATED,
    ])
  })

  test('receives an error inside a stream, after what was said', async () => {
    const [first = {}] = CHUNKS
    const error = { error: { message: 'It is too warm here.', type: 'server_error' } }
    answer = () => events([first, error])
    const reply = await ask('/v1beta/models/gpt:streamGenerateContent', HI)
    expect(await reply.json()).toMatchObject([
      TRANSLATED[0],
      { error: { code: 502, message: expect.stringContaining('too warm') } },
    ])
  })
})

test('vectors and pictures of Google’s models are returned in OpenAI’s shape', async () => {
  answer = () => ({ body: { embeddings: [{ values: [0.5, 1] }, { values: [2, 3] }] } })
  const vectors = await ask('/v1/embeddings', { model: 'gemini-embedding-001', input: ['a', 'b'] })
  expect(await vectors.json()).toMatchObject({ object: 'list', data: [{ embedding: [0.5, 1] }, { embedding: [2, 3] }] })
  const picture = { inlineData: { mimeType: 'image/png', data: 'aGk=' } }
  answer = () => ({
    body: { candidates: [{ content: { parts: [picture] }, finishReason: 'STOP' }], usageMetadata: USAGE },
  })
  const pictures = await ask('/v1/images/generations', { model: 'gemini-3-pro-image', prompt: 'A cat' })
  expect(await pictures.json()).toMatchObject({ data: [{ b64_json: 'aGk=' }] })
  expect(await lastLog()).toMatchObject({ prompt_tokens: 30, ended: 'complete' })
})

test('Google’s models speak to clients of OpenAI', async () => {
  const samples = { inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: 'AQACAAMABAA=' } }
  answer = () => ({
    body: { candidates: [{ content: { parts: [samples] }, finishReason: 'STOP' }], usageMetadata: USAGE },
  })
  const body = { model: 'gemini-2.5-flash-preview-tts', input: 'Good day', voice: 'alloy', response_format: 'wav' }
  const reply = await ask('/v1/audio/speech', body)
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'audio/wav'])
  const sound = Buffer.from(await reply.arrayBuffer())
  expect(sound.subarray(0, 4).toString()).toBe('RIFF')
  expect([...sound.subarray(-8)]).toEqual([1, 0, 2, 0, 3, 0, 4, 0])
  expect(await lastLog()).toMatchObject({ prompt_tokens: 30, ended: 'complete' })
})
