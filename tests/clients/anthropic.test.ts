import Anthropic, { AuthenticationError, NotFoundError } from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALLS, CAPITAL, FORECAST, MODELS, openProviders, PROVIDERS, type Providers } from './providers.ts'

let world: Providers
let client: Anthropic

beforeAll(async () => {
  world = await openProviders()
  client = new Anthropic({ apiKey: world.key, baseURL: world.url, maxRetries: 0 })
})
afterAll(() => world.close())

const ask = (model: string, content: string) => ({
  model,
  max_tokens: 256,
  messages: [{ role: 'user' as const, content }],
})
const tools: Anthropic.Tool[] = [
  {
    name: 'weather',
    description: 'The weather of a city',
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]
const textOf = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')

describe.each(PROVIDERS)('messages at %s', (provider) => {
  const model = MODELS[provider]

  it('answers', async () => {
    const message = await client.messages.create(ask(model, 'What is the capital of France?'))
    expect(textOf(message)).toBe(CAPITAL)
    expect(message).toMatchObject({ role: 'assistant', model, stop_reason: 'end_turn' })
    expect(message.usage.output_tokens).toBeGreaterThan(0)
  })

  it('streams the same', async () => {
    const pieces: string[] = []
    const stream = client.messages
      .stream(ask(model, 'What is the capital of France?'))
      .on('text', (text) => pieces.push(text))
    const message = await stream.finalMessage()
    expect(pieces.join('')).toBe(CAPITAL)
    expect(textOf(message)).toBe(CAPITAL)
    expect(message.stop_reason).toBe('end_turn')
    expect(message.usage.output_tokens).toBeGreaterThan(0)
  })

  it.each([false, true])('calls tools side by side and reads their results; streamed: %s', async (streamed) => {
    const request = { ...ask(model, 'How is the weather in Paris and Rome?'), tools }
    const first = streamed
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request)
    const calls = first.content.filter((block) => block.type === 'tool_use')
    expect(calls.map(({ name, input }) => ({ name, args: input }))).toEqual(CALLS)
    expect(first.stop_reason).toBe('tool_use')
    const results = calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'sun' }))
    const messages: Anthropic.MessageParam[] = [
      ...request.messages,
      { role: 'assistant', content: first.content },
      { role: 'user', content: results },
    ]
    const second = await client.messages.create({ ...request, messages })
    expect(textOf(second)).toBe(FORECAST)
  })
})

it('counts tokens and lists models in the client’s own shape', async () => {
  const { messages } = ask('', 'What is the capital of France?')
  const counted = await client.messages.countTokens({ model: MODELS.openai, messages })
  expect(counted.input_tokens).toBeGreaterThan(5)
  const models = []
  for await (const { id, type } of client.models.list()) models.push({ id, type })
  expect(models).toContainEqual({ id: MODELS.anthropic, type: 'model' })
})

it('meets errors as its own classes', async () => {
  await expect(client.messages.create(ask('no-such-model', 'hi'))).rejects.toThrow(NotFoundError)
  const stranger = new Anthropic({ apiKey: 'sk-wrong', baseURL: world.url, maxRetries: 0 })
  await expect(stranger.messages.create(ask(MODELS.openai, 'hi'))).rejects.toThrow(AuthenticationError)
})
