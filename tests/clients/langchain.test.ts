import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CALLS, CAPITAL, FORECAST, MODELS, openProviders, PROVIDERS, type Providers } from './providers.ts'

let world: Providers

beforeAll(async () => {
  world = await openProviders()
})
afterAll(() => world.close())

const weather = tool(async () => 'sun', {
  name: 'weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
})

function modelOf(client: 'ChatOpenAI' | 'ChatAnthropic', model: string) {
  const { url, key: apiKey } = world
  return client === 'ChatOpenAI'
    ? new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL: `${url}/v1` } })
    : new ChatAnthropic({ model, apiKey, anthropicApiUrl: url, maxRetries: 0, maxTokens: 256 })
}

describe.each(['ChatOpenAI', 'ChatAnthropic'] as const)('%s', (client) => {
  describe.each(PROVIDERS)('at %s', (provider) => {
    it('answers and streams', async () => {
      const model = modelOf(client, MODELS[provider])
      const reply = await model.invoke('What is the capital of France?')
      expect(reply.text).toBe(CAPITAL)
      expect(reply.usage_metadata).toMatchObject({ output_tokens: expect.any(Number) })
      let text = ''
      for await (const chunk of await model.stream('What is the capital of France?')) text += chunk.text
      expect(text).toBe(CAPITAL)
    })

    it('calls tools side by side and reads their results', async () => {
      const model = modelOf(client, MODELS[provider]).bindTools([weather])
      const question = new HumanMessage('How is the weather in Paris and Rome?')
      const first = await model.invoke([question])
      const calls = first.tool_calls ?? []
      expect(calls.map(({ name, args }) => ({ name, args }))).toEqual(CALLS)
      const results = calls.map(({ id = '' }) => new ToolMessage({ tool_call_id: id, content: 'sun' }))
      expect((await model.invoke([question, first, ...results])).text).toBe(FORECAST)
    })
  })
})
