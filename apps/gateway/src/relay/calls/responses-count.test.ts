import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

describe('POST /v1/responses/input_tokens', () => {
  let provider: Site
  let world: GatewayWorld
  let client: OpenAI
  let key = ''
  let answer: SiteReply = {}

  beforeAll(async () => {
    provider = await startSite(async () => answer)
    world = await openGatewayWorld()
    await world.addChannel(provider.url, ['native'], { config: '{"api_format":"response"}' })
    await world.addChannel(provider.url, ['claude'], { type: 14 })
    await world.addChannel(provider.url, ['chat'])
    key = await world.addToken(world.root)
    client = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1`, maxRetries: 0 })
  })
  afterEach(() => world.verify())
  afterAll(async () => {
    await world.close()
    await provider.close()
  })

  const TOOL = { type: 'function', name: 'look', parameters: { type: 'object' }, strict: false } as const
  const PROMPT = { instructions: 'Be short.', input: 'How many words is this?', tools: [TOOL] }
  const sent = () => JSON.parse(provider.seen.at(-1)?.body ?? '') as Record<string, unknown>

  test('is passed on to a provider that has it, unchanged', async () => {
    answer = { body: { object: 'response.input_tokens', input_tokens: 11, own: true } }
    expect(await client.responses.inputTokens.count({ model: 'native', ...PROMPT })).toMatchObject({
      input_tokens: 11,
      own: true,
    })
    expect(provider.seen.at(-1)?.path).toBe('/v1/responses/input_tokens')
    expect(sent()).toEqual({ model: 'native', ...PROMPT })
  })

  test('is counted by Anthropic for its own models, which is sent the prompt and no setting for an answer', async () => {
    answer = { body: { input_tokens: 23 } }
    const more = { truncation: 'disabled', reasoning: { effort: 'low' } } as const
    expect(await client.responses.inputTokens.count({ model: 'claude', ...PROMPT, ...more })).toEqual({
      object: 'response.input_tokens',
      input_tokens: 23,
    })
    expect(provider.seen.at(-1)?.path).toBe('/v1/messages/count_tokens')
    expect(sent()).toMatchObject({
      model: 'claude',
      system: [{ type: 'text', text: 'Be short.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: PROMPT.input }] }],
      tools: [{ name: 'look' }],
    })
    for (const name of ['max_tokens', 'stream', 'metadata']) expect(sent()).not.toHaveProperty(name)
  })

  test.each([
    ['chat', {}],
    ['native', { status: 404, body: { error: { message: 'unknown path' } } }],
    ['claude', { body: { tokens: 'many' } }],
  ])('%s: is counted here where its provider does not count', async (model, reply) => {
    answer = reply
    const { object, input_tokens } = await client.responses.inputTokens.count({ model, ...PROMPT })
    expect(object).toBe('response.input_tokens')
    expect(input_tokens).toBeGreaterThan(5)
    expect(input_tokens).toBeLessThan(100)
  })

  test.each([
    [{ input: 'x' }, 'model'],
    [{ model: 'native', input: 7 }, 'input'],
    [{ model: 'native', input: [{ type: 'item_reference', id: 'unknown' }] }, 'input[0].id'],
  ])('%j is refused by its field', async (body, param) => {
    const reply = await fetch(`${world.url}/v1/responses/input_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { param } }])
  })

  test('costs nothing, and needs a key', async () => {
    expect(await world.rows('select * from log where type = 2')).toEqual([])
    const reply = await fetch(`${world.url}/v1/responses/input_tokens`, { method: 'POST', body: '{}' })
    expect(reply.status).toBe(401)
  })
})
