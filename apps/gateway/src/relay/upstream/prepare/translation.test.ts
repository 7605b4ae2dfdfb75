import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** Clients of one dialect at providers of another: requests, answers and charges. */
let site: Site
let world: GatewayWorld
let key = ''
let answer: (body: Readonly<Record<string, unknown>>) => SiteReply

const ANTHROPIC = 14

beforeAll(async () => {
  site = await startSite(({ body }) => answer(JSON.parse(body) as Record<string, unknown>))
  world = await openGatewayWorld()
  await world.addChannel(site.url, ['claude-sonnet-4-5'], { type: ANTHROPIC, key: 'sk-ant-key' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
})

const MESSAGE = {
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [{ type: 'text', text: 'Good day' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 20, output_tokens: 5 },
}
const EVENTS = [
  {
    type: 'message_start',
    message: { ...MESSAGE, content: [], stop_reason: null, usage: { input_tokens: 20, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' day' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]
const sse = (events: readonly { readonly type: string }[]): SiteReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
})

const chat = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  world.chat(
    key,
    { model: 'claude-sonnet-4-5', ...body },
    { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers } },
  )
const sent = () => JSON.parse(site.seen.at(-1)?.body ?? '{}') as Readonly<Record<string, unknown>>
async function lastLog() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  return row ?? {}
}

async function readChunks(reply: Response): Promise<readonly unknown[]> {
  const text = await reply.text()
  expect(text).toMatch(/data: \[DONE\]\n\n$/)
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as unknown)
}

describe('a chat client at a provider of Anthropic’s Messages', () => {
  test('is served in its own dialect, and charged by the provider’s count', async () => {
    answer = () => ({ body: MESSAGE })
    const reply = await chat({ max_tokens: 64 })
    expect(await reply.json()).toMatchObject({
      object: 'chat.completion',
      model: 'claude-sonnet-4-5',
      choices: [{ message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
    })
    expect(site.seen.at(-1)).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': 'sk-ant-key' } })
    expect(sent()).toMatchObject({
      model: 'claude-sonnet-4-5',
      max_tokens: 64,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Say something.' }] }],
    })
    expect(await lastLog()).toMatchObject({ prompt_tokens: 20, completion_tokens: 5, ended: 'complete' })
  })

  test('streams', async () => {
    answer = () => sse(EVENTS)
    const chunks = await readChunks(await chat({ stream: true, stream_options: { include_usage: true } }))
    expect(chunks).toMatchObject([
      { choices: [{ delta: { role: 'assistant' } }] },
      { choices: [{ delta: { content: 'Good' } }] },
      { choices: [{ delta: { content: ' day' } }] },
      { choices: [{ finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 20, completion_tokens: 5 } },
    ])
    expect(await lastLog()).toMatchObject({ prompt_tokens: 20, completion_tokens: 5, ended: 'complete', is_stream: 1 })
  })

  test('gets events for a provider that ignores the request for a stream', async () => {
    answer = () => ({ body: MESSAGE })
    const chunks = await readChunks(await chat({ stream: true }))
    expect(JSON.stringify(chunks)).toContain('Good day')
  })

  test('learns what the provider did not receive, and the log keeps it', async () => {
    answer = () => ({ body: MESSAGE })
    const reply = await chat({ seed: 7, logit_bias: { 1: 2 } })
    expect(reply.headers.get('x-sluice-losses')).toBe('seed dropped, logit_bias dropped')
    expect(String((await lastLog())['content'])).toContain('seed dropped')
    answer = () => sse(EVENTS)
    const streamed = await chat({ seed: 7, stream: true })
    expect(streamed.headers.get('x-sluice-losses')).toBe('seed dropped')
    await streamed.text()
  })

  test('that allows no loss is refused, and nothing is sent or charged', async () => {
    const before = site.seen.length
    const reply = await chat({ seed: 7 }, { 'x-sluice-strict': 'true' })
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { code: 'losses_refused' } }])
    expect(site.seen.length).toBe(before)
  })

  test('cannot send what the provider has no form for', async () => {
    const content = [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]
    const reply = await chat({ messages: [{ role: 'user', content }] })
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { code: 'not_expressible', param: 'messages[0].content[0]' } },
    ])
  })

  test('receives an error in its own dialect', async () => {
    answer = () => ({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: too large' } },
    })
    const reply = await chat({})
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('max_tokens: too large') } },
    ])
  })

  test('receives an error inside a stream, and pays for what arrived', async () => {
    answer = () =>
      sse([
        ...EVENTS.slice(0, 5),
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as never,
      ])
    const text = await (await chat({ stream: true })).text()
    expect(text).toContain('Overloaded')
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(await lastLog()).toMatchObject({ ended: expect.not.stringMatching(/^complete$/) })
  })

  test('notices a stream that breaks off', async () => {
    answer = () => sse(EVENTS.slice(0, 5))
    const text = await (await chat({ stream: true })).text()
    expect(text).toContain('upstream_broken')
  })

  test('sends pictures of megabytes as they are', async () => {
    answer = () => ({ body: MESSAGE })
    const data = 'iVBORw0KGgoA'.repeat(100_000)
    const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }]
    const reply = await chat({ messages: [{ role: 'user', content }] })
    expect(reply.status).toBe(200)
    expect(sent()['messages']).toEqual([
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }] },
    ])
  })
})
