import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { misspeltModel, modelsOf, readClientEvent, withModels } from './client-event.ts'
import { encodeRealtimeError, readServerEvent } from './server-event.ts'

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const server = (value: unknown) => readServerEvent(bytes(value))

describe('events of a client', () => {
  test('are known by their type, however it is written, and keep their id', () => {
    expect(readClientEvent(bytes('{"event_id":"e1","type":"session.upd\\u0061te","session":{"a":1}}'))).toMatchObject({
      type: 'session.update',
      id: 'e1',
      setup: { session: { a: 1 } },
    })
    expect(readClientEvent(bytes({ type: 'input_audio_buffer.append', audio: 'AAAA' }))).toMatchObject({
      type: 'input_audio_buffer.append',
      id: null,
      setup: undefined,
    })
  })

  test('that two readers could read differently are faults', () => {
    for (const text of [
      '',
      '[]',
      '"x"',
      '{"type":1}',
      '{"type":""}',
      '{}',
      '{"type":"a","t\\u0079pe":"b"}',
      '{"type":"a"',
    ]) {
      expect([text, readClientEvent(bytes(text))]).toEqual([text, { fault: expect.any(String) }])
    }
  })

  test('models are in the present and in the older member of a setup', () => {
    expect(modelsOf({ session: { model: 'm', audio: { input: { transcription: { model: 'w' } } } } })).toEqual({
      model: 'm',
      transcription: 'w',
    })
    expect(modelsOf({ session: { input_audio_transcription: { model: 'w' } } })).toEqual({
      model: undefined,
      transcription: 'w',
    })
    expect(modelsOf({ session: { audio: { input: { transcription: {} } } } }).transcription).toBeNull()
    expect(modelsOf({ session: { audio: { input: { transcription: null } } } }).transcription).toBeUndefined()
    expect(modelsOf({})).toEqual({ model: undefined, transcription: undefined })
  })

  test('a setup keeps everything but the names of its models', () => {
    const setup = {
      type: 'session.update',
      session: {
        model: 'mine',
        voice: 'marin',
        input_audio_transcription: { model: 'w', language: 'en' },
        audio: { input: { transcription: { model: 'w', prompt: 'p' }, turn_detection: null }, output: { speed: 1 } },
      },
    }
    expect(JSON.parse(withModels(setup, { model: 'real', transcription: 'real-w' }))).toEqual({
      type: 'session.update',
      session: {
        model: 'real',
        voice: 'marin',
        input_audio_transcription: { model: 'real-w', language: 'en' },
        audio: {
          input: { transcription: { model: 'real-w', prompt: 'p' }, turn_detection: null },
          output: { speed: 1 },
        },
      },
    })
    expect(JSON.parse(withModels({ session: { voice: 'x' } }, { model: 'a', transcription: 'b' }))).toEqual({
      session: { voice: 'x' },
    })
  })
})

test.each([
  [{ session: { Model: 'dear' } }, 'session.model', 'Model'],
  [{ Session: { model: 'dear' } }, 'session', 'Session'],
  [{ session: { audio: { Input: {} } } }, 'session.audio.input', 'Input'],
  [
    { session: { audio: { input: { transcription: { model: 'w', mOdel: 'dear' } } } } },
    'session.audio.input.transcription.model',
    'mOdel',
  ],
])('a setup with a model under another spelling is recognized: %j', { tags: 'S40' }, (setup, field, written) => {
  expect(misspeltModel(setup)).toEqual({ field, written })
  expect(misspeltModel({ session: { model: 'm', voice: 'x', Voice: 'y' } })).toBeUndefined()
})

describe('events of a provider', () => {
  test('the end of a response carries its usage, which is counted once', () => {
    const usage = { input_tokens: 4, output_tokens: 2 }
    expect(server({ type: 'response.done', response: { status: 'completed', usage } })).toMatchObject({
      kind: 'done',
      isWhole: true,
      usage: { counts: { input: 4, output: 2 } },
    })
    expect(server({ type: 'response.done', response: { status: 'cancelled', usage: null } })).toEqual({
      kind: 'done',
      response: '',
      isWhole: false,
      usage: undefined,
    })
  })

  test('sound is measured in both names of its event, by the format of the session', () => {
    const delta = 'A'.repeat(4_000)
    for (const type of ['response.output_audio.delta', 'response.audio.delta']) {
      const event = server({ type, response_id: 'resp_1', item_id: 'item_1', output_index: 0, content_index: 0, delta })
      expect(event).toMatchObject({ kind: 'part', response: 'resp_1', audioBytes: 3_000, textBytes: 0 })
    }
    const word = server({ type: 'response.output_text.delta', response_id: 'resp_1', delta: 'Hi!' })
    expect(word).toEqual({ kind: 'part', response: 'resp_1', audioBytes: 0, textBytes: 3 })
    const session = (format: object) => server({ type: 'session.updated', session: format })
    expect(session({ output_audio_format: 'g711_ulaw' })).toEqual({ kind: 'session', bytesPerToken: 400 })
    expect(session({ audio: { output: { format: { type: 'audio/pcmu' } } } })).toMatchObject({ bytesPerToken: 400 })
    expect(session({ audio: { output: { format: { type: 'audio/pcm' } } } })).toMatchObject({ bytesPerToken: 2_400 })
  })

  test('transcripts carry tokens or seconds', () => {
    const type = 'conversation.item.input_audio_transcription.completed'
    expect(server({ type, transcript: 'x', usage: { type: 'duration', seconds: 2 } })).toMatchObject({
      usage: { counts: { units: { audio_ms: 2_000 } } },
    })
    expect(server({ type, transcript: 'né' })).toEqual({ kind: 'transcribed', usage: undefined, textBytes: 3 })
    expect(server({ type })).toEqual({ kind: 'transcribed', usage: undefined, textBytes: 0 })
  })

  test('anything else is passed on unread', () => {
    for (const text of ['', 'no json', '[]', '{}', '{"type":5}', '{"type":"vendor.event"}']) {
      expect(server(text)).toEqual({ kind: 'other' })
    }
  })
})

test('an error event has the shape of OpenAI’s', () => {
  const error = { message: 'No.', type: 'invalid_request_error', code: 'invalid_body', param: 'event' }
  expect(JSON.parse(encodeRealtimeError(error, 'id1', 'mine'))).toEqual({
    type: 'error',
    event_id: 'event_id1',
    error: {
      type: 'invalid_request_error',
      code: 'invalid_body',
      message: 'No. (request id: id1)',
      param: 'event',
      event_id: 'mine',
    },
  })
})

test('hostile bytes and hostile events never throw', () => {
  const types = fc.constantFrom('response.done', 'session.created', 'session.update', 'response.audio.delta', 'x')
  const events = fc
    .record(
      { type: types, session: fc.jsonValue(), response: fc.jsonValue(), usage: fc.jsonValue() },
      { requiredKeys: ['type'] },
    )
    .map(bytes)
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), events), (frame) => {
      readServerEvent(frame)
      const event = readClientEvent(frame)
      if (!('fault' in event) && event.setup !== undefined) withModels(event.setup, { model: 'a', transcription: 'b' })
    }),
    { numRuns: 2_000 },
  )
})
