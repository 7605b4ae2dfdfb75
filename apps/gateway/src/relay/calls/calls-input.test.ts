import { type CallBody, callBody, formBody, waveFile } from '@sluice/testkit/call-bodies'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { CALL_KINDS } from './calls.ts'

let emulator: Emulator
let world: GatewayWorld
let key = ''

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-fast'])
  key = await world.addToken(world.root)
})
/** Whatever the input: nothing was forwarded, nothing is held, the ledger balances. */
afterEach(async () => {
  await world.verify()
  expect(emulator.journal.received).toBe(0)
})
afterAll(async () => {
  await world.close()
  await emulator.close()
})

async function refusal(path: string, { headers, body }: CallBody) {
  const reply = await fetch(world.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  })
  const { error } = (await reply.json()) as {
    error: { code: string; param: string | null; type: string; message: string }
  }
  expect(error.message).toContain(`(request id: ${reply.headers.get('x-request-id')})`)
  return { status: reply.status, ...error }
}

const JSON_TYPE = { 'content-type': 'application/json' }

test.each([
  ['completions', {}, 'prompt'],
  ['completions', { prompt: [] }, 'prompt'],
  ['completions', { prompt: [{ text: 'x' }] }, 'prompt'],
  ['completions', { prompt: 'x', n: 0 }, 'n'],
  ['completions', { prompt: 'x', best_of: 999 }, 'best_of'],
  ['completions', { prompt: 'x', max_tokens: -1 }, 'max_tokens'],
  ['completions', { prompt: 'x', stream: 'yes' }, 'stream'],
  ['completions', { prompt: 'x', stream: true, stream_options: { include_usage: 1 } }, 'stream_options.include_usage'],
  ['completions', { prompt: 'x', model: null }, 'model'],
  ['embeddings', {}, 'input'],
  ['embeddings', { input: '' }, 'input'],
  ['embeddings', { input: [] }, 'input'],
  ['embeddings', { input: 7 }, 'input'],
  ['embeddings', { input: 'x', model: null }, 'model'],
  ['moderations', {}, 'input'],
  ['moderations', { input: 'x', model: 7 }, 'model'],
  ['images/generations', {}, 'prompt'],
  ['images/generations', { prompt: '' }, 'prompt'],
  ['images/generations', { prompt: 'x', n: 11 }, 'n'],
  ['images/generations', { prompt: 'x', size: 1024 }, 'size'],
  ['images/generations', { prompt: 'x', quality: 'q'.repeat(65) }, 'quality'],
  ['images/generations', { prompt: 'x', stream: 1 }, 'stream'],
  ['audio/speech', {}, 'input'],
  ['audio/speech', { input: 'x'.repeat(100_001) }, 'input'],
  ['audio/speech', { input: 'x', stream_format: 'raw' }, 'stream_format'],
])('/v1/%s with %j is refused, naming %s', async (name, fields, param) => {
  const body = JSON.stringify({ model: 'emu-fast', ...fields })
  const error = await refusal(`/v1/${name}`, { headers: JSON_TYPE, body })
  expect(error).toMatchObject({ status: 400, code: 'invalid_body', param, type: 'invalid_request_error' })
})

const FILE = waveFile(100)

test.each([
  ['no model', { file: FILE }, 'model', 'invalid_body'],
  ['an empty model', { model: '', file: FILE }, 'model', 'invalid_body'],
  ['no file', { model: 'emu-fast' }, 'file', 'invalid_body'],
  ['an empty file', { model: 'emu-fast', file: new Uint8Array(0) }, 'file', 'invalid_body'],
  ['a wrong flag', { model: 'emu-fast', file: FILE, stream: 'yes' }, 'stream', 'invalid_body'],
])('a form with %s is refused by name', async (_, fields, param, code) => {
  const error = await refusal('/v1/audio/transcriptions', formBody(fields))
  expect(error).toMatchObject({ status: 400, code, param })
})

