import { expect, test } from 'vitest'
import type { Encoded, ModelTraits } from '../canon/codec.ts'
import type { Part, Turn } from '../canon/parts.ts'
import type { CanonRequest } from '../canon/request.ts'
import { encodeConverse } from './encode-request.ts'

const user = (...parts: Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const text = (words: string): Part => ({ kind: 'text', text: words })
const picture = (source: Extract<Part, { kind: 'image' }>['source']): Part => ({ kind: 'image', source })

function requestOf(fields: Partial<CanonRequest>): CanonRequest {
  return {
    model: 'm',
    stream: false,
    system: [],
    turns: [user(text('Hi'))],
    tools: [],
    builtins: [],
    sampling: {},
    extra: { dialect: 'openai-chat', fields: {} },
    ...fields,
  }
}

function tryEncode(fields: Partial<CanonRequest>, model: string, takes: ModelTraits = {}) {
  return encodeConverse(requestOf(fields), { model, stream: false, takes, defaultMaxTokens: 8_192 })
}

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
const LLAMA = 'meta.llama3-3-70b-instruct-v1:0'
const encode = (fields: Partial<CanonRequest>, model = CLAUDE, takes: ModelTraits = {}) =>
  tryEncode(fields, model, takes) as Encoded
const lost = ({ losses }: Encoded) => losses.map(({ what, became }) => `${what} ${became}`)

test('a plain question', () => {
  const encoded = encode({ maxTokens: 100, sampling: { temperature: 0.5, topP: 0.9, stop: ['END'] } }, LLAMA)
  expect(encoded).toStrictEqual({
    body: {
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
      inferenceConfig: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ['END'] },
    },
    losses: [],
  })
})

test('a tool loop: results of parallel calls are in one turn, with thinking before the calls', () => {
  const { body, losses } = encode({
    turns: [
      user(text('Time?')),
      assistant(
        { kind: 'reasoning', text: 'Hm', signature: { dialect: 'bedrock-converse', value: 'c2ln' } },
        { kind: 'reasoning', text: '', signature: { dialect: 'bedrock-converse', value: 'AAEC', redacted: true } },
        { kind: 'tool-call', id: 'functions.time:0', name: 'time', args: '{"zone":"UTC"}' },
        { kind: 'tool-call', id: 'b', name: 'date', args: '' },
      ),
      {
        role: 'tool',
        parts: [
          { kind: 'tool-result', callId: 'functions.time:0', parts: [{ kind: 'text', text: 'noon' }] },
          { kind: 'tool-result', callId: 'b', parts: [{ kind: 'text', text: 'gone' }], isError: true },
        ],
      },
      user(text('And?')),
    ],
    tools: [{ name: 'time', description: 'Tells', schema: { type: 'object', properties: {} }, strict: true }],
    toolChoice: { mode: 'required' },
  })
  expect(body['messages']).toStrictEqual([
    { role: 'user', content: [{ text: 'Time?' }] },
    {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'Hm', signature: 'c2ln' } } },
        { reasoningContent: { redactedContent: 'AAEC' } },
        { toolUse: { toolUseId: 'functions_time_0', name: 'time', input: { zone: 'UTC' } } },
        { toolUse: { toolUseId: 'b', name: 'date', input: {} } },
      ],
    },
    {
      role: 'user',
      content: [
        { toolResult: { toolUseId: 'functions_time_0', content: [{ text: 'noon' }] } },
        { toolResult: { toolUseId: 'b', content: [{ text: 'gone' }], status: 'error' } },
        { text: 'And?' },
      ],
    },
  ])
  expect(body['toolConfig']).toStrictEqual({
    tools: [
      {
        toolSpec: {
          name: 'time',
          description: 'Tells',
          inputSchema: { json: { type: 'object', properties: {} } },
        },
      },
    ],
    toolChoice: { any: {} },
  })
  expect(losses).toStrictEqual([{ what: 'tools[].function.strict', became: 'dropped' }])
})

test('a tool that returned nothing gets a text that says so, because blank text is refused', () => {
  const { body } = encode({
    turns: [
      user(text('Hi')),
      assistant({ kind: 'tool-call', id: 'a', name: 'f', args: '' }),
      { role: 'tool', parts: [{ kind: 'tool-result', callId: 'a', parts: [{ kind: 'text', text: ' ' }] }] },
    ],
    tools: [{ name: 'f' }],
  })
  expect(body['messages']).toMatchObject([
    {},
    {},
    { content: [{ toolResult: { toolUseId: 'a', content: [{ text: '(no output)' }] } }] },
  ])
})

