import { expect, test } from 'vitest'
import type { Encoded, ModelTraits } from '../canon/codec.ts'
import type { Part, Turn } from '../canon/parts.ts'
import type { CanonRequest } from '../canon/request.ts'
import { encodeCohere } from './encode-request.ts'

const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const text = (words: string): Extract<Part, { kind: 'text' }> => ({ kind: 'text', text: words })

function tryEncode(fields: Partial<CanonRequest>, model = 'command-a-03-2025', takes: ModelTraits = {}) {
  const request: CanonRequest = {
    model: 'm',
    stream: true,
    system: [],
    turns: [user(text('Hi'))],
    tools: [],
    builtins: [],
    sampling: {},
    extra: { dialect: 'openai-chat', fields: {} },
    ...fields,
  }
  return encodeCohere(request, { model, stream: true, takes, defaultMaxTokens: 8_192 })
}

const encode = (...args: Parameters<typeof tryEncode>) => tryEncode(...args) as Encoded
const lost = ({ losses }: Encoded) => losses.map(({ what, became }) => `${what} ${became}`)

test('a question with everything that Cohere has a name for', () => {
  const sampling = {
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    presencePenalty: 0.2,
    frequencyPenalty: 0.1,
    seed: 7,
    stop: ['END'],
  }
  expect(encode({ system: [text('Be kind')], sampling, maxTokens: 100, format: { type: 'json' } })).toStrictEqual({
    body: {
      model: 'command-a-03-2025',
      stream: true,
      messages: [
        { role: 'system', content: 'Be kind' },
        { role: 'user', content: 'Hi' },
      ],
      response_format: { type: 'json_object' },
      max_tokens: 100,
      temperature: 0.5,
      p: 0.9,
      k: 40,
      presence_penalty: 0.2,
      frequency_penalty: 0.1,
      seed: 7,
      stop_sequences: ['END'],
    },
    losses: [],
  })
})

const loop: readonly Turn[] = [
  user(text('Time?')),
  assistant(
    { kind: 'reasoning', text: 'I will look.' },
    { kind: 'tool-call', id: 'a', name: 'time', args: '' },
    { kind: 'tool-call', id: 'b', name: 'date', args: '{"x":1}' },
  ),
  {
    role: 'tool',
    parts: [
      { kind: 'tool-result', callId: 'a', parts: [text('noon')] },
      { kind: 'tool-result', callId: 'b', parts: [text('one'), text('two')], isError: true },
    ],
  },
]
const calls = [
  { id: 'a', type: 'function', function: { name: 'time', arguments: '{}' } },
  { id: 'b', type: 'function', function: { name: 'date', arguments: '{"x":1}' } },
]

