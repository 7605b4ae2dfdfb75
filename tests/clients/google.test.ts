import { ApiError, type Content, GoogleGenAI, Type } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANSWERS, CALLS, CAPITAL, FORECAST, MODELS, openProviders, PROVIDERS, type Providers } from './providers.ts'

let world: Providers
let client: GoogleGenAI

beforeAll(async () => {
  world = await openProviders()
  client = new GoogleGenAI({ apiKey: world.key, httpOptions: { baseUrl: world.url } })
})
afterAll(() => world.close())

const tools = [
  {
    functionDeclarations: [
      { name: 'weather', parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } } },
    ],
  },
]

describe.each(PROVIDERS)('generateContent at %s', (provider) => {
  const model = MODELS[provider]

  it('answers', async () => {
    const reply = await client.models.generateContent({ model, contents: 'What is the capital of France?' })
    expect(reply.text).toBe(CAPITAL)
    expect(reply.candidates?.[0]?.finishReason).toBe('STOP')
    expect(reply.usageMetadata?.candidatesTokenCount).toBeGreaterThan(0)
  })

  it('streams the same', async () => {
    const stream = await client.models.generateContentStream({ model, contents: 'What is the capital of France?' })
    let text = ''
    let finish: string | undefined
    for await (const chunk of stream) {
      text += chunk.text ?? ''
      finish = chunk.candidates?.[0]?.finishReason ?? finish
    }
    expect([text, finish]).toEqual([CAPITAL, 'STOP'])
  })

  it('keeps a chat of ten streamed turns', async () => {
    const chat = client.chats.create({ model })
    const heard: string[] = []
    for (const [turn] of ANSWERS.entries()) {
      const chunks = await collect(await chat.sendMessageStream({ message: `This is turn ${turn}.` }))
      heard.push(chunks.map(({ text }) => text ?? '').join(''))
    }
    expect(heard).toEqual(ANSWERS)
    expect(chat.getHistory(true).filter(({ role }) => role === 'user')).toHaveLength(ANSWERS.length)
  })

  it.each([false, true])('calls tools side by side and reads their results; streamed: %s', async (streamed) => {
    const user: Content = { role: 'user', parts: [{ text: 'How is the weather in Paris and Rome?' }] }
    const request = { model, contents: [user], config: { tools } }
    const parts = streamed
      ? (await collect(await client.models.generateContentStream(request))).flatMap(partsOf)
      : partsOf(await client.models.generateContent(request))
    const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]))
    expect(calls.map(({ name, args }) => ({ name, args }))).toEqual(CALLS)
    const results = calls.map(({ id, name }) => ({
      functionResponse: {
        ...(id === undefined ? {} : { id }),
        ...(name === undefined ? {} : { name }),
        response: { sky: 'sun' },
      },
    }))
    const second = await client.models.generateContent({
      ...request,
      contents: [user, { role: 'model', parts }, { role: 'user', parts: results }],
    })
    expect(second.text).toBe(FORECAST)
  })
})

async function collect<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}

const partsOf = ({ candidates }: { candidates?: { content?: Content }[] }) => candidates?.[0]?.content?.parts ?? []

it('counts tokens and lists models in the client’s own shape', async () => {
  const counted = await client.models.countTokens({ model: MODELS.openai, contents: 'What is the capital of France?' })
  expect(counted.totalTokens).toBeGreaterThan(4)
  const names = []
  for await (const { name } of await client.models.list()) names.push(name)
  expect(names).toContain(`models/${MODELS.gemini}`)
})

it('meets errors as its own class', async () => {
  const unknown = client.models.generateContent({ model: 'no-such-model', contents: 'hi' })
  await expect(unknown).rejects.toThrow(ApiError)
  await expect(unknown).rejects.toMatchObject({ status: 404 })
  const stranger = new GoogleGenAI({ apiKey: 'sk-wrong', httpOptions: { baseUrl: world.url } })
  await expect(stranger.models.generateContent({ model: MODELS.openai, contents: 'hi' })).rejects.toMatchObject({
    status: 401,
  })
})
