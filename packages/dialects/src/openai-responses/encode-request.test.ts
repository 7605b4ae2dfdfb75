import { expect, it, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import { isInexpressible, type Target } from '../canon/codec.ts'
import { lossesText } from '../canon/losses.ts'
import type { Part, ReasoningPart, Turn } from '../canon/parts.ts'
import type { CanonRequest } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeRequest } from './encode-request.ts'

const TARGET: Target = { model: 'up', stream: true, takes: {}, defaultMaxTokens: 100 }
const CHAT: CanonRequest = {
  model: 'm',
  stream: true,
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [],
  builtins: [],
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
}

function encoded(request: Partial<CanonRequest>, takes: Target['takes'] = {}) {
  const result = encodeRequest({ ...CHAT, ...request }, { ...TARGET, takes })
  if (isInexpressible(result)) throw new Error(result.field)
  return { body: result.body, losses: lossesText(result.losses) }
}

it('requests sealed reasoning and stores nothing at the provider', () => {
  expect(encoded({ system: [{ kind: 'text', text: 'Rules.' }] })).toEqual({
    body: {
      model: 'up',
      instructions: 'Rules.',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
    },
    losses: '',
  })
})

it('writes a request of its own dialect as it was', () => {
  const body: JsonObject = {
    model: 'up',
    instructions: 'Rules.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'S' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes?' }] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'g', input: 'free' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'done' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'data:image/png;base64,AA', prompt_cache_breakpoint: { mode: 'explicit' } },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BB' },
        ],
      },
    ],
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    tools: [
      { type: 'function', name: 'f', parameters: { type: 'object' } },
      { type: 'custom', name: 'g' },
      { type: 'file_search', vector_store_ids: ['v'] },
    ],
    tool_choice: { type: 'custom', name: 'g' },
    parallel_tool_calls: false,
    text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true }, verbosity: 'low' },
    reasoning: { effort: 'high', summary: 'detailed' },
    max_output_tokens: 100,
    temperature: 0.5,
    user: 'u',
    service_tier: 'flex',
    metadata: { a: 'b' },
    prompt_cache_key: 'k',
  }
  const request = decodeRequest(body)
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
  expect(encodeRequest(request, TARGET)).toEqual({ body, losses: [] })
})

it('marks functions of other dialects as not strict, because here they would be strict by default', () => {
  const { body } = encoded({ tools: [{ name: 'f' }] })
  expect(body['tools']).toEqual([
    { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
  ])
})

it('lists what it does not know', () => {
  const { body, losses } = encoded({
    sampling: { seed: 1, stop: ['x'], n: 2, topK: 5, presencePenalty: 1, logitBias: { a: 1 }, temperature: 1 },
    builtins: [
      { dialect: 'anthropic-messages', purpose: 'web-search', name: 'web_search_20250305', value: {} },
      { dialect: 'anthropic-messages', purpose: 'other', name: 'bash', value: {} },
    ],
    extra: { dialect: 'openai-chat', fields: { prompt_cache_key: 'k', prediction: {} } },
  })
  expect(body).toMatchObject({ prompt_cache_key: 'k', tools: [{ type: 'web_search' }], temperature: 1 })
  const [tools, rest] = [losses.split(', ').filter((loss) => loss.startsWith('tools')), losses]
  expect(tools).toEqual(['tools[web_search_20250305] changed', 'tools[bash] dropped'])
  for (const name of ['prediction', 'seed', 'stop', 'n', 'top_k', 'presence_penalty', 'logit_bias']) {
    expect(rest).toContain(`${name} dropped`)
  }
})

test.each<[CanonRequest['reasoning'], Target['takes'], unknown, string]>([
  [{ effort: 'max' }, { efforts: ['low', 'high'] }, { effort: 'high' }, 'reasoning_effort changed'],
  [{ budget: 10_000 }, {}, { effort: 'high' }, 'reasoning_effort changed'],
  [{ off: true }, {}, { effort: 'none' }, ''],
  [{ adaptive: true }, {}, undefined, ''],
  [{ effort: 'low' }, { thinking: 'none' }, undefined, 'reasoning_effort dropped'],
  [{ summary: 'summarized' }, {}, { summary: 'auto' }, ''],
])('the thinking setting %j for a model with %j is %j', (reasoning, takes, expected, losses) => {
  const result = encoded({ reasoning }, takes)
  expect([result.body['reasoning'], result.losses]).toEqual([expected, losses])
})

it('sends reasoning only to the provider that sealed it', () => {
  const thoughts: readonly ReasoningPart[] = [
    { kind: 'reasoning', text: 'Own.', signature: { dialect: 'openai-responses', value: 'S', item: 'rs_1' } },
    { kind: 'reasoning', text: 'Foreign.', signature: { dialect: 'gemini', value: 'G' } },
  ]
  const { body, losses } = encoded({ turns: [...CHAT.turns, { role: 'assistant', parts: thoughts }] })
  expect(body['input']).toEqual([
    expect.objectContaining({ role: 'user' }),
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Own.' }],
      encrypted_content: 'S',
    },
  ])
  expect(losses).toBe('reasoning_content dropped')
})

