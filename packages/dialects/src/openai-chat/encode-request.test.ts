import { expect, it, test } from 'vitest'
import { isInexpressible, type ModelTraits, type Target } from '../canon/codec.ts'
import { lossesText } from '../canon/losses.ts'
import type { Part, Turn } from '../canon/parts.ts'
import type { CanonRequest, ReasoningWish } from '../canon/request.ts'
import { encodeRequest } from './encode-request.ts'
import type { Quirk } from './quirks/quirk.ts'

const ANTHROPIC = { dialect: 'anthropic-messages', fields: {} } as const
const REQUEST: CanonRequest = {
  model: 'm',
  stream: false,
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  builtins: [],
  sampling: {},
  extra: ANTHROPIC,
}
const target = (takes: ModelTraits = {}, quirks: readonly Quirk[] = []): Target => ({
  model: 'up',
  stream: false,
  takes,
  defaultMaxTokens: 1_000,
  quirks,
})

function encode(request: Partial<CanonRequest>, to: Target = target()) {
  const encoded = encodeRequest({ ...REQUEST, ...request }, to)
  if (isInexpressible(encoded)) throw new Error(`${encoded.field} ${encoded.rule}`)
  return { body: encoded.body, lost: lossesText(encoded.losses) }
}
const assistant = (...parts: readonly Part[]): readonly Turn[] => [...REQUEST.turns, { role: 'assistant', parts }]
const answered = (...ids: readonly string[]): Turn => ({
  role: 'tool',
  parts: ids.map((callId) => ({ kind: 'tool-result', callId, parts: [] })),
})

it('asks for the usage of a stream', () => {
  const { body } = encode({}, { ...target(), stream: true })
  expect(body).toMatchObject({ model: 'up', stream: true, stream_options: { include_usage: true } })
})

it('answers each call in a message of its own, and shows pictures of tools as the user would', () => {
  const picture = { kind: 'image', source: { type: 'base64', mime: 'image/png', data: 'AAAA' } } as const
  const { body, lost } = encode({
    turns: [
      ...assistant(
        { kind: 'text', text: 'Let me see.' },
        { kind: 'tool-call', id: 'a', name: 'f', args: '{"x":1}' },
        { kind: 'tool-call', id: 'b', name: 'g', args: '', isCustom: true },
      ),
      {
        role: 'tool',
        parts: [
          { kind: 'tool-result', callId: 'a', parts: [{ kind: 'text', text: 'seen' }, picture] },
          { kind: 'tool-result', callId: 'b', parts: [], isError: true },
        ],
      },
    ],
  })
  expect(body['messages']).toStrictEqual([
    { role: 'user', content: 'Hello' },
    {
      role: 'assistant',
      content: 'Let me see.',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
        { id: 'b', type: 'custom', custom: { name: 'g', input: '' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'seen' },
    { role: 'tool', tool_call_id: 'b', content: 'Error:' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
  ])
  expect(lost).toBe('is_error changed, messages[].content[image] changed')
})

it('sends a signature only to the provider it belongs to, and lists the others', () => {
  const turns = [
    ...assistant(
      { kind: 'reasoning', text: 'Hm.', signature: { dialect: 'anthropic-messages', value: 'SIG' } },
      { kind: 'tool-call', id: 'a', name: 'f', args: '{}', signature: { dialect: 'gemini', value: 'THOUGHT' } },
    ),
    answered('a'),
  ]
  const plain = encode({ turns })
  expect(JSON.stringify(plain.body)).not.toMatch(/SIG|THOUGHT|Hm/)
  expect(plain.lost).toBe('reasoning signature dropped, reasoning_content dropped, thought_signature dropped')

  const google = encode({ turns }, target({}, ['thought-signatures', 'takes-reasoning']))
  expect(google.body['messages']).toMatchObject([
    {},
    { reasoning_content: 'Hm.', tool_calls: [{ extra_content: { google: { thought_signature: 'THOUGHT' } } }] },
    {},
  ])
  expect(google.lost).toBe('reasoning signature dropped')
})

it('gives a vendor its own entries back', () => {
  const details = [{ type: 'reasoning.text', signature: 'S', format: 'anthropic-claude-v1', index: 0 }]
  const signature = { dialect: 'openai-chat', value: JSON.stringify(details) } as const
  const { body, lost } = encode({ turns: assistant({ kind: 'reasoning', text: 'Hm.', signature }) })
  expect(body['messages']).toMatchObject([
    {},
    { content: null, reasoning_content: 'Hm.', reasoning_details: [{ ...details[0], text: 'Hm.' }] },
  ])
  expect(lost).toBe('')
})

it('marks what can be cached only where the provider takes marks', () => {
  const system = [{ kind: 'text', text: 'Be brief.', cache: { ttl: '1h' } }] as const
  expect(encode({ system })).toMatchObject({
    body: { messages: [{ role: 'system', content: 'Be brief.' }, {}] },
    lost: 'cache_control dropped',
  })
  expect(encode({ system }, target({}, ['cache-control']))).toMatchObject({
    body: { messages: [{ content: [{ text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '1h' } }] }, {}] },
    lost: '',
  })
})

it('sends free text tools as functions where the provider knows no others', () => {
  const format = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } }
  const { body, lost } = encode(
    {
      tools: [{ name: 'patch', description: 'Patches.', custom: { format } }],
      toolChoice: { mode: 'named', name: 'patch' },
      turns: [
        ...assistant({ kind: 'tool-call', id: 'a', name: 'patch', args: '*** "Begin"', isCustom: true }),
        answered('a'),
      ],
    },
    target({}, ['no-custom-tools']),
  )
  expect(body).toMatchObject({
    messages: [{}, { tool_calls: [{ function: { name: 'patch', arguments: '{"input":"*** \\"Begin\\""}' } }] }, {}],
    tools: [
      {
        type: 'function',
        function: {
          name: 'patch',
          description: 'Patches.\n\nThe input must match this lark grammar:\nstart: "x"',
          parameters: { type: 'object', required: ['input'] },
        },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'patch' } },
  })
  expect(lost).toBe('tools[patch] changed')
})

