import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type LanguageModel, stepCountIs, streamText, tool } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CALLS, CAPITAL, FORECAST, MODELS, openProviders, PROVIDERS, type Providers } from './providers.ts'

/** The Vercel AI SDK in each of its dialects, against every provider. */
let world: Providers
const DIALECTS = ['chat', 'responses', 'messages', 'gemini'] as const

beforeAll(async () => {
  world = await openProviders()
})
afterAll(() => world.close())

function modelOf(dialect: (typeof DIALECTS)[number], model: string): LanguageModel {
  const { url, key: apiKey } = world
  switch (dialect) {
    case 'chat':
      return createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat(model)
    case 'responses':
      return createOpenAI({ apiKey, baseURL: `${url}/v1` }).responses(model)
    case 'messages':
      return createAnthropic({ apiKey, baseURL: `${url}/v1` })(model)
    case 'gemini':
      return createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })(model)
  }
}

describe.each(DIALECTS)('through %s', (dialect) => {
  describe.each(PROVIDERS)('at %s', (provider) => {
    const model = () => modelOf(dialect, MODELS[provider])

    it('answers and streams', async () => {
      const prompt = 'What is the capital of France?'
      const plain = await generateText({ model: model(), prompt, maxRetries: 0 })
      expect([plain.text, plain.finishReason]).toEqual([CAPITAL, 'stop'])
      expect(plain.usage.outputTokens).toBeGreaterThan(0)
      const streamed = streamText({ model: model(), prompt, maxRetries: 0 })
      let text = ''
      for await (const piece of streamed.textStream) text += piece
      expect([text, await streamed.finishReason]).toEqual([CAPITAL, 'stop'])
    })

    // The emulator ends Gemini's calls with a finish reason that Google does not have; when it is passed on, this SDK acts on it.
    if (dialect === 'gemini' && provider === 'gemini') return

    it.each([false, true])('runs tools and goes on with their results; streamed: %s', async (isStreamed) => {
      const requested: unknown[] = []
      const weather = tool({
        description: 'The weather of a city',
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => {
          requested.push({ name: 'weather', args: { city } })
          return 'sun'
        },
      })
      const request = {
        model: model(),
        prompt: 'How is the weather in Paris and Rome?',
        tools: { weather },
        stopWhen: stepCountIs(3),
        maxRetries: 0,
      }
      const text = isStreamed ? await streamText(request).text : (await generateText(request)).text
      expect(requested).toEqual(CALLS)
      expect(text).toBe(FORECAST)
    })
  })
})
