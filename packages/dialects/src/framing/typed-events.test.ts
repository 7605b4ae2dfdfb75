import { expect, test } from 'vitest'
import { imagesUsage } from '../openai-images/usage.ts'
import { openTypedStream } from './typed-events.ts'

const event = (data: object) => new TextEncoder().encode(`data: ${JSON.stringify(data)}\n\n`)
const text = (pieces: readonly Uint8Array[]) => pieces.map((piece) => new TextDecoder().decode(piece)).join('')
const open = (parts = 1) => openTypedStream(imagesUsage, { completes: (type) => type.endsWith('.completed'), parts })

const PARTIAL = { type: 'image_generation.partial_image', b64_json: 'aGk=' }
const COMPLETED = { type: 'image_generation.completed', b64_json: 'aGk=', usage: { input_tokens: 5, output_tokens: 9 } }

test('the event that completes the answer is held back, and its usage read', () => {
  const stream = open()
  expect(text(stream.push(event(PARTIAL)))).toContain('partial_image')
  expect(stream.push(event(COMPLETED))).toEqual([])
  expect(stream.state).toBe('done')
  expect(text([stream.terminal])).toContain('completed')
  expect(stream.report?.counts).toMatchObject({ input: 5, units: { image_output: 9 } })
  expect(stream.end().outcome).toBe('complete')
})

test('of several parts the last one is the end; fewer than requested end with the input', () => {
  const stream = open(3)
  expect(stream.push(event(COMPLETED))).toHaveLength(1)
  expect(stream.push(event(COMPLETED))).toHaveLength(1)
  expect(stream.state).toBe('open')
  expect(stream.end().outcome).toBe('complete')
})

test('an answer without its last event is broken', () => {
  const stream = open()
  stream.push(event(PARTIAL))
  expect(stream.end()).toMatchObject({ outcome: 'broken', reason: 'it ended without a finish reason' })
})

test.each([
  ['an error object', { error: { message: 'No.', type: 'server_error' } }],
  ['an error event', { type: 'error', error: { message: 'No.', type: 'server_error' } }],
])('%s ends the stream as failed', (_, data) => {
  const stream = open()
  expect(stream.push(event(data))).toEqual([])
  expect([stream.state, stream.error?.message]).toEqual(['failed', 'No.'])
})

test('[DONE] ends it too', () => {
  const stream = open()
  stream.push(new TextEncoder().encode('data: [DONE]\n\n'))
  expect(stream.state).toBe('done')
})
