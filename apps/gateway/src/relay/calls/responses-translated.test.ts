import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { RESPONSE_TEXT, type ResponsesUpstream, startResponsesUpstream } from '@sluice/testkit/responses-upstream'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let emulator: Emulator
let upstream: ResponsesUpstream
let world: GatewayWorld
let client: OpenAI

beforeAll(async () => {
  emulator = await startEmulator()
  upstream = await startResponsesUpstream()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-fast', 'emu-tools', 'emu-reasoning', 'emu-cut-mid'])
  await world.addChannel(upstream.url, ['gpt'], { config: '{"api_format":"response"}' })
  client = new OpenAI({ apiKey: await world.addToken(world.root), baseURL: `${world.url}/v1`, maxRetries: 0 })
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
  await upstream.close()
})

const lastSent = () => JSON.parse(emulator.journal.calls.at(-1)?.body ?? '{}') as Record<string, unknown>
const TOOL = {
  type: 'function',
  name: 'forecast',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  strict: false,
} as const

describe('clients of Responses at a provider of chat', () => {
  test('stream the same content that the final response repeats', async () => {
    const stream = client.responses.stream({
      model: 'emu-reasoning',
      input: 'Say something.',
      instructions: 'Be brief.',
    })
    let text = ''
    let thought = ''
    stream.on('response.output_text.delta', ({ delta }) => (text += delta))
    stream.on('response.reasoning_summary_text.delta', ({ delta }) => (thought += delta))
    const final = await stream.finalResponse()
    expect(text).not.toBe('')
    expect(thought).not.toBe('')
    expect(final).toMatchObject({
      status: 'completed',
      instructions: 'Be brief.',
      output_text: text,
      output: [{ type: 'reasoning', summary: [{ text: thought }] }, { type: 'message' }],
    })
    expect(final.usage?.total_tokens).toBeGreaterThan(0)
    expect(lastSent()['messages']).toMatchObject([{ role: 'system', content: 'Be brief.' }, { role: 'user' }])
  })

  test('call tools and give their results back', async () => {
    const ask = { model: 'emu-tools', input: 'Weather?', tools: [TOOL] }
    const first = await client.responses.create(ask)
    const call = first.output.find(({ type }) => type === 'function_call')
    if (call?.type !== 'function_call') throw new Error('no call')
    expect(JSON.parse(call.arguments)).toBeTypeOf('object')
    const result = { type: 'function_call_output', call_id: call.call_id, output: 'sunny' } as const
    await client.responses.create({
      ...ask,
      model: 'emu-fast',
      input: [{ role: 'user', content: 'Weather?' }, call, result],
    })
    expect(lastSent()['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: call.call_id, function: { name: 'forecast' } }] },
      { role: 'tool', tool_call_id: call.call_id, content: 'sunny' },
    ])
  })

  test('continue with a provider of Responses, which would look for thoughts that it does not have', async () => {
    const first = await client.responses.create({ model: 'emu-reasoning', input: 'Hi' })
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
    const next = { model: 'gpt', input: 'And?', previous_response_id: first.id }
    const { response } = await client.responses.create(next).withResponse()
    const translated = [{ role: 'user' }, { role: 'assistant' }, { role: 'user' }]
    expect(upstream.calls.at(-1)?.json['input']).toMatchObject(translated)
    expect(response.headers.get('x-sluice-losses')).toContain('reasoning_content dropped')
  })

  test('are told by name what such a provider cannot know', async () => {
    const first = await client.responses.create({ model: 'emu-fast', input: 'Hi', store: false })
    const next = client.responses.create({ model: 'emu-fast', input: 'And?', previous_response_id: first.id })
    await expect(next).rejects.toMatchObject({ status: 400, code: 'response_not_kept', param: 'previous_response_id' })
    const prompt = client.responses.create({ model: 'emu-fast', input: 'Hi', prompt: { id: 'pmpt_1' } })
    await expect(prompt).rejects.toMatchObject({ status: 400, param: 'prompt.id' })
    const { response } = await client.responses
      .create({ model: 'emu-fast', input: 'Hi', store: true, max_tool_calls: 2 })
      .withResponse()
    expect(response.headers.get('x-sluice-losses')).toBe('store dropped, max_tool_calls dropped')
  })

  test('get an error when the provider breaks off', async () => {
    const read = async () => {
      const stream = await client.responses.create({ model: 'emu-cut-mid', input: 'Hi', stream: true })
      for await (const _ of stream) {
        // Until it throws.
      }
    }
    await expect(read()).rejects.toThrow(/was interrupted/)
  })
})

describe('clients of chat at a provider of Responses', () => {
  const messages = [{ role: 'user', content: 'Hi' } as const]

  test('are answered, streamed and plain', async () => {
    const whole = await client.chat.completions.create({ model: 'gpt', messages })
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: RESPONSE_TEXT } })
    expect(whole.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 })
    const stream = client.chat.completions.stream({ model: 'gpt', messages, stream_options: { include_usage: true } })
    expect(await stream.finalContent()).toBe(RESPONSE_TEXT)
    expect((await stream.totalUsage()).total_tokens).toBe(29)
    expect(upstream.calls.at(-1)?.json).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
    })
  })
})
