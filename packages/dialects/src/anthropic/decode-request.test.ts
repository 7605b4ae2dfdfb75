import { describe, expect, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import type { CanonRequest } from '../canon/request.ts'
import { wrapSignature } from '../canon/signature.ts'
import type { JsonObject } from '../json-value.ts'
import { decodeRequest } from './decode-request.ts'

const USUAL = { model: 'claude', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }

function decoded(fields: JsonObject): CanonRequest {
  const request = decodeRequest({ ...USUAL, ...fields })
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request.params))
  return request
}

test('a coding agent’s request keeps every part of it', () => {
  const request = decoded({
    stream: true,
    system: [{ type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    tools: [
      { name: 'read', description: 'Reads', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    ],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    metadata: { user_id: 'u' },
    stop_sequences: ['END'],
    top_k: 5,
    messages: [
      { role: 'user', content: 'Read both.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Both.', signature: 'EqQB' },
          { type: 'redacted_thinking', data: 'Emw' },
          { type: 'text', text: 'Reading.' },
          { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
          { type: 'tool_use', id: 'toolu_2', name: 'read', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' },
          { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true, content: [{ type: 'text', text: 'gone' }] },
          { type: 'text', text: 'And now?' },
        ],
      },
    ],
  })
  expect(request).toMatchObject({
    stream: true,
    system: [{ text: 'You are an agent.', cache: { ttl: '1h' } }],
    tools: [{ name: 'read', schema: { type: 'object' }, cache: { ttl: '5m' } }],
    builtins: [{ purpose: 'web-search', name: 'web_search_20250305' }],
    toolChoice: { mode: 'auto' },
    parallelTools: false,
    reasoning: { budget: 2_000 },
    sampling: { topK: 5, stop: ['END'] },
    user: 'u',
    extra: { dialect: 'anthropic-messages', fields: {} },
  })
  expect(request.turns).toEqual([
    { role: 'user', parts: [{ kind: 'text', text: 'Read both.' }] },
    {
      role: 'assistant',
      parts: [
        { kind: 'reasoning', text: 'Both.', signature: { dialect: 'anthropic-messages', value: 'EqQB' } },
        { kind: 'reasoning', text: '', signature: { dialect: 'anthropic-messages', value: 'Emw', redacted: true } },
        { kind: 'text', text: 'Reading.' },
        { kind: 'tool-call', id: 'toolu_1', name: 'read', args: '{"path":"a"}' },
        { kind: 'tool-call', id: 'toolu_2', name: 'read', args: '{}' },
      ],
    },
    {
      role: 'tool',
      parts: [
        { kind: 'tool-result', callId: 'toolu_1', parts: [{ kind: 'text', text: 'A' }] },
        { kind: 'tool-result', callId: 'toolu_2', parts: [{ kind: 'text', text: 'gone' }], isError: true },
      ],
    },
    { role: 'user', parts: [{ kind: 'text', text: 'And now?' }] },
  ])
})

test('results of one turn that arrive in two messages are put together', () => {
  const result = (id: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: id }] })
  const { turns } = decoded({ messages: [{ role: 'assistant', content: 'ok' }, result('a'), result('b')] })
  expect(turns.map(({ role, parts }) => [role, parts.length])).toEqual([
    ['assistant', 1],
    ['tool', 2],
  ])
})

test('a foreign signature in an empty thinking block goes back onto its call', () => {
  const signature = wrapSignature({ dialect: 'gemini', value: 'sig==', item: 'call_1' }, 'anthropic-messages')
  const content = [
    { type: 'thinking', thinking: '', signature },
    { type: 'tool_use', id: 'call_1', name: 'f', input: {} },
  ]
  const { turns } = decoded({ messages: [{ role: 'assistant', content }] })
  expect(turns[0]?.parts).toEqual([
    { kind: 'tool-call', id: 'call_1', name: 'f', args: '{}', signature: { dialect: 'gemini', value: 'sig==' } },
  ])
})

test('pictures and documents keep their source', () => {
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' }
  const content = [
    { type: 'image', source: { type: 'url', url: 'https://e.com/a.png' } },
    { type: 'document', title: 'T', source: pdf },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
    { type: 'search_result', source: 's', title: 't', content: [] },
  ]
  const { turns } = decoded({ messages: [{ role: 'user', content }] })
  expect(turns[0]?.parts).toEqual([
    { kind: 'image', source: { type: 'url', url: 'https://e.com/a.png' } },
    { kind: 'file', name: 'T', source: { type: 'base64', mime: 'application/pdf', data: 'JVBE' } },
    { kind: 'file', source: { type: 'base64', mime: 'text/plain', data: 'R3LDvMOfZQ==' } },
    { kind: 'opaque', dialect: 'anthropic-messages', name: 'search_result', value: content[3] },
  ])
})

test.each([
  [{ thinking: { type: 'adaptive', display: 'omitted' } }, { adaptive: true, summary: 'omitted' }],
  [{ thinking: { type: 'disabled' } }, { off: true }],
  [{ output_config: { effort: 'max' } }, { effort: 'max' }],
  [
    { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    { adaptive: true, effort: 'low' },
  ],
])('the thinking setting: %j', (fields, wish) => {
  expect(decoded(fields).reasoning).toEqual(wish)
})

test('what only this dialect knows is kept by its own names', () => {
  const { extra } = decoded({
    container: 'c',
    output_config: { task_budget: 7 },
    tools: [{ name: 'f', input_schema: { type: 'object' }, defer_loading: true }],
  })
  expect(extra.fields).toEqual({
    container: 'c',
    'tools[f].defer_loading': true,
    output_config: { task_budget: 7 },
  })
})

describe('what is wrong is named by its path', () => {
  test.each([
    [{ messages: 'x' }, 'messages'],
    [{ messages: [{ role: 'bot', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user', content: [{ text: 'x' }] }] }, 'messages[0].content[0].type'],
    [{ messages: [{ role: 'user', content: [{ type: 'image' }] }] }, 'messages[0].content[0].source'],
    [{ messages: [{ role: 'user', content: [{ type: 'tool_result' }] }] }, 'messages[0].content[0].tool_use_id'],
    [{ system: [{ type: 'image', source: { type: 'url', url: 'u' } }] }, 'system'],
    [{ tools: [{ description: 'x' }] }, 'tools[0].name'],
    [{ tool_choice: { type: 'required' } }, 'tool_choice.type'],
    [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
    [{ output_config: { format: { type: 'json_schema' } } }, 'output_config.format.schema'],
    [{ temperature: '1' }, 'temperature'],
  ])('%j', (fields, field) => {
    expect(decodeRequest({ ...USUAL, ...fields })).toMatchObject({ code: 'invalid_body', field })
  })
})