test('calls of a conversation whose tools are gone are declared again', () => {
  const turns = [user(text('Hi')), assistant({ kind: 'tool-call', id: 'a', name: 'f', args: '{' })]
  turns.push({ role: 'tool', parts: [{ kind: 'tool-result', callId: 'a', parts: [] }] })
  const encoded = encode({ turns, toolChoice: { mode: 'none' } })
  expect(encoded.body['toolConfig']).toStrictEqual({
    tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }],
  })
  expect(lost(encoded)).toStrictEqual(['tool_calls[].function.arguments changed', 'tools changed'])
})

test('where no tool may be called, none is declared', () => {
  expect(encode({ tools: [{ name: 'f' }], toolChoice: { mode: 'none' } }).body).not.toHaveProperty('toolConfig')
})

test('of the tools, only the allowed ones are sent', () => {
  const tools = [{ name: 'f' }, { name: 'g' }]
  const encoded = encode({ tools, toolChoice: { mode: 'allowed', names: ['g'], required: true } })
  expect(encoded.body['toolConfig']).toStrictEqual({
    tools: [{ toolSpec: { name: 'g', inputSchema: { json: { type: 'object' } } } }],
    toolChoice: { any: {} },
  })
  expect(lost(encoded)).toStrictEqual(['tool_choice changed'])
})

test('cache marks become cache points where the model takes them', () => {
  const marked = {
    system: [{ kind: 'text', text: 'Be kind', cache: { ttl: '1h' } }],
    turns: [user({ kind: 'text', text: 'Hi', cache: { ttl: '5m' } })],
    tools: [{ name: 'f', cache: { ttl: '1h' } }],
  } as const
  const point = { cachePoint: { type: 'default' } }
  expect(encode(marked).body).toMatchObject({
    system: [{ text: 'Be kind' }, { cachePoint: { type: 'default', ttl: '1h' } }],
    messages: [{ content: [{ text: 'Hi' }, point] }],
    toolConfig: { tools: [{ toolSpec: { name: 'f' } }, { cachePoint: { type: 'default', ttl: '1h' } }] },
  })
  const other = encode(marked, LLAMA)
  expect(JSON.stringify(other.body)).not.toContain('cachePoint')
  expect(lost(other)).toStrictEqual(['cache_control dropped'])
})

test('roles alternate, users first, and blank text is left out', () => {
  const encoded = encode({
    turns: [
      assistant(text('Hello')),
      user(text('')),
      { role: 'system', parts: [text('Be kind')] },
      user(text('Hi')),
      assistant(text('Once ')),
    ],
  })
  expect(encoded.body['messages']).toStrictEqual([
    { role: 'user', content: [{ text: '.' }] },
    { role: 'assistant', content: [{ text: 'Hello' }] },
    { role: 'user', content: [{ text: 'Be kind' }, { text: 'Hi' }] },
    { role: 'assistant', content: [{ text: 'Once' }] },
  ])
  expect(lost(encoded)).toStrictEqual(['messages[].role changed', 'messages changed'])
})

test('pictures, documents, sound and video', () => {
  const pdf = { type: 'base64', mime: 'application/pdf', data: 'JVBERi0=' } as const
  const { body } = encode({
    turns: [
      user(
        picture({ type: 'base64', mime: 'image/png', data: 'iVBORw0=' }),
        { kind: 'file', source: pdf, name: 'Q3/Ä report_v2.pdf' },
        { kind: 'file', source: pdf, name: 'Q3 report v2 pdf' },
        { kind: 'audio', source: { type: 'base64', mime: 'audio/mpeg', data: 'SUQz' } },
        { kind: 'video', source: { type: 'url', url: 's3://films/a.mp4' } },
      ),
    ],
  })
  const source = { bytes: 'JVBERi0=' }
  expect(body['messages']).toStrictEqual([
    {
      role: 'user',
      content: [
        { image: { format: 'png', source: { bytes: 'iVBORw0=' } } },
        { document: { format: 'pdf', name: 'Q3 report v2 pdf', source } },
        { document: { format: 'pdf', name: 'Q3 report v2 pdf (2)', source } },
        { audio: { format: 'mp3', source: { bytes: 'SUQz' } } },
        { video: { format: 'mp4', source: { s3Location: { uri: 's3://films/a.mp4' } } } },
        { text: '.' },
      ],
    },
  ])
})

