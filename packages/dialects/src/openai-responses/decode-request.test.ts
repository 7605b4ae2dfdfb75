import { describe, expect, it, test } from 'vitest'
import { isBodyRefusal } from '../body-refusal.ts'
import type { CanonRequest } from '../canon/request.ts'
import { wrapSignature } from '../canon/signature.ts'
import type { JsonObject } from '../json-value.ts'
import { decodeRequest } from './decode-request.ts'

function decoded(fields: JsonObject): CanonRequest {
  const request = decodeRequest({ model: 'm', input: 'Hi', ...fields })
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
  return request
}

it('takes a text for one turn of the user, and instructions for the system', () => {
  expect(decoded({ instructions: 'Be brief.' })).toMatchObject({
    model: 'm',
    stream: false,
    system: [{ kind: 'text', text: 'Be brief.' }],
    turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  })
})

it('puts the items of one speaker into one turn, and tool results into turns of their own', () => {
  const { system, turns } = decoded({
    input: [
      { role: 'developer', content: 'Rules.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Ask both.' }], encrypted_content: 'S' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A moment.', annotations: [] }] },
      { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Paris"}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'shell', input: 'date' },
      { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'noon' }] },
      { role: 'system', content: 'Hurry.' },
      { role: 'user', content: 'And?' },
    ],
  })
  expect(system).toEqual([{ kind: 'text', text: 'Rules.' }])
  expect(turns).toEqual([
    { role: 'user', parts: [{ kind: 'text', text: 'Weather?' }] },
    {
      role: 'assistant',
      parts: [
        { kind: 'reasoning', text: 'Ask both.', signature: { dialect: 'openai-responses', value: 'S', item: 'rs_1' } },
        { kind: 'text', text: 'A moment.' },
        { kind: 'tool-call', id: 'c1', name: 'weather', args: '{"city":"Paris"}' },
        { kind: 'tool-call', id: 'c2', name: 'shell', args: 'date', isCustom: true },
      ],
    },
    {
      role: 'tool',
      parts: [
        { kind: 'tool-result', callId: 'c1', parts: [{ kind: 'text', text: 'sunny' }] },
        { kind: 'tool-result', callId: 'c2', parts: [{ kind: 'text', text: 'noon' }] },
      ],
    },
    { role: 'system', parts: [{ kind: 'text', text: 'Hurry.' }] },
    { role: 'user', parts: [{ kind: 'text', text: 'And?' }] },
  ])
})

it('reads pictures, files and sound wherever their bytes are', () => {
  const content = [
    { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
    { type: 'input_image', image_url: 'https://example.com/a.png' },
    { type: 'input_image', file_id: 'file_1' },
    { type: 'input_file', filename: 'a.pdf', file_data: 'BBBB' },
    { type: 'input_file', file_url: 'https://example.com/a.pdf' },
    { type: 'input_audio', input_audio: { data: 'CCCC', format: 'mp3' } },
  ]
  const [turn] = decoded({ input: [{ role: 'user', content }] }).turns
  expect(turn?.parts).toEqual([
    { kind: 'image', source: { type: 'base64', mime: 'image/png', data: 'AAAA' }, detail: 'low' },
    { kind: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
    { kind: 'image', source: { type: 'file-id', id: 'file_1', dialect: 'openai-responses' } },
    { kind: 'file', source: { type: 'base64', mime: 'application/pdf', data: 'BBBB' }, name: 'a.pdf' },
    { kind: 'file', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    { kind: 'audio', source: { type: 'base64', mime: 'audio/mpeg', data: 'CCCC' } },
  ])
})

it('puts a signature that came in front of a call back onto the call', () => {
  const signature = { dialect: 'gemini', value: 'G', item: 'c1' } as const
  const { turns } = decoded({
    input: [
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', id: 'rs_9', summary: [], encrypted_content: wrapSignature(signature, 'openai-responses') },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
    ],
  })
  expect(turns[1]?.parts).toEqual([
    { kind: 'tool-call', id: 'c1', name: 'f', args: '{}', signature: { dialect: 'gemini', value: 'G' } },
  ])
})

it('keeps what only this dialect knows, except what is the same as leaving it out', () => {
  const { extra } = decoded({
    store: false,
    truncation: 'disabled',
    background: false,
    previous_response_id: null,
    include: ['reasoning.encrypted_content', 'file_search_call.results'],
    prompt_cache_key: 'k',
    max_tool_calls: 3,
    tool_choice: { type: 'web_search' },
    reasoning: { effort: 'low', context: 'all_turns' },
  })
  expect(extra).toEqual({
    dialect: 'openai-responses',
    fields: {
      include: ['file_search_call.results'],
      prompt_cache_key: 'k',
      max_tool_calls: 3,
      tool_choice: { type: 'web_search' },
      reasoning: { context: 'all_turns' },
    },
  })
})

it('distinguishes functions, custom tools and tools of the provider', () => {
  const { tools, builtins, toolChoice, extra } = decoded({
    tools: [
      { type: 'function', name: 'f', parameters: { type: 'object' }, strict: true, defer_loading: true },
      { type: 'custom', name: 'g', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
      { type: 'web_search_preview' },
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'file_search', vector_store_ids: ['v'] },
    ],
    tool_choice: {
      type: 'allowed_tools',
      mode: 'required',
      tools: [
        { type: 'function', name: 'f' },
        { type: 'custom', name: 'g' },
      ],
    },
  })
  expect(tools).toEqual([
    { name: 'f', schema: { type: 'object' }, strict: true },
    { name: 'g', custom: { format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } } },
  ])
  expect(builtins.map(({ purpose, name }) => [purpose, name])).toEqual([
    ['web-search', 'web_search_preview'],
    ['code', 'code_interpreter'],
    ['other', 'file_search'],
  ])
  expect(toolChoice).toEqual({ mode: 'allowed', names: ['f', 'g'], required: true })
  expect(extra.fields).toEqual({ 'tools[f].defer_loading': true })
})

describe('what is wrong', () => {
  test.each<[string, JsonObject]>([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: { id: 'conv_1' } }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['background', { background: true }],
    ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input[0].role', { input: [{ role: 'robot', content: 'x' }] }],
    ['input[0].content[0].text', { input: [{ role: 'user', content: [{ type: 'input_text' }] }] }],
    ['input[0].content[0]', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }],
    ['input[0].call_id', { input: [{ type: 'function_call_output', output: 'x' }] }],
    ['input[1]', { input: [{ role: 'user', content: 'x' }, 7] }],
    ['tools[0].name', { tools: [{ type: 'function' }] }],
    ['tool_choice', { tool_choice: 'always' }],
    ['text.format.schema', { text: { format: { type: 'json_schema', name: 'n' } } }],
    ['reasoning.effort', { reasoning: { effort: 7 } }],
    ['temperature', { temperature: 'hot' }],
    ['max_output_tokens', { max_output_tokens: 1.5 }],
    ['metadata', { metadata: [] }],
    ['include', { include: 'all' }],
  ])('%s is named', (field, fields) => {
    expect(decodeRequest({ model: 'm', input: 'Hi', ...fields })).toMatchObject({ code: 'invalid_body', field })
  })
})

it('keeps the names of item members that no other dialect knows, for the list of losses', () => {
  const { extra } = decoded({
    input: [
      { role: 'assistant', phase: 'commentary', content: 'ok', id: 'msg_1', status: 'completed' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', async: true },
      { type: 'web_search_call', id: 'ws', action: {} },
    ],
  })
  expect(extra.fields).toEqual({ 'input[].phase': true, 'input[].async': true })
})
