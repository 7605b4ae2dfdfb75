import { describe, expect, it, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import type { CanonRequest } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { decodeRequest } from './decode-request.ts'

const ASK = { role: 'user', content: 'Weather?' } as const

function decode(body: JsonObject): CanonRequest {
  const request = decodeRequest({ model: 'm', messages: [ASK], ...body })
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request.params))
  return request
}
const decodeTurns = (...messages: readonly JsonObject[]) => decode({ messages }).turns

describe('messages', () => {
  it('separates the instructions at the beginning, and leaves later ones where they are', () => {
    const request = decode({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'system',
          content: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
        },
        ASK,
        { role: 'system', content: 'In French.' },
      ],
    })
    expect(request.system).toStrictEqual([
      { kind: 'text', text: 'Be brief.' },
      { kind: 'text', text: 'Be kind.', cache: { ttl: '1h' } },
    ])
    expect(request.turns.map(({ role }) => role)).toStrictEqual(['user', 'system'])
  })

  it('reads every kind of part, and keeps those that only this dialect knows', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
      { type: 'image_url', image_url: 'https://example.com/a.png' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } },
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
      { type: 'search_result', source: 'x' },
    ]
    expect(decodeTurns({ role: 'user', name: 'ann', content })).toStrictEqual([
      {
        role: 'user',
        name: 'ann',
        parts: [
          { kind: 'image', source: { type: 'base64', mime: 'image/png', data: 'AAAA' }, detail: 'low' },
          { kind: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
          { kind: 'audio', source: { type: 'base64', mime: 'audio/mpeg', data: 'AAAA' } },
          { kind: 'file', source: { type: 'base64', mime: 'application/pdf', data: 'AAAA' }, name: 'a.pdf' },
          { kind: 'file', source: { type: 'file-id', id: 'file-1', dialect: 'openai-chat' } },
          { kind: 'video', source: { type: 'url', url: 'https://example.com/a.mp4' } },
          { kind: 'opaque', dialect: 'openai-chat', name: 'search_result', value: content[6] },
        ],
      },
    ])
  })

  it('joins the results of parallel calls into one turn', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
    const turns = decodeTurns(
      ASK,
      { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: '2' }] },
    )
    expect(turns[2]).toStrictEqual({
      role: 'tool',
      parts: [
        { kind: 'tool-result', callId: 'a', parts: [{ kind: 'text', text: '1' }] },
        { kind: 'tool-result', callId: 'b', parts: [{ kind: 'text', text: '2' }] },
      ],
    })
  })

  it('finds the call that an older result belongs to', () => {
    const [, called, answered] = decodeTurns(
      ASK,
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
      { role: 'function', name: 'f', content: '1' },
    )
    const id = 'call_1_f'
    expect(called?.parts).toStrictEqual([{ kind: 'tool-call', id, name: 'f', args: '{"a":1}' }])
    expect(answered?.parts).toMatchObject([{ kind: 'tool-result', callId: id, name: 'f' }])
  })

  it('returns signatures to the dialects that they belong to', () => {
    const [turn] = decodeTurns({
      role: 'assistant',
      content: 'Yes',
      reasoning_content: 'Hm.',
      reasoning_details: [
        { type: 'reasoning.text', text: 'Hm.', signature: 'sluice.1.anthropic-messages.-..SIG', index: 0 },
        { type: 'reasoning.encrypted', data: 'sluice.1.anthropic-messages.r..SEAL', index: 1 },
      ],
      tool_calls: [
        {
          id: 'a',
          type: 'function',
          function: { name: 'f', arguments: '' },
          extra_content: { google: { thought_signature: 'THOUGHT' } },
        },
      ],
    })
    expect(turn?.parts).toStrictEqual([
      { kind: 'reasoning', text: 'Hm.', signature: { dialect: 'anthropic-messages', value: 'SIG' } },
      { kind: 'reasoning', text: '', signature: { dialect: 'anthropic-messages', value: 'SEAL', redacted: true } },
      { kind: 'text', text: 'Yes' },
      { kind: 'tool-call', id: 'a', name: 'f', args: '', signature: { dialect: 'gemini', value: 'THOUGHT' } },
    ])
  })

  it('keeps a vendor’s entries as they came', () => {
    const details = [
      { type: 'reasoning.summary', summary: 'Hm.', format: 'openai-responses-v1', index: 0 },
      { type: 'reasoning.encrypted', data: 'X', id: 'rs_1', format: 'openai-responses-v1', index: 0 },
    ]
    const [turn] = decodeTurns({ role: 'assistant', content: 'Yes', reasoning: 'Hm.', reasoning_details: details })
    expect(turn?.parts[0]).toStrictEqual({
      kind: 'reasoning',
      text: 'Hm.',
      signature: { dialect: 'openai-chat', value: JSON.stringify(details) },
    })
  })

  it.each(['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'])('reads thoughts from %s', (field) => {
    const [turn] = decodeTurns({ role: 'assistant', content: null, [field]: 'Hm.' })
    expect(turn?.parts).toStrictEqual([{ kind: 'reasoning', text: 'Hm.' }])
  })
})

