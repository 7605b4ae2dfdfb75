import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CAPITAL, MODELS, openProviders, type Providers } from './providers.ts'

/** The vendors' own clients must skip the comment in their streams that states each answer's cost. */
let world: Providers
/** Passed on or translated, depending on the client's dialect. */
const DIALECTS = ['openai', 'anthropic', 'gemini'] as const
const asked = { 'X-Sluice-Cost': '1' }
const QUESTION = 'What is the capital of France?'
const messages = [{ role: 'user' as const, content: QUESTION }]

beforeAll(async () => {
  world = await openProviders()
})
afterAll(() => world.close())

async function streamOf(path: string, body: object): Promise<string> {
  const reply = await fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { ...asked, authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return await reply.text()
}
const COMMENT = /\n\n: sluice-cost \{"usd":"[\d.]+","quota":"[\d.]+"\}\n\n(?!\n*$)/

it.each(DIALECTS)('OpenAI’s client skips the comment in streams of %s', async (provider) => {
  const model = MODELS[provider]
  const client = new OpenAI({ apiKey: world.key, baseURL: `${world.url}/v1`, maxRetries: 0, defaultHeaders: asked })
  expect(await streamOf('/v1/chat/completions', { model, messages, stream: true })).toMatch(COMMENT)
  const chat = await client.chat.completions.stream({ model, messages }).finalChatCompletion()
  expect(chat.choices[0]).toMatchObject({ message: { content: CAPITAL }, finish_reason: 'stop' })
  expect(await streamOf('/v1/responses', { model, input: QUESTION, stream: true })).toMatch(COMMENT)
  const response = await client.responses.stream({ model, input: QUESTION }).finalResponse()
  expect(response.output_text).toBe(CAPITAL)
})

it.each(DIALECTS)('Anthropic’s client skips it in streams of %s', async (provider) => {
  const request = { model: MODELS[provider], max_tokens: 256, messages }
  const client = new Anthropic({ apiKey: world.key, baseURL: world.url, maxRetries: 0, defaultHeaders: asked })
  expect(await streamOf('/v1/messages', { ...request, stream: true })).toMatch(COMMENT)
  const message = await client.messages.stream(request).finalMessage()
  expect(message).toMatchObject({ content: [{ text: CAPITAL }], stop_reason: 'end_turn' })
})

it.each(DIALECTS)('Google’s client skips it in streams of %s', async (provider) => {
  const model = MODELS[provider]
  const path = `/v1beta/models/${model}:streamGenerateContent?alt=sse`
  const contents = [{ role: 'user', parts: [{ text: QUESTION }] }]
  expect(await streamOf(path, { contents })).toMatch(COMMENT)
  const client = new GoogleGenAI({ apiKey: world.key, httpOptions: { baseUrl: world.url, headers: asked } })
  let text = ''
  for await (const chunk of await client.models.generateContentStream({ model, contents })) text += chunk.text ?? ''
  expect(text).toBe(CAPITAL)
  // A single JSON list has no place for a comment, and stays unchanged.
  const list = await streamOf(`/v1beta/models/${model}:streamGenerateContent`, { contents })
  expect(JSON.parse(list)).toBeInstanceOf(Array)
})
