import { describe, expect, test } from 'vitest'
import { isInexpressible, type ModelTraits } from '../canon/codec.ts'
import type { Part, Turn } from '../canon/parts.ts'
import type { CanonRequest } from '../canon/request.ts'
import { encodeRequest } from './encode-request.ts'

const USUAL: CanonRequest = {
  model: 'm',
  stream: false,
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [],
  builtins: [],
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
}
const tool = { name: 'f', schema: { type: 'object' } }

function encoded(fields: Partial<CanonRequest>, takes: ModelTraits = {}) {
  const request = { ...USUAL, ...fields }
  const out = encodeRequest(request, { model: 'claude', stream: request.stream, takes, defaultMaxTokens: 8_192 })
  if (isInexpressible(out)) throw new Error(`${out.field} ${out.rule}`)
  return { body: out.body, losses: out.losses.map(({ what, became }) => `${what} ${became}`) }
}

const user = (...parts: readonly Part[]): Turn => ({ role: 'user', parts })
const thought = { dialect: 'anthropic-messages', value: 'EqQB' } as const

test('a chat with calls becomes alternating messages, results first', () => {
  const { body, losses } = encoded({
    system: [{ kind: 'text', text: 'Be brief.', cache: { ttl: '1h' } }],
    maxTokens: 50,
    tools: [tool],
    turns: [
      user({ kind: 'text', text: 'Go' }),
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: 'Hm', signature: thought },
          { kind: 'text', text: '' },
          { kind: 'tool-call', id: 'call.1', name: 'f', args: '{"a":1}' },
          { kind: 'tool-call', id: 'call.2', name: 'f', args: '' },
        ],
      },
      {
        role: 'tool',
        parts: [
          { kind: 'tool-result', callId: 'call.1', parts: [{ kind: 'text', text: 'one' }] },
          { kind: 'tool-result', callId: 'call.2', parts: [], isError: true },
        ],
      },
      user({ kind: 'text', text: 'And?' }),
    ],
  })
  expect(losses).toEqual([])
  expect(body).toEqual({
    model: 'claude',
    max_tokens: 50,
    stream: false,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'EqQB' },
          { type: 'tool_use', id: 'call_1', name: 'f', input: { a: 1 } },
          { type: 'tool_use', id: 'call_2', name: 'f', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'one' }] },
          { type: 'tool_result', tool_use_id: 'call_2', is_error: true },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
  })
})

test('thoughts of others are left out and listed', () => {
  const foreign = { dialect: 'gemini', value: 'x' } as const
  const { body, losses } = encoded({
    turns: [...USUAL.turns, { role: 'assistant', parts: [{ kind: 'reasoning', text: 'Hm', signature: foreign }] }],
  })
  expect(body['messages']).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }])
  expect(losses).toEqual(['reasoning_content dropped'])
})

test('an instruction in the middle is sent as one', () => {
  const { body, losses } = encoded({
    turns: [user({ kind: 'text', text: 'a' }), { role: 'system', parts: [{ kind: 'text', text: 'Stop.' }] }],
  })
  expect(JSON.stringify(body['messages'])).toContain('"<system>"},{"type":"text","text":"Stop."}')
  expect(losses).toEqual(['messages[].role changed'])
})

describe('thinking', () => {
  const takesBudget = { thinking: 'budget', sampling: 'unless-thinking' } as const
  const adapts = { thinking: 'adaptive', sampling: 'none', efforts: ['low', 'medium', 'high'] } as const

  test('an effort is a budget below the answer tokens, where the model takes one', () => {
    const { body } = encoded({ reasoning: { effort: 'high' }, maxTokens: 4_000, sampling: { topP: 0.5 } }, takesBudget)
    expect(body).toMatchObject({ max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 2_976 } })
    expect(body).not.toHaveProperty('top_p')
  })

  test('without a limit there is room for the budget', () => {
    const { body } = encoded({ reasoning: { effort: 'high' } }, takesBudget)
    expect(body).toMatchObject({ max_tokens: 20_480, thinking: { budget_tokens: 16_384 } })
  })

  test('newer models receive the nearest effort, and the request to show what they think', () => {
    const { body, losses } = encoded({ reasoning: { effort: 'max' }, sampling: { temperature: 0.5 } }, adapts)
    expect(body).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    })
    expect(losses).toEqual(['reasoning_effort changed', 'temperature dropped'])
  })

  test('it is off where a call is forced, and where the signed thoughts of an open call are missing', () => {
    const forced = encoded({ reasoning: { effort: 'low' }, tools: [tool], toolChoice: { mode: 'required' } }, adapts)
    const loop: readonly Turn[] = [
      { role: 'assistant', parts: [{ kind: 'tool-call', id: 'a', name: 'f', args: '' }] },
      { role: 'tool', parts: [{ kind: 'tool-result', callId: 'a', parts: [] }] },
    ]
    const bare = encoded(
      { reasoning: { effort: 'low' }, turns: [user({ kind: 'text', text: 'x' }), ...loop] },
      takesBudget,
    )
    for (const { body, losses } of [forced, bare]) {
      expect(body).not.toHaveProperty('thinking')
      expect(losses).toContain('reasoning_effort dropped')
    }
  })

  test('a client of this dialect is trusted', () => {
    const own = { dialect: 'anthropic-messages', fields: { container: 'c', 'tools[f].defer_loading': true } } as const
    const { body, losses } = encoded(
      { reasoning: { adaptive: true, effort: 'xhigh' }, tools: [tool], toolChoice: { mode: 'required' }, extra: own },
      adapts,
    )
    expect(body).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'xhigh' },
      container: 'c',
      tools: [{ name: 'f', defer_loading: true }],
    })
    expect(losses).toEqual([])
  })
})

