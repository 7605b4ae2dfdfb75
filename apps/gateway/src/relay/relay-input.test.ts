// @module-tag slow
import { connect } from 'node:net'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let key = ''

const BODY_LIMIT = 20_000

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld({ SLUICE_BODY_LIMIT: String(BODY_LIMIT), SLUICE_BODY_TIMEOUT: '0.3' })
  await world.addChannel(emulator.url, ['emu-fast'])
  await world.addChannel(emulator.url, ['no-price'], { model_configs: null })
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

interface Answer {
  readonly status: number
  readonly error: {
    readonly code: string
    readonly param: string | null
    readonly message: string
    readonly type: string
  }
}

async function post(body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> {
  const reply = await fetch(`${world.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  })
  const { error } = (await reply.json()) as Pick<Answer, 'error'>
  expect(error.message).toContain(`(request id: ${reply.headers.get('x-request-id')})`)
  return { status: reply.status, error }
}

const HELLO = '"messages":[{"role":"user","content":"x"}]'

test.each([
  ['', 'invalid_json', null],
  ['{', 'invalid_json', null],
  ['{"model":"emu-fast",', 'invalid_json', null],
  ['{"model":"emu-fast"} trailing', 'invalid_json', null],
  ['[1]', 'invalid_body', 'body'],
  ['null', 'invalid_body', 'body'],
  [`{${HELLO}}`, 'invalid_body', 'model'],
  [`{"model":7,${HELLO}}`, 'invalid_body', 'model'],
  [`{"model":"",${HELLO}}`, 'invalid_body', 'model'],
  ['{"model":"emu-fast"}', 'invalid_body', 'messages'],
  ['{"model":"emu-fast","messages":"hi"}', 'invalid_body', 'messages'],
  ['{"model":"emu-fast","messages":[]}', 'invalid_body', 'messages'],
  [`{"model":"emu-fast","stream":"yes",${HELLO}}`, 'invalid_body', 'stream'],
  [`{"model":"emu-fast","n":0,${HELLO}}`, 'invalid_body', 'n'],
  [`{"model":"emu-fast","max_tokens":-5,${HELLO}}`, 'invalid_body', 'max_tokens'],
  [`{"model":"emu-fast","max_completion_tokens":1e99,${HELLO}}`, 'invalid_body', 'max_completion_tokens'],
  [`{"model":"emu-fast","model":"other",${HELLO}}`, 'duplicate_key', 'model'],
  [`{"model":"emu-fast","\\u006dodel":"other",${HELLO}}`, 'duplicate_key', 'model'],
])('%s is refused as %s, naming %s', async (body, code, param) => {
  const { status, error } = await post(body)
  expect(status).toBe(400)
  expect(error).toMatchObject({ code, param, type: 'invalid_request_error' })
})

test('bytes that are not text are refused', async () => {
  const { status, error } = await post(Buffer.from([0xff, 0xfe, 0x00, 0x01]))
  expect([status, error.code]).toEqual([400, 'invalid_body'])
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'content type %s is refused by name',
  async (type) => {
    const { status, error } = await post(`{"model":"emu-fast",${HELLO}}`, { 'content-type': type })
    expect([status, error.code]).toEqual([415, 'unsupported_content_type'])
    expect(error.message).toContain(type)
  },
)

test('a body over the limit is refused with the limit', async () => {
  const { status, error } = await post(`{"model":"emu-fast","x":"${'y'.repeat(BODY_LIMIT)}",${HELLO}}`)
  expect([status, error.code]).toEqual([413, 'body_too_large'])
  expect(error.message).toContain(String(BODY_LIMIT))
})

test('a byte order mark is refused by its name', async () => {
  const { status, error } = await post(`\ufeff{"model":"emu-fast",${HELLO}}`)
  expect([status, error.code]).toEqual([400, 'invalid_json'])
  expect(error.message).toContain('it begins with a byte order mark')
})

test.each(['Identity', 'IDENTITY'])('a body that is declared as %s is read', async (encoding) => {
  const { error } = await post('{', { 'content-encoding': encoding })
  expect(error.code).toBe('invalid_json')
})

test('a body in an unknown coding is refused, and one that is not in its coding', async () => {
  const { status, error } = await post('x', { 'content-encoding': 'compress' })
  expect([status, error.code]).toEqual([415, 'unsupported_encoding'])
  const wrong = await post('x', { 'content-encoding': 'gzip' })
  expect([wrong.status, wrong.error.code]).toEqual([400, 'body_not_decodable'])
})

test('an unknown model is refused as OpenAI does', async () => {
  const { status, error } = await post(`{"model":"no-such-model",${HELLO}}`)
  expect(status).toBe(404)
  expect(error).toMatchObject({ code: 'model_not_found', param: 'model' })
})

test('a model without a price is refused, never free and never guessed', async () => {
  const { status, error } = await post(`{"model":"no-price",${HELLO}}`)
  expect([status, error.code]).toEqual([503, 'model_price_missing'])
})

test('a model whose channels are paused or disabled is known, but not available', async () => {
  const paused = await world.addChannel(emulator.url, ['resting'], { priority: -1 })
  expect((await post(`{"model":"resting",${HELLO}}`)).error.code).toBe('no_channel')
  await world.changeChannel({ id: paused, priority: 1, status: 2 })
  expect((await post(`{"model":"resting",${HELLO}}`)).error.code).toBe('no_channel')
})

test('wrong methods and unknown paths are told apart', async () => {
  const ask = async (method: string, path: string) => {
    const reply = await fetch(world.url + path, { method, headers: { authorization: `Bearer ${key}` } })
    const { error } = (await reply.json()) as Pick<Answer, 'error'>
    return [reply.status, error.code]
  }
  expect(await ask('GET', '/v1/chat/completions')).toEqual([405, 'method_not_allowed'])
  expect(await ask('POST', '/v1/videos')).toEqual([501, 'not_implemented'])
  expect(await ask('POST', '/v1/nonsense')).toEqual([404, 'unknown_path'])
})

const head = (length: number) =>
  `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

test('a client that sends too slowly is told so', async () => {
  const reply = await new Promise<string>((resolve) => {
    let received = ''
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1', () => socket.write(`${head(500)}{"model":`))
    socket.on('data', (chunk) => (received += chunk.toString()))
    socket.on('close', () => resolve(received))
  })
  expect(reply).toContain('408 Request Timeout')
  expect(reply).toContain('"code":"body_timeout"')
})

test('a client that vanishes in the middle of its body leaves nothing behind', async () => {
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1', () => socket.write(`${head(500)}{"model":`))
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  await world.verify()
  expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
})
