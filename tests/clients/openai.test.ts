import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALLS, CAPITAL, FORECAST, MODELS, openProviders, PROVIDERS, type Providers } from './providers.ts'

let world: Providers
let client: OpenAI

beforeAll(async () => {
  world = await openProviders()
  client = new OpenAI({ apiKey: world.key, baseURL: `${world.url}/v1`, maxRetries: 0 })
})
afterAll(() => world.close())

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const chatTools = [{ type: 'function' as const, function: { name: 'weather', parameters } }]
const responseTools = [{ type: 'function' as const, name: 'weather', parameters, strict: false }]
const argsOf = ({ name, arguments: args }: { name: string; arguments: string }) => ({
  name,
  args: JSON.parse(args) as unknown,
})
const QUESTION = 'How is the weather in Paris and Rome?'

describe.each(PROVIDERS)('chat at %s', (provider) => {
  const model = MODELS[provider]
  const ask = (content: string) => ({ model, messages: [{ role: 'user' as const, content }] })

  it('answers', async () => {
    const reply = await client.chat.completions.create(ask('What is the capital of France?'))
    expect(reply.choices).toMatchObject([{ message: { role: 'assistant', content: CAPITAL }, finish_reason: 'stop' }])
    expect(reply.usage?.completion_tokens).toBeGreaterThan(0)
  })

  it('streams the same', async () => {
    const stream = client.chat.completions.stream({
      ...ask('What is the capital of France?'),
      stream_options: { include_usage: true },
    })
    const pieces: string[] = []
    stream.on('content', (delta) => pieces.push(delta))
    const reply = await stream.finalChatCompletion()
    expect(pieces.join('')).toBe(CAPITAL)
    expect(reply.choices[0]).toMatchObject({ message: { content: CAPITAL }, finish_reason: 'stop' })
    expect((await stream.totalUsage()).completion_tokens).toBeGreaterThan(0)
  })

  it.each([false, true])('calls tools side by side and reads their results; streamed: %s', async (streamed) => {
    const request = { ...ask(QUESTION), tools: chatTools }
    const first = streamed
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request)
    const [choice] = first.choices
    const calls = (choice?.message.tool_calls ?? []).filter((call) => call.type === 'function')
    expect(choice?.finish_reason).toBe('tool_calls')
    expect(calls.map((call) => argsOf(call.function))).toEqual(CALLS)
    if (choice === undefined) throw new Error('no choice')
    const second = await client.chat.completions.create({
      ...request,
      messages: [
        ...request.messages,
        choice.message,
        ...calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'sun' })),
      ],
    })
    expect(second.choices[0]?.message.content).toBe(FORECAST)
  })
})

describe.each(PROVIDERS)('responses at %s', (provider) => {
  const model = MODELS[provider]

  it('answers', async () => {
    const response = await client.responses.create({ model, input: 'What is the capital of France?' })
    expect(response).toMatchObject({ object: 'response', status: 'completed', output_text: CAPITAL })
    expect(response.usage?.output_tokens).toBeGreaterThan(0)
  })

  it('streams the same, in events of the right order', async () => {
    const stream = client.responses.stream({ model, input: 'What is the capital of France?' })
    const types: string[] = []
    const pieces: string[] = []
    stream.on('event', ({ type }) => types.push(type))
    stream.on('response.output_text.delta', ({ delta }) => pieces.push(delta))
    const response = await stream.finalResponse()
    expect(pieces.join('')).toBe(CAPITAL)
    expect(response.output_text).toBe(CAPITAL)
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed'])
  })

  it.each([false, true])('calls tools side by side and reads their results; streamed: %s', async (streamed) => {
    const request = { model, input: QUESTION, tools: responseTools }
    const first = streamed
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request)
    const output: readonly OpenAI.Responses.ResponseOutputItem[] = first.output
    const calls = output.filter((item) => item.type === 'function_call')
    expect(calls.map(argsOf)).toEqual(CALLS)
    const results = calls.map(({ call_id }) => ({ type: 'function_call_output' as const, call_id, output: 'sun' }))
    const history = first.output as OpenAI.Responses.ResponseInputItem[]
    const second = await client.responses.create({
      ...request,
      input: [{ role: 'user', content: QUESTION }, ...history, ...results],
    })
    expect(second.output_text).toBe(FORECAST)
  })
})