const PICTURE = Buffer.from('a picture')
const EDIT = { model: 'emu-fast', image: PICTURE, prompt: 'x' }

test.each([
  ['no picture', { model: 'emu-fast', prompt: 'x' }, 'image'],
  ['an empty picture', { ...EDIT, image: new Uint8Array(0) }, 'image'],
  ['no prompt', { model: 'emu-fast', image: PICTURE }, 'prompt'],
  ['no model', { image: PICTURE, prompt: 'x' }, 'model'],
  ['too many', { ...EDIT, n: '11' }, 'n'],
  ['a number in words', { ...EDIT, n: 'two' }, 'n'],
  ['a wrong flag', { ...EDIT, stream: '1' }, 'stream'],
  ['an endless size', { ...EDIT, size: 's'.repeat(65) }, 'size'],
])('an edit of a picture with %s is refused by name', async (_, fields, param) => {
  const error = await refusal('/v1/images/edits', formBody(fields))
  expect(error).toMatchObject({ status: 400, code: 'invalid_body', param })
})

test.each([
  [{ prompt: 'x' }, 'image'],
  [{ image: { url: 'data:image/png;base64,aGk=' } }, 'prompt'],
  [{ prompt: 'x', images: [{ image_url: 'https://a.example/1.png' }, { file_id: 'file-1' }] }, 'images.file_id'],
  [{ prompt: 'x', image: { url: 'x' }, mask: { file_id: 'file-1' } }, 'mask.file_id'],
])('an edit as JSON, %j, is refused, naming %s', async (fields, param) => {
  const body = JSON.stringify({ model: 'emu-fast', ...fields })
  expect(await refusal('/v1/images/edits', { headers: JSON_TYPE, body })).toMatchObject({ code: 'invalid_body', param })
})

test('a variation needs a picture and no prompt', async () => {
  const error = await refusal('/v1/images/variations', formBody({ model: 'emu-fast' }))
  expect(error).toMatchObject({ code: 'invalid_body', param: 'image' })
})

test('a form that names its model twice is refused: two readers could see different models', async () => {
  const { headers, body } = formBody({ model: 'emu-fast', file: FILE })
  const twice = Buffer.from(body)
    .toString('latin1')
    .replace('\r\n--', '\r\n--form-boundary\r\nContent-Disposition: form-data; name="model"\r\n\r\nother\r\n--')
  const error = await refusal('/v1/audio/transcriptions', {
    headers,
    body: new Uint8Array(Buffer.from(twice, 'latin1')),
  })
  expect(error).toMatchObject({ status: 400, code: 'duplicate_key', param: 'model' })
})

test('a form that is cut off is refused', async () => {
  const { headers, body } = formBody({ model: 'emu-fast', file: FILE })
  const cut = new Uint8Array(Buffer.from(body).subarray(0, body.length - 20))
  expect(await refusal('/v1/audio/translations', { headers, body: cut })).toMatchObject({
    code: 'invalid_body',
    param: 'body',
  })
})

test.each(['application/json', 'multipart/form-data', 'multipart/form-data; boundary='])(
  'a transcription as %s is refused: it must be a form with a boundary',
  async (type) => {
    const error = await refusal('/v1/audio/transcriptions', { headers: { 'content-type': type }, body: '{}' })
    expect(error).toMatchObject({ status: 415, code: 'form_required' })
  },
)

test('every kind refuses a model that no channel serves, and a body that is not JSON or a form', async () => {
  for (const { path, body } of CALL_KINDS) {
    const unknown = callBody(path, 'no-such-model')
    if (unknown === undefined) throw new Error(path)
    expect([path, await refusal(path, unknown)]).toMatchObject([path, { status: 404, code: 'model_not_found' }])
    const broken = await refusal(path, { headers: unknown.headers, body: '{"model"' })
    expect([path, broken.code]).toEqual([path, body === 'json' ? 'invalid_json' : 'invalid_body'])
  }
})