test('a tool loop: the plan comes back with its calls, each result in a message of its own', () => {
  const encoded = encode({ turns: loop, tools: [{ name: 'time', strict: true }] })
  expect(encoded.body).toMatchObject({
    messages: [
      { role: 'user', content: 'Time?' },
      { role: 'assistant', tool_plan: 'I will look.', tool_calls: calls },
      { role: 'tool', tool_call_id: 'a', content: 'noon' },
      {
        role: 'tool',
        tool_call_id: 'b',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
    ],
    tools: [{ type: 'function', function: { name: 'time', parameters: { type: 'object', properties: {} } } }],
    strict_tools: true,
  })
  expect(lost(encoded)).toStrictEqual(['is_error dropped'])
})

test('an assistant turn without text is left out', () => {
  const { body } = encode({ turns: [user(text('Hi')), assistant(text('')), user(text('And?'))] })
  expect(body['messages']).toStrictEqual([
    { role: 'user', content: 'Hi' },
    { role: 'user', content: 'And?' },
  ])
})

test('models that think get their thoughts back as thoughts', () => {
  const { body } = encode({ turns: loop }, 'command-a-reasoning-08-2025')
  expect(body['messages']).toMatchObject([
    {},
    { role: 'assistant', content: [{ type: 'thinking', thinking: 'I will look.' }], tool_calls: calls },
    {},
    {},
  ])
})

test.each([
  [{ mode: 'auto' }, ['f', 'g'], undefined],
  [{ mode: 'required' }, ['f', 'g'], 'REQUIRED'],
  [{ mode: 'none' }, ['f', 'g'], 'NONE'],
  [{ mode: 'named', name: 'g' }, ['g'], 'REQUIRED'],
  [{ mode: 'allowed', names: ['f'], required: false }, ['f'], undefined],
] as const)('the choice %o offers %o', (toolChoice, names, choice) => {
  const { body } = encode({ tools: [{ name: 'f' }, { name: 'g' }], toolChoice })
  expect(body['tools']).toMatchObject(names.map((name) => ({ function: { name } })))
  expect(body['tool_choice']).toBe(choice)
})

test('a schema is sent, but not together with tools', () => {
  const format = { type: 'schema', schema: { type: 'object' }, name: 'out' } as const
  expect(encode({ format }).body['response_format']).toStrictEqual({
    type: 'json_object',
    json_schema: { type: 'object' },
  })
  const both = encode({ format, tools: [{ name: 'f' }] })
  expect(both.body).not.toHaveProperty('response_format')
  expect(lost(both)).toStrictEqual(['response_format dropped'])
})

test.each([
  [{ off: true }, { type: 'disabled' }],
  [{ budget: 500 }, { type: 'enabled', token_budget: 500 }],
  [{ effort: 'low' }, { type: 'enabled', token_budget: 2_048 }],
  [{ adaptive: true }, { type: 'enabled' }],
] as const)('the thinking setting %o', (reasoning, thinking) => {
  expect(encode({ reasoning }).body['thinking']).toStrictEqual(thinking)
})

test('a thinking setting is lost on models that do not think', () => {
  const encoded = encode({ reasoning: { effort: 'low' } }, undefined, { thinking: 'none' })
  expect(encoded.body).not.toHaveProperty('thinking')
  expect(lost(encoded)).toStrictEqual(['reasoning_effort dropped'])
})

test('pictures by address or inline; other media cannot be sent', () => {
  const { body } = encode({
    turns: [
      user(
        text('What?'),
        { kind: 'image', source: { type: 'url', url: 'https://a.example/b.png' }, detail: 'low' },
        { kind: 'image', source: { type: 'base64', mime: 'image/png', data: 'iVBORw0=' } },
      ),
    ],
  })
  expect(body['messages']).toStrictEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What?' },
        { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0=' } },
      ],
    },
  ])
  const sound: Part = { kind: 'audio', source: { type: 'base64', mime: 'audio/wav', data: 'UklGRg==' } }
  expect(tryEncode({ turns: [user(text('Hi'), sound)] })).toMatchObject({ field: 'messages[0].content[1]' })
})

test('everything that Cohere has no member for is listed', () => {
  const encoded = encode({
    sampling: { n: 2, topLogprobs: 3, logitBias: { 1: 2 }, topP: 1, presencePenalty: -1 },
    user: 'u',
    verbosity: 'low',
    modalities: ['audio'],
    serviceTier: 'flex',
    metadata: {},
    parallelTools: false,
    builtins: [{ dialect: 'openai-chat', purpose: 'web-search', name: 'web_search', value: {} }],
    extra: { dialect: 'openai-chat', fields: { store: true } },
    turns: [
      { ...user({ kind: 'text', text: 'Hi', cache: { ttl: '5m' } }), name: 'ann' },
      assistant({ kind: 'reasoning', text: 'Hm', signature: { dialect: 'gemini', value: 's' } }, text('Ho')),
    ],
  })
  expect(encoded.body).toMatchObject({ p: 0.99, presence_penalty: 0 })
  expect(lost(encoded).toSorted()).toStrictEqual([
    'cache_control dropped',
    'logit_bias dropped',
    'messages[].name dropped',
    'metadata dropped',
    'modalities dropped',
    'n dropped',
    'parallel_tool_calls dropped',
    'presence_penalty changed',
    'reasoning.signature dropped',
    'reasoning_content dropped',
    'service_tier dropped',
    'store dropped',
    'tools[web_search] dropped',
    'top_logprobs dropped',
    'top_p changed',
    'user dropped',
    'verbosity dropped',
  ])
})