test('a schema is closed, and a request for any JSON is put into words', () => {
  const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'object', properties: {} } } } }
  const strict = encoded({ format: { type: 'schema', schema } })
  expect(strict.body).toMatchObject({
    output_config: {
      format: {
        type: 'json_schema',
        schema: { additionalProperties: false, properties: { a: { items: { additionalProperties: false } } } },
      },
    },
  })
  expect(strict.losses).toEqual(['response_format changed'])
  expect(encoded({ format: { type: 'json' } }).body['system']).toEqual([
    { type: 'text', text: 'Answer with one JSON object and nothing else.' },
  ])
})

test('tool choices', () => {
  const choose = (toolChoice: CanonRequest['toolChoice'], parallelTools?: boolean) =>
    encoded({ tools: [tool, { name: 'g' }], toolChoice, parallelTools }).body
  expect(choose({ mode: 'required' })).toMatchObject({ tool_choice: { type: 'any' } })
  expect(choose({ mode: 'named', name: 'g' })).toMatchObject({ tool_choice: { type: 'tool', name: 'g' } })
  expect(choose({ mode: 'none' })).toMatchObject({ tool_choice: { type: 'none' } })
  expect(choose(undefined, false)).toMatchObject({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } })
  expect(choose({ mode: 'allowed', names: ['g'], required: true })).toMatchObject({
    tools: [{ name: 'g', input_schema: { type: 'object' } }],
    tool_choice: { type: 'any' },
  })
})

test('what the API has no member for is listed', () => {
  const { losses } = encoded({
    sampling: { seed: 1, n: 2, presencePenalty: 1, logprobs: true, temperature: 1.5, stop: [' ', 'x'] },
    serviceTier: 'flex',
    metadata: { a: 'b' },
    verbosity: 'low',
    extra: { dialect: 'openai-chat', fields: { prediction: {} } },
  })
  expect(losses.toSorted()).toEqual([
    'logprobs dropped',
    'metadata dropped',
    'n dropped',
    'prediction dropped',
    'presence_penalty dropped',
    'seed dropped',
    'service_tier dropped',
    'stop changed',
    'temperature changed',
    'verbosity dropped',
  ])
})

test.each<[string, Part]>([
  ['sound', { kind: 'audio', source: { type: 'base64', mime: 'audio/wav', data: 'AA' } }],
  ['a TIFF', { kind: 'image', source: { type: 'base64', mime: 'image/tiff', data: 'AA' } }],
  ['a table', { kind: 'file', source: { type: 'base64', mime: 'application/vnd.ms-excel', data: 'AA' } }],
  ['a file of OpenAI’s', { kind: 'file', source: { type: 'file-id', id: 'file-1', dialect: 'openai-chat' } }],
])('%s cannot be shown to it', (_, part) => {
  const request = { ...USUAL, turns: [user({ kind: 'text', text: 'Look' }, part)] }
  const out = encodeRequest(request, { model: 'claude', stream: false, takes: {}, defaultMaxTokens: 1 })
  expect(out).toMatchObject({ field: 'messages[0].content[1]' })
})

test('a text file is shown as text', () => {
  const file: Part = { kind: 'file', name: 'a.md', source: { type: 'base64', mime: 'text/markdown', data: 'IyBIaQ==' } }
  expect(encoded({ turns: [user(file)] }).body['messages']).toEqual([
    {
      role: 'user',
      content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: '# Hi' }, title: 'a.md' }],
    },
  ])
})

test('tool results come first, whatever was said between the call and them', () => {
  const turns: CanonRequest['turns'] = [
    { role: 'user', parts: [{ kind: 'text', text: 'Time?' }] },
    { role: 'assistant', parts: [{ kind: 'tool-call', id: 'a', name: 'f', args: '' }] },
    { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
    { role: 'tool', parts: [{ kind: 'tool-result', callId: 'a', parts: [{ kind: 'text', text: 'noon' }] }] },
  ]
  const messages = encoded({ turns, tools: [{ name: 'f' }] }).body['messages'] as readonly {
    readonly content: object[]
  }[]
  expect(messages.at(-1)?.content).toMatchObject([{ type: 'tool_result' }, { text: '<system>' }, {}, {}])
})

test.each([[[]], [[user({ kind: 'text', text: '' })]], [[user()]]])(
  'instructions alone are followed by a word from the user: without a message the request is refused',
  (turns) => {
    const { body, losses } = encoded({ system: [{ kind: 'text', text: 'Tell a joke.' }], turns })
    expect(body['messages']).toEqual([{ role: 'user', content: [{ type: 'text', text: '.' }] }])
    expect(losses).toEqual([])
  },
)
