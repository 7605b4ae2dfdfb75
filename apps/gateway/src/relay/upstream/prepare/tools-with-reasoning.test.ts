import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** OpenAI refuses functions for reasoning models in chat, but accepts them in Responses. */
let site: Site
let world: GatewayWorld
let key = ''

const [OPENAI, AZURE, OPENROUTER] = [1, 3, 20]
const MODELS = ['gpt-5.3', 'gpt-5.5', 'gpt-5.5-chat-latest', 'gpt-5.6-sol']

const USAGE = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
const CALL = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}', status: 'completed' }
const RESPONSE = { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', output: [CALL], usage: USAGE }
const CHAT = {
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
}
const EVENTS = [
  { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { ...CALL, arguments: '' } },
  { type: 'response.function_call_arguments.delta', output_index: 0, item_id: 'fc_1', delta: '{}' },
  { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'fc_1', arguments: '{}' },
  { type: 'response.output_item.done', output_index: 0, item: CALL },
  { type: 'response.completed', response: RESPONSE },
]
const sse = (): SiteReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
})

beforeAll(async () => {
  site = await startSite(({ path, body }) => {
    if (!path.includes('/responses')) return { body: CHAT }
    return body.includes('"stream":true') ? sse() : { body: RESPONSE }
  })
  world = await openGatewayWorld()
  await world.addChannel(site.url, MODELS, { type: OPENAI, key: 'k' })
  await world.addChannel(site.url, ['gpt-5.4'], { type: AZURE, key: 'k' })
  await world.addChannel(site.url, ['openai/gpt-5.6-sol'], { type: OPENROUTER, key: 'k' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
})

const FUNCTION = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }
const seen = () => site.seen.at(-1)
const sent = () => JSON.parse(seen()?.body ?? '{}') as Readonly<Record<string, unknown>>
const post = (path: string, body: object) =>
  fetch(world.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('a chat client with functions', () => {
  test.each<[model: string, more: object, path: string]>([
    ['gpt-5.5', { reasoning_effort: 'high' }, '/v1/responses'],
    ['gpt-5.5', {}, '/v1/chat/completions'],
    ['gpt-5.5', { reasoning_effort: 'none' }, '/v1/chat/completions'],
    ['gpt-5.6-sol', {}, '/v1/responses'],
    ['gpt-5.6-sol', { reasoning_effort: 'none' }, '/v1/chat/completions'],
    ['gpt-5.3', { reasoning_effort: 'high' }, '/v1/chat/completions'],
    ['gpt-5.5-chat-latest', { reasoning_effort: 'high' }, '/v1/chat/completions'],
    ['gpt-5.4', { reasoning_effort: 'low' }, '/openai/v1/responses'],
    ['openai/gpt-5.6-sol', { reasoning_effort: 'high' }, '/v1/chat/completions'],
  ])('%s %j is asked at %s', async (model, more, path) => {
    const reply = await world.chat(key, { model, tools: [FUNCTION], ...more })
    expect([reply.status, seen()?.path.split('?')[0]]).toEqual([200, path])
    expect(await reply.json()).toMatchObject({ object: 'chat.completion' })
  })

  test('receives the call in chat’s form, and what Responses lack is named', async () => {
    const more = { reasoning_effort: 'high', max_tokens: 900, seed: 7 }
    const reply = await world.chat(key, { model: 'gpt-5.5', tools: [FUNCTION], ...more })
    expect(await reply.json()).toMatchObject({
      choices: [{ message: { tool_calls: [{ id: 'call_1', function: { name: 'f' } }] }, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 10, completion_tokens: 5 },
    })
    expect(sent()).toMatchObject({ reasoning: { effort: 'high' }, max_output_tokens: 900, store: false })
    expect(reply.headers.get('x-sluice-losses')).toBe('seed dropped')
  })

  test('receives chunks of chat when it streams', async () => {
    const reply = await world.chat(key, { model: 'gpt-5.6-sol', tools: [FUNCTION], stream: true })
    const text = await reply.text()
    expect(text).toMatch(/"object":"chat.completion.chunk"[^\n]*"tool_calls"/)
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(text).not.toContain('response.completed')
  })

  test('is passed on untouched without functions', async () => {
    const body = { model: 'gpt-5.6-sol', messages: [{ role: 'user', content: 'Hi' }], reasoning_effort: 'high' }
    const reply = await post('/v1/chat/completions', body)
    expect(await reply.json()).toStrictEqual(CHAT)
    expect([seen()?.path, seen()?.body]).toEqual(['/v1/chat/completions', JSON.stringify(body)])
  })

  test('is asked with the greatest effort where chat does not know it', async () => {
    const reply = await world.chat(key, { model: 'gpt-5.6-sol', reasoning_effort: 'max' })
    expect([reply.status, seen()?.path]).toEqual([200, '/v1/responses'])
    expect(sent()).toMatchObject({ reasoning: { effort: 'max' } })
  })

  test('that cannot be read is left for the provider to refuse', async () => {
    const body = { model: 'gpt-5.6-sol', messages: [{ role: 'user', content: 7 }], tools: [FUNCTION] }
    expect((await post('/v1/chat/completions', body)).status).toBe(200)
    expect(seen()?.path).toBe('/v1/chat/completions')
  })
})

describe('clients of other dialects with functions', () => {
  const tool = { name: 'f', input_schema: { type: 'object', properties: {} } }
  const messages = { max_tokens: 4_000, messages: [{ role: 'user', content: 'Hi' }], tools: [tool] }

  test.each(['gpt-5.5', 'gpt-5.6-sol', 'gpt-5.4'])('of Messages, with thinking: %s', async (model) => {
    const thinking = { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }
    const reply = await post('/v1/messages', { model, ...messages, ...thinking })
    expect(await reply.json()).toMatchObject({ content: [{ type: 'tool_use', name: 'f' }], stop_reason: 'tool_use' })
    expect(seen()?.path).toMatch(/\/responses$/)
  })

  test.each([
    ['gpt-5.5', /chat\/completions$/],
    ['gpt-5.6-sol', /\/responses$/],
  ])('of Messages, silently about thinking: %s', async (model, path) => {
    expect((await post('/v1/messages', { model, ...messages })).status).toBe(200)
    expect(seen()?.path).toMatch(path)
  })

  test('of Gemini', async () => {
    const reply = await post('/v1beta/models/gpt-5.5:generateContent', {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      tools: [{ functionDeclarations: [{ name: 'f' }] }],
      generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH' } },
    })
    expect(await reply.json()).toMatchObject({
      candidates: [{ content: { parts: [{ functionCall: { name: 'f' } }] } }],
    })
    expect([seen()?.path, sent()['reasoning']]).toMatchObject(['/v1/responses', { effort: 'high' }])
  })
})
