import { LLMock } from '@copilotkit/aimock'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import OpenAI, { NotFoundError, RateLimitError } from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** The official client and a third-party emulator, with the gateway in between. */
let upstream: LLMock
let world: GatewayWorld
let client: OpenAI
/** The same calls without the gateway, for comparison. */
let direct: OpenAI

const USAGE = { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 }
const MODEL = 'gpt-4o-mini'

beforeAll(async () => {
  upstream = new LLMock({ port: 0 })
  upstream.onMessage('capital', { content: 'Paris is the capital of France.', usage: USAGE })
  upstream.onMessage('weather', {
    toolCalls: [
      { name: 'weather', arguments: '{"city":"Paris","unit":"celsius"}', id: 'call_1' },
      { name: 'weather', arguments: '{"city":"Rome","unit":"celsius"}', id: 'call_2' },
    ],
    usage: USAGE,
  })
  upstream.onMessage('think', { content: 'It is four.', reasoning: 'Two and two make four.', usage: USAGE })
  await upstream.start()
  world = await openGatewayWorld()
  await world.addChannel(upstream.url, [MODEL], { type: 1, key: 'sk-upstream', model_configs: null })
  const apiKey = await world.addToken(world.root)
  client = new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries: 0 })
  direct = new OpenAI({ apiKey: 'sk-upstream', baseURL: `${upstream.url}/v1`, maxRetries: 0 })
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.stop()
})

const ask = (content: string) => ({ model: MODEL, messages: [{ role: 'user' as const, content }] })
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } }]

async function lastCharge() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  return row
}

/** Every chunk of a stream, without the members that differ between any two answers. */
async function chunksOf(api: OpenAI, content: string): Promise<readonly object[]> {
  const stream = await api.chat.completions.create({ ...ask(content), tools, stream: true })
  const chunks: object[] = []
  for await (const { id: _id, created: _created, usage: _usage, ...chunk } of stream) chunks.push(chunk)
  return chunks
}

describe.each(['capital', 'weather', 'think'])('asked about %s', (subject) => {
  test('a plain answer is the provider’s own, and charged by its usage', async () => {
    const answer = await client.chat.completions.create({ ...ask(subject), tools })
    const expected = await direct.chat.completions.create({ ...ask(subject), tools })
    expect(answer.choices).toEqual(expected.choices)
    expect(answer.usage).toMatchObject(USAGE)
    expect(await lastCharge()).toMatchObject({
      prompt_tokens: USAGE.prompt_tokens,
      completion_tokens: USAGE.completion_tokens,
      estimated: 0,
      ended: 'complete',
    })
  })

  test('a stream is the provider’s own, chunk by chunk, and charged by its usage', async () => {
    expect(await chunksOf(client, subject)).toEqual(await chunksOf(direct, subject))
    expect(await lastCharge()).toMatchObject({
      completion_tokens: USAGE.completion_tokens,
      is_stream: 1,
      estimated: 0,
      ended: 'complete',
    })
  })
})

test('the price of a known model is taken from the price book', async () => {
  await client.chat.completions.create(ask('capital'))
  const [row] = await world.rows('select transfer.amount, price.source from transfer join price on price.id = price_id')
  expect(row?.['source']).toMatch(/^book:/)
  expect(row?.['amount']).toBeGreaterThan(0n)
})

test('the client’s helpers see a whole answer', async () => {
  const runner = client.chat.completions.stream(ask('capital'))
  expect(await runner.finalContent()).toBe('Paris is the capital of France.')
})

test('errors of the provider become the client’s own error classes', async () => {
  upstream.nextRequestError(429, { message: 'Slow down.', type: 'rate_limit_error', code: 'rate_limited' })
  const error = await client.chat.completions.create(ask('capital')).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RateLimitError)
  // The provider limits the operator's account, so the gateway replaces the provider's message.
  expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
})

test('models are listed and found', async () => {
  const listed: string[] = []
  for await (const model of client.models.list()) listed.push(model.id)
  expect(listed).toEqual([MODEL])
  expect(await client.models.retrieve(MODEL)).toMatchObject({ id: MODEL, owned_by: 'OpenAI' })
  await expect(client.models.retrieve('none')).rejects.toBeInstanceOf(NotFoundError)
})
