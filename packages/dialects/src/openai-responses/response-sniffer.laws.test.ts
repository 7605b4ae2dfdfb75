import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AnswerStream, openAnswerStream } from '../framing/answer-stream.ts'
import { openEventText } from './client-format.ts'
import { ResponseSniffer } from './response-sniffer.ts'

const usage = { input_tokens: 5, output_tokens: 7 }
const quiet = fc.constantFrom(
  'response.output_text.delta',
  'response.output_item.done',
  'response.content_part.added',
  'response.function_call_arguments.delta',
  'response.reasoning_summary_text.delta',
  'response.code_interpreter_call_code.delta',
  'response.queued',
  'response.of_tomorrow',
)
const text = fc.string({ unit: 'grapheme' })
const form = fc.constantFrom('named', 'bare', 'typed last')

/** Servers write the same event in different ways. */
function written(event: { readonly type: string; readonly text?: string }, how: string): string {
  const { type, ...rest } = event
  if (how === 'bare') return `data: ${JSON.stringify(event)}\n\n`
  return `event: ${type}\ndata: ${JSON.stringify(how === 'named' ? event : { ...rest, type })}\n\n`
}

const streams = fc
  .record({
    pieces: fc.array(fc.record({ type: quiet, delta: text, form }), { maxLength: 8 }),
    end: fc.constantFrom(
      { type: 'response.completed', response: { id: 'r', usage } },
      { type: 'response.incomplete', response: { id: 'r', usage } },
      { type: 'response.failed', response: { id: 'r', usage, error: { message: 'broke' } } },
      { type: 'error', message: 'broke' },
    ),
    form,
  })
  .map(({ pieces, end, form: how }) => ({
    body: pieces.map(({ form: each, ...event }) => written(event, each)).join(''),
    said: pieces.map(({ delta }) => delta).join(''),
    terminal: written(end, how),
    isError: end.type === 'error' || end.type === 'response.failed',
    hasUsage: end.type !== 'error',
  }))

function pass(stream: AnswerStream, bytes: Uint8Array, size: number): string {
  const out: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) out.push(...stream.push(bytes.slice(at, at + size)))
  out.push(...stream.end().forward)
  return Buffer.concat(out).toString()
}

it('passes all but the end untouched, however the bytes are cut, and reads the usage of the end', () => {
  fc.assert(
    fc.property(streams, fc.integer({ min: 1, max: 400 }), ({ body, terminal, isError, hasUsage }, size) => {
      const stream = openAnswerStream(new ResponseSniffer())
      expect(pass(stream, Buffer.from(body + terminal), size)).toBe(body)
      expect(stream.state).toBe(isError ? 'failed' : 'done')
      expect(Buffer.from(stream.terminal).toString()).toBe(isError ? '' : terminal)
      expect(stream.error?.message).toBe(isError ? 'broke' : undefined)
      expect(stream.report?.counts?.output).toBe(hasUsage ? 7 : undefined)
    }),
  )
})

it('calls a stream without its end broken', () => {
  fc.assert(
    fc.property(streams, ({ body }) => {
      const stream = openAnswerStream(new ResponseSniffer())
      stream.push(Buffer.from(body))
      expect(stream.end().outcome).toBe('broken')
    }),
  )
})

it('collects what the deltas say, and not the events that repeat it', () => {
  fc.assert(
    fc.property(streams, ({ body, said }) => {
      const collected = openEventText()
      collected.add(Buffer.from(body))
      collected.add(Buffer.from(written({ type: 'response.output_text.done', text: said }, 'named')))
      expect(collected.finish().text).toBe(said)
    }),
  )
})

it('never throws on bytes of any kind', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (bytes, size) => {
      pass(openAnswerStream(new ResponseSniffer()), bytes, size)
    }),
  )
})