it.each<readonly [string, Part]>([
  ['sound by its address', { kind: 'audio', source: { type: 'url', url: 'https://example.com/a.wav' } }],
  ['a file by its address', { kind: 'file', source: { type: 'url', url: 'https://example.com/a.pdf' } }],
  ['another provider’s upload', { kind: 'image', source: { type: 'file-id', id: 'f', dialect: 'anthropic-messages' } }],
])('refuses %s', (_, part) => {
  const encoded = encodeRequest({ ...REQUEST, turns: [{ role: 'user', parts: [part] }] }, target())
  expect(encoded).toMatchObject({ field: 'messages[0].content[0]', rule: expect.stringMatching(/^must /) })
})

test.each<readonly [ReasoningWish, ModelTraits, object, string]>([
  [{ effort: 'max' }, { efforts: ['low', 'high'] }, { reasoning_effort: 'high' }, 'reasoning_effort changed'],
  [{ off: true }, {}, { reasoning_effort: 'none' }, ''],
  [{ off: true }, { efforts: ['minimal', 'low'] }, { reasoning_effort: 'minimal' }, 'reasoning_effort changed'],
  [{ budget: 5_000 }, { thinking: 'effort' }, { reasoning_effort: 'medium' }, 'reasoning budget changed'],
  [{ budget: 5_000 }, { thinking: 'budget' }, { thinking: { type: 'enabled', budget_tokens: 5_000 } }, ''],
  [{ adaptive: true }, { thinking: 'effort' }, {}, 'reasoning changed'],
  [{ effort: 'low' }, { thinking: 'forced' }, {}, 'reasoning_effort dropped'],
  [{ effort: 'low' }, { thinking: 'none' }, {}, 'reasoning_effort dropped'],
  [{ off: true }, { thinking: 'none' }, {}, ''],
])('the thinking setting %o for a model with %o', (reasoning, takes, asked, losses) => {
  const { body, lost } = encode({ reasoning }, target(takes))
  expect(body).toStrictEqual({ ...encode({}).body, ...asked })
  expect(lost).toBe(losses)
})

it('leaves out what the model refuses, and the second answer that would not be read', () => {
  const { body, lost } = encode(
    { sampling: { temperature: 0.5, topK: 5, stop: ['x'], n: 2 }, maxTokens: 9_000 },
    target({ sampling: 'none', stop: false, maxOutput: 8_000 }),
  )
  expect(body).toStrictEqual({ ...encode({}).body, max_completion_tokens: 8_000 })
  expect(lost).toBe('max_tokens changed, temperature dropped, top_k dropped, stop dropped, n dropped')
})

