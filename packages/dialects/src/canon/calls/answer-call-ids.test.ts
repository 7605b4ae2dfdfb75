import { expect, test } from 'vitest'
import { geminiUpstreamCodec } from '../../gemini/codec.ts'
import { chatUpstreamCodec } from '../../openai-chat/codec.ts'
import type { AnswerEvent } from '../events.ts'
import type { CanonRequest } from '../request.ts'
import { uniqueCallIds, withUniqueCallIds } from './answer-call-ids.ts'

const request = (...ids: readonly string[]): CanonRequest => ({
  model: 'm',
  stream: true,
  system: [],
  turns: [{ role: 'assistant', parts: ids.map((id) => ({ kind: 'tool-call', id, name: 'f', args: '{}' })) }],
  tools: [],
  builtins: [],
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
})
const idsOf = (events: readonly AnswerEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-start' ? [event.id] : []))

test.each([
  ['gemini', geminiUpstreamCodec, { candidates: [{ content: { parts: [{ functionCall: { name: 'f' } }] } }] }],
  ['openai-chat', chatUpstreamCodec, { choices: [{ message: { tool_calls: [{ function: { name: 'f' } }] } }] }],
] as const)('calls that %s gives no id get one from the request, another in each answer', (_, codec, reply) => {
  const ids = ['one', 'two'].map((idSeed) =>
    idsOf(uniqueCallIds(codec.decodeReply(reply), { request: request(), idSeed })),
  )
  expect(ids).toStrictEqual([['call_one_0'], ['call_two_0']])
})

test('an id that the conversation has is not given again, in a stream neither', () => {
  const chunk = (index: number) => ({ tool_calls: [{ index, id: 'f:0', function: { name: 'f', arguments: '{}' } }] })
  const decoder = withUniqueCallIds(chatUpstreamCodec.openDecoder(), { request: request('f:0', 'g:1'), idSeed: 's' })
  const heard = [0, 1].flatMap((index) =>
    decoder.push({ name: '', data: JSON.stringify({ id: 'c', choices: [{ delta: chunk(index) }] }) }),
  )
  expect(idsOf([...heard, ...decoder.end()])).toStrictEqual(['f:0_2', 'f:0_3'])
})
