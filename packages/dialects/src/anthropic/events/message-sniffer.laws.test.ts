import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AnswerStream, openAnswerStream } from '../../framing/answer-stream.ts'
import { MessageSniffer } from './message-sniffer.ts'

interface Event {
  readonly type: string
  readonly [name: string]: unknown
}

const text = fc.string({ unit: 'grapheme' })
const form = fc.constantFrom('named', 'bare', 'typed last')

/** Servers write the same event in different ways. */
function written(event: Event, how: string): string {
  const { type, ...rest } = event
  if (how === 'bare') return `data: ${JSON.stringify(event)}\n\n`
  return `event: ${type}\ndata: ${JSON.stringify(how === 'named' ? event : { ...rest, type })}\n\n`
}

const quiet: fc.Arbitrary<Event> = fc.oneof(
  fc.constant({ type: 'ping' }),
  fc.constant({ type: 'content_block_stop', index: 0 }),
  fc.constant({ type: 'of_tomorrow', more: true }),
  text.map((said) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } })),
)
const start: Event = { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } }
const delta: Event = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } }
const ends: readonly Event[] = [{ type: 'message_stop' }, { type: 'error', error: { message: 'broke' } }]

const streams = fc
  .record({
    pieces: fc.array(fc.tuple(quiet, form), { maxLength: 8 }),
    end: fc.constantFrom(...ends),
    form,
  })
  .map(({ pieces, end, form: how }) => ({
    body: written(start, how) + pieces.map(([event, each]) => written(event, each)).join('') + written(delta, how),
    terminal: written(end, how),
    isError: end.type === 'error',
  }))

function pass(stream: AnswerStream, bytes: Uint8Array, size: number): string {
  const out: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) out.push(...stream.push(bytes.slice(at, at + size)))
  out.push(...stream.end().forward)
  return Buffer.concat(out).toString()
}

it('passes all but the end untouched, however the bytes are cut, and reads the usage on the way', () => {
  fc.assert(
    fc.property(streams, fc.integer({ min: 1, max: 400 }), ({ body, terminal, isError }, size) => {
      const stream = openAnswerStream(new MessageSniffer())
      expect(pass(stream, Buffer.from(body + terminal), size)).toBe(body)
      expect(stream.state).toBe(isError ? 'failed' : 'done')
      expect(Buffer.from(stream.terminal).toString()).toBe(isError ? '' : terminal)
      expect(stream.error?.message).toBe(isError ? 'broke' : undefined)
      expect(stream.report?.counts).toMatchObject({ input: 5, output: 7 })
    }),
  )
})

it('takes a stop reason for the end where the last event is left out, and nothing less', () => {
  fc.assert(
    fc.property(streams, ({ body }) => {
      const whole = openAnswerStream(new MessageSniffer())
      whole.push(Buffer.from(body))
      expect(whole.end().outcome).toBe('complete')
      const cut = openAnswerStream(new MessageSniffer())
      cut.push(Buffer.from(body.slice(0, body.lastIndexOf('stop_reason'))))
      expect(cut.end().outcome).toBe('broken')
    }),
  )
})

it('never throws on bytes of any kind', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (bytes, size) => {
      pass(openAnswerStream(new MessageSniffer()), bytes, size)
    }),
  )
})
