import Anthropic from '@anthropic-ai/sdk'
import { LLMock } from '@copilotkit/aimock'
import { openWorkbench, type Workbench } from '@sluice/testkit/workbench'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

/**
 * The shape of a coding agent's session: one question, then many turns of thinking and tools, the whole history sent back each
 * time. Like Anthropic, the emulator refuses a continued Anthropic turn without the signed thoughts before its calls.
 */
let mock: LLMock
let bench: Workbench
let key: string

const STEPS = 12
const OPENAI_MODEL = 'gpt-5'
const ANTHROPIC_MODEL = 'claude-sonnet-4-6'
const DONE = 'All twelve files are refactored.'
const QUESTION = 'Refactor the twelve files, please.'
const thought = (step: number) => `File ${step} is next; it imports the one before.`

beforeAll(async () => {
  mock = new LLMock({ port: 0 })
  for (let step = 0; step < STEPS; step++) {
    mock.on(
      { userMessage: 'Refactor', predicate: (request) => resultsIn(request) === step * 2 },
      {
        reasoning: thought(step),
        reasoningSignature: `signature-of-${step}`,
        content: `Step ${step}.`,
        toolCalls: [
          { name: 'read_file', arguments: JSON.stringify({ path: `src/${step}.ts` }) },
          { name: 'write_file', arguments: JSON.stringify({ path: `src/${step}.ts`, text: 'line "one"\n\ttwo' }) },
        ],
      },
    )
  }
  mock.on(
    { userMessage: 'Refactor', predicate: (request) => resultsIn(request) === STEPS * 2 },
    { reasoning: 'Nothing is left.', reasoningSignature: 'signature-of-the-end', content: DONE },
  )
  await mock.start()
  bench = await openWorkbench()
  const channel = { base_url: mock.url, model_configs: null }
  await bench.addChannel([OPENAI_MODEL], { ...channel, type: 1, key: 'sk-upstream' })
  await bench.addChannel([ANTHROPIC_MODEL], { ...channel, type: 14, key: 'sk-ant-upstream' })
  key = await bench.addToken()
})
beforeEach(() => mock.clearRequests())
afterAll(async () => {
  await bench.close()
  await mock.stop()
})

const resultsIn = ({ messages }: { messages: readonly { role: string }[] }) =>
  messages.filter(({ role }) => role === 'tool').length

const NAMES = ['read_file', 'write_file'] as const
const schema = { type: 'object' as const, properties: { path: { type: 'string' }, text: { type: 'string' } } }

it('runs from Anthropic’s client at OpenAI’s provider', async () => {
  const client = new Anthropic({ apiKey: key, baseURL: bench.gateway.url, maxRetries: 0 })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: QUESTION }]
  let turns = 0
  for (;;) {
    const message = await client.messages
      .stream({
        model: OPENAI_MODEL,
        max_tokens: 16_000,
        thinking: { type: 'enabled', budget_tokens: 4_096 },
        system: [{ type: 'text', text: 'You are a careful engineer.', cache_control: { type: 'ephemeral' } }],
        tools: NAMES.map((name) => ({ name, input_schema: schema })),
        messages,
      })
      .finalMessage()
    messages.push({ role: 'assistant', content: message.content })
    const calls = message.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) {
      expect(message.content.at(-1)).toMatchObject({ type: 'text', text: DONE })
      break
    }
    expect(message.stop_reason).toBe('tool_use')
    expect(message.content[0]).toMatchObject({ type: 'thinking', thinking: thought(turns) })
    expect(calls.map(({ name, input }) => [name, input])).toEqual([
      ['read_file', { path: `src/${turns}.ts` }],
      ['write_file', { path: `src/${turns}.ts`, text: 'line "one"\n\ttwo' }],
    ])
    messages.push({
      role: 'user',
      content: calls.map(({ id }, index) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: `result ${turns}.${index}`,
      })),
    })
    turns += 1
  }
  expect(turns).toBe(STEPS)
  const sent = mock.getLastRequest()?.body as { readonly messages: readonly { role: string; content: unknown }[] }
  const results = sent.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  expect(results).toEqual(Array.from({ length: STEPS * 2 }, (_, n) => `result ${Math.floor(n / 2)}.${n % 2}`))
  expect(sent.messages.filter(({ role }) => role === 'assistant')).toHaveLength(STEPS)
})

it('runs from OpenAI’s client at Anthropic’s provider, with each thought’s signature shown again', async () => {
  const client = new OpenAI({ apiKey: key, baseURL: `${bench.gateway.url}/v1`, maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: QUESTION }]
  let turns = 0
  for (;;) {
    const reply = await client.chat.completions
      .stream({
        model: ANTHROPIC_MODEL,
        reasoning_effort: 'high',
        tools: NAMES.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
        messages,
      })
      .finalChatCompletion()
    const message = reply.choices[0]?.message
    if (message === undefined) throw new Error('no choice')
    messages.push(message)
    const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function')
    if (calls.length === 0) {
      expect(message.content).toBe(DONE)
      break
    }
    // This client keeps only the last piece of an unknown field; that piece is whole.
    const details = [{ text: thought(turns), signature: expect.stringContaining(`signature-of-${turns}`) }]
    expect(message).toMatchObject({ reasoning_details: details })
    for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: `result ${turns}` })
    turns += 1
  }
  expect(turns).toBe(STEPS)
})

it('runs from a client of Responses at Anthropic’s provider, with its items sent back as they came', async () => {
  const client = new OpenAI({ apiKey: key, baseURL: `${bench.gateway.url}/v1`, maxRetries: 0 })
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: QUESTION }]
  let turns = 0
  for (;;) {
    const response = await client.responses
      .stream({
        model: ANTHROPIC_MODEL,
        store: false,
        include: ['reasoning.encrypted_content'],
        reasoning: { effort: 'high' },
        tools: NAMES.map((name) => ({ type: 'function', name, parameters: schema, strict: false })),
        input,
      })
      .finalResponse()
    const output: readonly OpenAI.Responses.ResponseOutputItem[] = response.output
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]))
    const calls = output.filter((item) => item.type === 'function_call')
    if (calls.length === 0) {
      expect(response.output_text).toBe(DONE)
      break
    }
    for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: `result ${turns}` })
    turns += 1
  }
  expect(turns).toBe(STEPS)
})
