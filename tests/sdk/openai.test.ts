import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import OpenAI, { APIError, AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The official client, against the real gateway, as its documentation uses it. */
let bench: Workbench
let openai: OpenAI

const MODELS = [
  'emu-fast',
  'emu-reasoning',
  'emu-tools',
  'emu-pace-200-20',
  'emu-error-400',
  'emu-error-429',
  'emu-cut-mid',
]
const messages = [{ role: 'user' as const, content: 'How does a lock fill?' }]

beforeAll(async () => {
  bench = await openWorkbench()
  await bench.addChannel(MODELS)
  openai = new OpenAI({ apiKey: await bench.addToken(), baseURL: `${bench.gateway.url}/v1`, maxRetries: 0 })
})
afterAll(() => bench.close())

describe('chat.completions', () => {
  it('completes', async () => {
    const completion = await openai.chat.completions.create({ model: 'emu-fast', messages })
    expect(completion.choices[0]?.message.content?.split(' ')).toHaveLength(16)
    expect(completion.usage).toMatchObject({ prompt_tokens: 8, completion_tokens: 16, total_tokens: 24 })
  })

  it('streams the same text, usage when asked for', async () => {
    const plain = await openai.chat.completions.create({ model: 'emu-fast', messages })
    const stream = await openai.chat.completions.create({
      model: 'emu-fast',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let usage: OpenAI.CompletionUsage | null | undefined
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      usage = chunk.usage ?? usage
    }
    expect(text).toBe(plain.choices[0]?.message.content)
    expect(usage).toMatchObject({ prompt_tokens: 8, completion_tokens: 16 })
  })

  it('sees no usage chunk in a stream that did not ask for one', async () => {
    const stream = await openai.chat.completions.create({ model: 'emu-fast', messages, stream: true })
    const chunks = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks.filter((chunk) => chunk.choices.length === 0 || chunk.usage)).toEqual([])
  })

  it('receives a tool call, streamed and plain', async () => {
    const tools = [{ type: 'function' as const, function: { name: 'forecast', parameters: { type: 'object' } } }]
    const request = { model: 'emu-tools', messages, tools }
    const plain = await openai.chat.completions.create(request)
    const streamed = await openai.chat.completions.stream(request).finalChatCompletion()
    for (const completion of [plain, streamed]) {
      const call = completion.choices[0]?.message.tool_calls?.[0]
      expect(call).toMatchObject({
        type: 'function',
        function: { name: 'forecast', arguments: '{"city":"Paris","days":3}' },
      })
    }
  })

  it('receives reasoning text', async () => {
    const stream = await openai.chat.completions.create({ model: 'emu-reasoning', messages, stream: true })
    let reasoning = ''
    for await (const { choices } of stream) {
      // A field of many providers that OpenAI's own types lack.
      const delta: object = choices[0]?.delta ?? {}
      if ('reasoning_content' in delta) reasoning += String(delta.reasoning_content)
    }
    expect(reasoning.split(' ')).toHaveLength(8)
  })

  it('stops the provider when it aborts', async () => {
    // Until it has read one whole answer of a model, the gateway does not know that the model has no hidden reasoning.
    await openai.chat.completions.create({ model: 'emu-pace-200-20', messages })
    const before = bench.emulator.journal.abandoned
    const stream = await openai.chat.completions.create({ model: 'emu-pace-200-20', messages, stream: true })
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) break
    }
    await expect.poll(() => bench.emulator.journal.abandoned).toBe(before + 1)
  })
})

describe('errors arrive as the classes of the client', () => {
  it('a wrong key', async () => {
    const stranger = new OpenAI({ apiKey: 'sk-wrong', baseURL: `${bench.gateway.url}/v1`, maxRetries: 0 })
    await expect(stranger.chat.completions.create({ model: 'emu-fast', messages })).rejects.toThrow(AuthenticationError)
  })

  it('an unknown model', async () => {
    await expect(openai.models.retrieve('nothing-like-it')).rejects.toThrow(NotFoundError)
  })

  it('a request that the provider refuses', async () => {
    await expect(openai.chat.completions.create({ model: 'emu-error-400', messages })).rejects.toThrow(BadRequestError)
  })

  it('a rate limit, with the time to wait', async () => {
    const error = await openai.chat.completions
      .create({ model: 'emu-error-429', messages })
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error instanceof RateLimitError && error.headers.get('retry-after')).toBe('2')
  })

  it('a stream that breaks off', async () => {
    const stream = await openai.chat.completions.create({ model: 'emu-cut-mid', messages, stream: true })
    const read = async () => {
      for await (const chunk of stream) expect(chunk.object).toBe('chat.completion.chunk')
    }
    await expect(read()).rejects.toThrow(APIError)
  })
})

it('lists the models of the token', async () => {
  const list = await openai.models.list()
  expect(list.data.map((model) => model.id).sort()).toEqual([...MODELS].sort())
  expect(await openai.models.retrieve('emu-fast')).toMatchObject({ id: 'emu-fast', object: 'model' })
})