it('restores fields that only its own dialect knows, and lists those of others', () => {
  const own = { dialect: 'openai-chat', fields: { provider: { only: ['x'] }, 'messages[1].prefix': true } } as const
  expect(encode({ extra: own })).toMatchObject({
    body: { provider: { only: ['x'] } },
    lost: 'messages[1].prefix dropped',
  })
  const foreign = { dialect: 'openai-responses', fields: { prompt_cache_key: 'k', truncation: 'auto' } } as const
  expect(encode({ extra: foreign })).toMatchObject({ body: { prompt_cache_key: 'k' }, lost: 'truncation dropped' })
})

it('cuts an end user’s name and call ids that OpenAI would refuse, the same in every turn', () => {
  const user = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's'.repeat(36) })
  const id = `call_${'x'.repeat(60)}`
  const turns: readonly Turn[] = [
    ...assistant(
      { kind: 'tool-call', id, name: 'f', args: '' },
      { kind: 'tool-call', id: `${id}2`, name: 'f', args: '' },
    ),
    answered(id, `${id}2`),
  ]
  const { body, lost } = encode({ user, turns })
  expect(String(body['user'])).toMatch(/^\{"device_id":"d+_[a-z0-9]{10}$/)
  expect(String(body['user'])).toHaveLength(64)
  const [, called, heard] = body['messages'] as readonly [
    unknown,
    { tool_calls: { id: string }[] },
    { tool_call_id: string },
  ]
  const ids = called.tool_calls.map((call) => call.id)
  expect([ids[0]?.length, new Set(ids).size, heard.tool_call_id]).toStrictEqual([40, 2, ids[0]])
  expect(lost).toBe('user changed')
})

it.each([
  [{ adaptive: true, effort: 'high' }, 'high', ''],
  [{ budget: 31_999 }, 'high', 'reasoning budget changed, reasoning_effort changed'],
  [{ budget: 1_024 }, 'low', 'reasoning budget changed, reasoning_effort changed'],
  [{ effort: 'xhigh' }, 'xhigh', ''],
] as const)('for an unknown model, %o becomes the effort %s', (reasoning, effort, losses) => {
  const { body, lost } = encode({ reasoning })
  expect([body['reasoning_effort'], lost]).toStrictEqual([effort, losses])
})

it('sends a plain text file as text, because most providers read no files', () => {
  const source = { type: 'base64', mime: 'text/plain', data: btoa('The rule.') } as const
  const parts: readonly Part[] = [
    { kind: 'text', text: 'Read.' },
    { kind: 'file', source, name: 'rules.txt' },
  ]
  const { body, lost } = encode({ turns: [{ role: 'user', parts }] })
  const content = [
    { type: 'text', text: 'Read.' },
    { type: 'text', text: 'rules.txt:\nThe rule.' },
  ]
  expect([body['messages'], lost]).toStrictEqual([[{ role: 'user', content }], 'messages[].content[file] changed'])
})

it('sends four stop words, which is all that OpenAI takes', () => {
  const { body, lost } = encode({ sampling: { stop: ['a', 'b', 'c', 'd', 'e'] } })
  expect([body['stop'], lost]).toStrictEqual([['a', 'b', 'c', 'd'], 'stop changed'])
})

it('mentions JSON where Gemini’s clients need not, because OpenAI refuses to return it otherwise', () => {
  const gemini = { format: { type: 'json' }, extra: { dialect: 'gemini', fields: {} } } as const
  const { body, lost } = encode(gemini)
  expect([JSON.stringify(body['messages']), lost]).toStrictEqual([expect.stringContaining('JSON'), 'system changed'])
  const encoded = encode({ ...gemini, turns: [{ role: 'user', parts: [{ kind: 'text', text: 'As json.' }] }] })
  expect([encoded.body['messages'], encoded.lost]).toStrictEqual([[{ role: 'user', content: 'As json.' }], ''])
})

it('sends only the allowed tools to vendors that cannot restrict the choice', () => {
  const toolChoice = { mode: 'allowed', names: ['f'], required: true } as const
  const asked = { tools: [{ name: 'f' }, { name: 'g' }], toolChoice }
  const { body, lost } = encode(asked, target({}, ['no-custom-tools']))
  const offered = [{ type: 'function', function: { name: 'f' } }]
  expect([body['tools'], body['tool_choice'], lost]).toStrictEqual([offered, 'required', 'tool_choice changed'])
  expect(encode(asked).body['tool_choice']).toMatchObject({ type: 'allowed_tools' })
})