const called = (id: string): Turn => ({ role: 'assistant', parts: [{ kind: 'tool-call', id, name: 'f', args: '' }] })

it('marks the result of a tool that failed in its text', () => {
  const parts: readonly Part[] = [
    { kind: 'tool-result', callId: 'c', parts: [{ kind: 'text', text: 'no such city' }], isError: true },
  ]
  const { body, losses } = encoded({ turns: [called('c'), { role: 'tool', parts }] })
  expect(body['input']).toEqual([
    expect.anything(),
    { type: 'function_call_output', call_id: 'c', output: 'Error: no such city' },
  ])
  expect(losses).toBe('is_error changed')
})

test.each<Part>([
  { kind: 'video', source: { type: 'url', url: 'https://example.com/a.mp4' } },
  { kind: 'audio', source: { type: 'base64', mime: 'audio/flac', data: 'AA' } },
  { kind: 'image', source: { type: 'file-id', id: 'f', dialect: 'anthropic-messages' } },
])('$kind that it cannot take is refused by its path', (part) => {
  const result = encodeRequest({ ...CHAT, turns: [{ role: 'user', parts: [part] }] }, TARGET)
  expect(result).toMatchObject({ field: 'messages[0].content[0]' })
})

it('lists foreign signatures that come without a text, of thoughts and of calls', () => {
  const signature = { dialect: 'gemini', value: 'G' } as const
  const parts: readonly Part[] = [
    { kind: 'reasoning', text: '', signature: { ...signature, redacted: true } },
    { kind: 'tool-call', id: 'c', name: 'f', args: '', signature },
  ]
  const heard: readonly Part[] = [{ kind: 'tool-result', callId: 'c', parts: [] }]
  const turns: readonly Turn[] = [
    { role: 'assistant', parts },
    { role: 'tool', parts: heard },
  ]
  const { body, losses } = encoded({ turns })
  expect(body['input']).toEqual([
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: '' },
  ])
  expect(losses).toBe('reasoning signature dropped, thought_signature dropped')
})

it('chooses the search tool that a client of another dialect names', () => {
  const search = { type: 'web_search_20250305', name: 'web_search' }
  const { body, losses } = encoded({
    builtins: [{ dialect: 'anthropic-messages', purpose: 'web-search', name: search.type, value: search }],
    toolChoice: { mode: 'named', name: 'web_search' },
  })
  expect(body).toMatchObject({ tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } })
  expect(losses).toBe('tools[web_search_20250305] changed')
})

it('cuts an end user’s name and call ids that OpenAI would refuse', () => {
  const id = 'c'.repeat(86)
  const turns: CanonRequest['turns'] = [
    { role: 'assistant', parts: [{ kind: 'tool-call', id, name: 'f', args: '' }] },
    { role: 'tool', parts: [{ kind: 'tool-result', callId: id, parts: [] }] },
  ]
  const asked = { turns, user: 'u'.repeat(150), extra: { dialect: 'anthropic-messages', fields: {} } } as const
  const { body, losses } = encoded(asked)
  const [call, result] = body['input'] as readonly { readonly call_id: string }[]
  expect([String(body['user']).length, call?.call_id.length]).toEqual([64, 64])
  expect(result?.call_id).toBe(call?.call_id)
  expect(losses).toBe('user changed')
})

it('mentions JSON in the input where Gemini’s clients need not', () => {
  const { body, losses } = encoded({ format: { type: 'json' }, extra: { dialect: 'gemini', fields: {} } })
  expect(body['input']).toMatchObject([
    { role: 'system', content: [{ text: expect.stringContaining('JSON') as unknown }] },
    {},
  ])
  expect(losses).toBe('system changed')
})
