import { describe, expect, test } from 'vitest'
import { TARGET } from '../../laws/request-laws.ts'
import { CONTEXT, framesOf, joined } from '../../laws/views.ts'
import { isBodyRefusal } from '../body-refusal.ts'
import { clientNames, withTakenNames } from '../canon/calls/tool-aliases.ts'
import { isInexpressible } from '../canon/codec.ts'
import type { CanonRequest } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { chatUpstreamCodec } from '../openai-chat/codec.ts'
import { responsesClientCodec, responsesUpstreamCodec } from './codec.ts'

const read = {
  type: 'function',
  name: 'read_file',
  description: 'Reads.',
  strict: false,
  parameters: { type: 'object' },
}
const files = { type: 'namespace', name: 'mcp__files', description: 'Files.', tools: [read] }

function decoded(body: JsonObject): CanonRequest {
  const request = responsesClientCodec.decodeRequest({ model: 'm', input: 'Hi', ...body }, {})
  if (isBodyRefusal(request)) throw new Error(JSON.stringify(request))
  return request
}

function bodyOf(request: CanonRequest): JsonObject {
  const encoded = responsesUpstreamCodec.encodeRequest(request, TARGET)
  if (isInexpressible(encoded)) throw new Error(encoded.rule)
  return encoded.body
}

test('a namespace goes back to a provider of the same dialect as it was, with its calls', () => {
  const input = [
    { type: 'message', role: 'user', content: 'go' },
    { type: 'function_call', call_id: 'c', name: 'read_file', namespace: 'mcp__files', arguments: '{"path":"a"}' },
    { type: 'function_call_output', call_id: 'c', output: 'text' },
  ]
  const shell = { type: 'function', name: 'shell', strict: false, parameters: { type: 'object' } }
  const body = bodyOf(decoded({ input, tools: [files, shell], tool_choice: { type: 'function', name: 'read_file' } }))
  expect(body).toMatchObject({ tools: [files, shell], tool_choice: { type: 'function', name: 'read_file' } })
  expect(body['input']).toContainEqual(input[1])
})

describe('a call of a chat provider', () => {
  const { request, aliases } = withTakenNames(decoded({ tools: [files] }), 'openai-chat')
  const context = { ...CONTEXT, request: decoded({ tools: [files] }) }
  const called = { index: 0, id: 'c1', type: 'function', function: { name: 'mcp__files__read_file', arguments: '{}' } }
  const events = clientNames(
    chatUpstreamCodec.decodeReply({
      id: 'x',
      choices: [
        { index: 0, message: { role: 'assistant', content: null, tool_calls: [called] }, finish_reason: 'tool_calls' },
      ],
    }),
    aliases,
  )

  test('is of a function that it was offered under one name', () => {
    expect(request.tools.map(({ name }) => name)).toStrictEqual(['mcp__files__read_file'])
  })

  test('reaches the client in its namespace, in every event of a stream', () => {
    const encoder = responsesClientCodec.openEncoder(context)
    const bytes = events.flatMap((event) =>
      event.type === 'usage' || event.type === 'error' || event.type === 'finish' ? [] : encoder.push(event),
    )
    const end = encoder.finish({ type: 'finish', reason: 'tool-calls', raw: 'tool_calls' }, undefined)
    const frames = framesOf(joined([...bytes, ...end.forward, end.terminal])).map(
      ({ data }) => JSON.parse(data) as JsonObject,
    )
    const items = frames.flatMap(({ type, item }) =>
      type === 'response.output_item.added' || type === 'response.output_item.done' ? [item] : [],
    )
    expect(items).toHaveLength(2)
    for (const item of items) expect(item).toMatchObject({ name: 'read_file', namespace: 'mcp__files' })
    expect(frames.at(-1)).toMatchObject({ response: { output: [{ name: 'read_file', namespace: 'mcp__files' }] } })
  })
})

test('a call in a namespace is read from a provider of the same dialect, and written back', () => {
  const item = { type: 'function_call', call_id: 'c', name: 'read_file', namespace: 'mcp__files', arguments: '{}' }
  const events = responsesUpstreamCodec.decodeReply({ status: 'completed', output: [item] })
  expect(events).toContainEqual(expect.objectContaining({ type: 'tool-start', name: 'mcp__files.read_file' }))
})

test('tools that the input adds are offered, each once', () => {
  const late = { ...read, name: 'late' }
  const { tools, turns } = decoded({
    tools: [late],
    input: [
      { type: 'additional_tools', role: 'developer', tools: [late, files] },
      { type: 'tool_search_call', arguments: { query: 'x' }, call_id: 's', execution: 'client' },
      { type: 'tool_search_output', call_id: 's', tools: [{ ...read, name: 'found' }], execution: 'client' },
      { role: 'user', content: 'go' },
    ],
  })
  expect(tools.map(({ name }) => name)).toStrictEqual(['late', 'mcp__files.read_file', 'found'])
  expect(turns).toMatchObject([{ role: 'assistant' }, { role: 'tool' }, { role: 'user' }])
})

test('a tool of the provider inside a namespace is refused by name', () => {
  const body = { model: 'm', input: 'Hi', tools: [{ ...files, tools: [{ type: 'web_search' }] }] }
  expect(responsesClientCodec.decodeRequest(body, {})).toMatchObject({ field: 'tools[0].tools[0].type' })
})

test('what another agent reports is said to the model', () => {
  const request = decoded({
    input: [
      { role: 'user', content: 'ask the helper' },
      {
        type: 'agent_message',
        author: '/root/helper',
        recipient: '/root',
        content: [{ type: 'input_text', text: 'It is 4711.' }],
      },
    ],
  })
  const encoded = chatUpstreamCodec.encodeRequest(request, TARGET)
  expect(encoded).toMatchObject({
    body: {
      messages: [
        { role: 'user', content: 'ask the helper' },
        { role: 'user', content: '[agent_message]\nauthor: /root/helper\nrecipient: /root\ncontent: It is 4711.' },
      ],
    },
    losses: [{ what: 'agent_message', became: 'changed' }],
  })
})

test('a provider of the same dialect is sent tools that a search found in their item alone', () => {
  const found = { type: 'tool_search_output', call_id: 's', tools: [{ ...read, name: 'found' }], execution: 'client' }
  const body = bodyOf(decoded({ tools: [read], input: [found, { type: 'message', role: 'user', content: 'go' }] }))
  expect(body).toMatchObject({ tools: [read], input: [found, {}] })
})
