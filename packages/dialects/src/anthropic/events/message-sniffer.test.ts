import { expect, test } from 'vitest'
import { openAnswerStream } from '../../framing/answer-stream.ts'
import { MessageSniffer } from './message-sniffer.ts'

const event = (type: string, fields: object) =>
  new TextEncoder().encode(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)

test('a stream reports its id, its container and the files that tools made in it', () => {
  const stream = openAnswerStream(new MessageSniffer())
  const output = { type: 'bash_code_execution_output', file_id: 'file_1' }
  const shown = { type: 'text', file_id: 'file_of_somebody' }
  const content = { type: 'bash_code_execution_result', content: [output, shown] }
  stream.push(event('message_start', { message: { id: 'msg_1', usage: { input_tokens: 3, output_tokens: 1 } } }))
  stream.push(event('content_block_start', { index: 0, content_block: { type: 'x_tool_result', content } }))
  stream.push(event('content_block_stop', { index: 0 }))
  stream.push(event('message_delta', { delta: { stop_reason: 'end_turn', container: { id: 'container_1' } } }))
  expect([stream.ids, stream.objects]).toEqual([['msg_1'], ['file_1', 'container_1']])
})