test.each([
  ['an address', { type: 'url', url: 'https://a.example/b.png' }, /itself as base64/],
  ['a file of another provider', { type: 'file-id', id: 'file-1', dialect: 'openai-chat' }, /itself as base64/],
  ['a format nobody takes', { type: 'base64', mime: 'image/bmp', data: 'Qk0=' }, /png, jpeg, gif, webp/],
] as const)('a picture as %s cannot be sent', (_, source, rule) => {
  expect(tryEncode({ turns: [user(text('Hi'), picture(source))] }, CLAUDE)).toStrictEqual({
    field: 'messages[0].content[1]',
    rule: expect.stringMatching(rule) as string,
  })
})

test.each([
  ['a budget', CLAUDE, { effort: 'high' }, {}, { thinking: { type: 'enabled', budget_tokens: 7_168 } }],
  [
    'the model’s own measure',
    'anthropic.claude-opus-5',
    { effort: 'xhigh' },
    { thinking: 'adaptive', efforts: ['low', 'medium', 'high', 'xhigh'] },
    { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
  ],
  ['gpt-oss’s effort', 'openai.gpt-oss-120b-1:0', { budget: 20_000 }, {}, { reasoning_effort: 'high' }],
  [
    'Nova’s effort',
    'us.amazon.nova-2-lite-v1:0',
    { effort: 'low' },
    {},
    { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } },
  ],
  ['no thinking', 'us.amazon.nova-2-lite-v1:0', { off: true }, {}, { reasoningConfig: { type: 'disabled' } }],
] as const)('a thinking setting of %s', (_, model, reasoning, takes, fields) => {
  expect(encode({ reasoning }, model, takes).body['additionalModelRequestFields']).toStrictEqual(fields)
})

test('a schema is sent as text, JSON without one is lost', () => {
  const schema = { type: 'object', properties: {} }
  expect(encode({ format: { type: 'schema', schema, name: 'out', strict: true } }).body['outputConfig']).toStrictEqual({
    textFormat: {
      type: 'json_schema',
      structure: { jsonSchema: { schema: '{"type":"object","properties":{}}', name: 'out' } },
    },
  })
  expect(lost(encode({ format: { type: 'json' } }))).toStrictEqual(['response_format dropped'])
})

test('everything that Converse has no member for is listed', () => {
  const encoded = encode(
    {
      sampling: {
        n: 2,
        seed: 1,
        presencePenalty: 1,
        frequencyPenalty: 1,
        logprobs: true,
        topLogprobs: 2,
        topK: 5,
        temperature: 1.5,
      },
      user: 'u',
      verbosity: 'low',
      modalities: ['text', 'audio'],
      parallelTools: false,
      builtins: [{ dialect: 'openai-chat', purpose: 'web-search', name: 'web_search', value: {} }],
      metadata: { ok: 'yes', no: 5 },
      serviceTier: 'flex',
      extra: { dialect: 'openai-chat', fields: { store: true } },
      turns: [{ ...user(text('Hi')), name: 'ann' }, assistant({ kind: 'reasoning', text: 'Hm' }, text('Ho'))],
    },
    LLAMA,
  )
  expect(encoded.body).toMatchObject({ serviceTier: { type: 'flex' }, requestMetadata: { ok: 'yes' } })
  expect(lost(encoded).toSorted()).toStrictEqual([
    'frequency_penalty dropped',
    'logprobs dropped',
    'messages[].name dropped',
    'metadata dropped',
    'modalities dropped',
    'n dropped',
    'parallel_tool_calls dropped',
    'presence_penalty dropped',
    'reasoning_content dropped',
    'seed dropped',
    'store dropped',
    'temperature changed',
    'tools[web_search] dropped',
    'top_k dropped',
    'top_logprobs dropped',
    'user dropped',
    'verbosity dropped',
  ])
})

test('ids of other providers stay apart when they are made to fit', () => {
  const call = (id: string): Part => ({ kind: 'tool-call', id, name: 'f', args: '' })
  const { body } = encode({ turns: [user(text('Hi')), assistant(call('a.b'), call('a:b'), call('a_b'))] })
  expect(JSON.stringify(body['messages'])).toMatch(/"a_b".*"a_b_2".*"a_b_3"/)
})
