import { expect, test } from 'vitest'
import { fold } from '../canon/reply.ts'
import type { CanonRequest } from '../canon/request.ts'
import { tencentUpstreamCodec } from './tencent-hunyuan.ts'

const TARGET = { model: 'hunyuan-turbo', stream: true, takes: {}, defaultMaxTokens: 100 }
const ASKED: CanonRequest = {
  model: 'm',
  stream: true,
  system: [{ kind: 'text', text: 'Be brief.' }],
  turns: [
    { role: 'user', parts: [{ kind: 'text', text: 'Weather?' }] },
    { role: 'assistant', parts: [{ kind: 'tool-call', id: 'c1', name: 'weather', args: '{"my_city":"Rom"}' }] },
    {
      role: 'tool',
      parts: [{ kind: 'tool-result', callId: 'c1', name: 'weather', parts: [{ kind: 'text', text: 'sunny' }] }],
    },
  ],
  tools: [
    { name: 'weather', description: 'd', schema: { type: 'object', properties: { my_city: { type: 'string' } } } },
  ],
  builtins: [],
  toolChoice: { mode: 'auto' },
  maxTokens: 50,
  sampling: { temperature: 0.5, topP: 0.9 },
  extra: { dialect: 'openai-chat', fields: {} },
}

test('a request is chat in another spelling; arguments and schemas stay as they are', () => {
  expect(tencentUpstreamCodec.encodeRequest(ASKED, TARGET)).toEqual({
    body: {
      Model: 'hunyuan-turbo',
      Stream: true,
      Temperature: 0.5,
      TopP: 0.9,
      ToolChoice: 'auto',
      Messages: [
        { Role: 'system', Content: 'Be brief.' },
        { Role: 'user', Content: 'Weather?' },
        {
          Role: 'assistant',
          Content: '',
          ToolCalls: [{ Id: 'c1', Type: 'function', Function: { Name: 'weather', Arguments: '{"my_city":"Rom"}' } }],
        },
        { Role: 'tool', ToolCallId: 'c1', Content: 'sunny' },
      ],
      Tools: [
        {
          Type: 'function',
          Function: {
            Name: 'weather',
            Description: 'd',
            Parameters: '{"type":"object","properties":{"my_city":{"type":"string"}}}',
          },
        },
      ],
    },
    losses: [{ what: 'max_tokens', became: 'dropped' }],
  })
})

const USAGE = { PromptTokens: 3, CompletionTokens: 2, TotalTokens: 5 }

test('a stream is read, with its thoughts, tools and usage', () => {
  const decoder = tencentUpstreamCodec.openDecoder()
  const call = { Id: 'c2', Type: 'function', Index: 0, Function: { Name: 'weather', Arguments: '{"my_city":1}' } }
  const frames = [
    { Id: 'x', Choices: [{ Index: 0, Delta: { Role: 'assistant', ReasoningContent: 'Hm' } }] },
    { Id: 'x', Choices: [{ Index: 0, Delta: { Content: 'Hi' } }] },
    { Id: 'x', Choices: [{ Index: 0, Delta: { ToolCalls: [call] } }] },
    { Id: 'x', Choices: [{ Index: 0, Delta: {}, FinishReason: 'tool_calls' }], Usage: USAGE },
  ]
  const events = frames.flatMap((frame) => decoder.push({ name: '', data: JSON.stringify(frame) }))
  expect(fold([...events, ...decoder.push({ name: '', data: '[DONE]' }), ...decoder.end()])).toMatchObject({
    blocks: [{ text: 'Hm' }, { text: 'Hi' }, { kind: 'tool', name: 'weather', args: '{"my_city":1}' }],
    finish: { reason: 'tool-calls' },
    usage: { counts: { input: 3, output: 2 } },
  })
})

test('a whole reply and both kinds of errors are read', () => {
  const reply = { Choices: [{ Message: { Role: 'assistant', Content: 'Hi' }, FinishReason: 'stop' }], Usage: USAGE }
  expect(fold(tencentUpstreamCodec.decodeReply({ Response: reply }))).toMatchObject({
    blocks: [{ text: 'Hi' }],
    finish: { reason: 'stop' },
  })
  const refused = { Response: { Error: { Code: 'AuthFailure', Message: 'no' }, RequestId: 'r' } }
  expect(fold(tencentUpstreamCodec.decodeReply(refused))).toMatchObject({
    error: { message: 'no', code: 'AuthFailure' },
  })
  const broken = JSON.stringify({ ErrorMsg: { Msg: 'later', Code: 4001 } })
  expect(tencentUpstreamCodec.openDecoder().push({ name: '', data: broken })).toMatchObject([
    { type: 'error', error: { message: 'later' } },
  ])
})