describe('tools and settings', () => {
  it('distinguishes functions, free text tools and those of the provider', () => {
    const search = { type: 'web_search', web_search: { enable: true } }
    const request = decode({
      tools: [
        { type: 'function', function: { name: 'f', parameters: {}, strict: true } },
        { type: 'custom', custom: { name: 'sql', format: { type: 'grammar' } } },
        search,
      ],
      web_search_options: { search_context_size: 'low' },
    })
    expect(request.tools).toStrictEqual([
      { name: 'f', schema: {}, strict: true },
      { name: 'sql', custom: { format: { type: 'grammar' } } },
    ])
    expect(request.builtins).toStrictEqual([
      { dialect: 'openai-chat', purpose: 'web-search', name: 'web_search', value: search },
      {
        dialect: 'openai-chat',
        purpose: 'web-search',
        name: 'web_search_options',
        value: { search_context_size: 'low' },
      },
    ])
  })

  it('records that a client speaks the older form', () => {
    const request = decode({ functions: [{ name: 'f' }], function_call: { name: 'f' } })
    expect(request).toMatchObject({ tools: [{ name: 'f' }], toolChoice: { mode: 'named', name: 'f' } })
    expect(request.extra.isOlder).toBe(true)
  })

  test.each([
    ['required', { mode: 'required' }],
    ['any', { mode: 'required' }],
    [
      { type: 'function', function: { name: 'f' } },
      { mode: 'named', name: 'f' },
    ],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
      { mode: 'allowed', names: ['f'], required: true },
    ],
  ])('tool_choice %o', (choice, expected) => {
    expect(decode({ tool_choice: choice }).toolChoice).toStrictEqual(expected)
  })

  test.each([
    [{ reasoning_effort: 'low' }, { effort: 'low' }],
    [{ reasoning_effort: 'none' }, { off: true }],
    [{ reasoning: { effort: 'high', summary: 'auto' } }, { effort: 'high', summary: 'auto' }],
    [{ reasoning: { max_tokens: 2_000 } }, { budget: 2_000 }],
    [{ reasoning: { enabled: false } }, { off: true }],
    [{ thinking: { type: 'enabled', budget_tokens: 3_000 } }, { budget: 3_000 }],
    [{ thinking: { type: 'disabled' } }, { off: true }],
    [{ thinking: { type: 'auto' } }, { adaptive: true }],
    [{ enable_thinking: true, thinking_budget: 4_000 }, { budget: 4_000 }],
    [{ enable_thinking: true }, { adaptive: true }],
    [{ thinking_budget: -1 }, { adaptive: true }],
    [{}, undefined],
  ])('the thinking setting in %o', (fields, wish) => {
    expect(decode(fields).reasoning).toStrictEqual(wish)
  })

  it('keeps what it does not know, by its path where it is nested', () => {
    const request = decode({
      messages: [ASK, { role: 'assistant', content: 'It', prefix: true, annotations: [], audio: null }],
      provider: { order: ['x'] },
      store: false,
      reasoning: { effort: 'low', exclude: true },
    })
    expect(request.extra.fields).toStrictEqual({
      provider: { order: ['x'] },
      'messages[1].prefix': true,
      'reasoning.exclude': true,
    })
  })

  it('takes the larger cap, and none if one of them says so', () => {
    expect(decode({ max_tokens: 5, max_completion_tokens: 9 }).maxTokens).toBe(9)
    expect(decode({ max_tokens: 0 }).maxTokens).toBeUndefined()
  })
})

test.each([
  [{ messages: 'x' }, 'messages', 'must be a list'],
  [{ messages: [{ role: 'alien', content: 'x' }] }, 'messages[0].role', /^must be one of/],
  [{ messages: [{ role: 'user', content: 7 }] }, 'messages[0].content', 'must be a string or a list'],
  [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id', 'is required'],
  [
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
    'messages[0].content[0].image_url.url',
    'must be a string',
  ],
  [{ tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name', 'is required'],
  [{ tool_choice: 'sometimes' }, 'tool_choice', /^must be one of/],
  [{ temperature: 'hot' }, 'temperature', 'must be a number'],
  [{ stop: [1] }, 'stop[0]', 'must be a string'],
  [{ response_format: { type: 'xml' } }, 'response_format.type', /^must be one of/],
  [{ reasoning_effort: 7 }, 'reasoning_effort', 'must be a string'],
])('refuses %o by the name of the field', (fields, field, rule) => {
  const refusal = decodeRequest({ model: 'm', messages: [ASK], ...fields })
  expect(refusal).toMatchObject({ code: 'invalid_body', field })
  if (!isBodyRefusal(refusal)) return
  if (typeof rule === 'string') expect(refusal.params['rule']).toBe(rule)
  else expect(refusal.params['rule']).toMatch(rule)
})
