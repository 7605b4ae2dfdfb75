// @module-tag slow
import type { Socket } from 'node:net'
import { callBody, formBody, waveFile } from '@sluice/testkit/call-bodies'
import { PICTURE_TOKENS, SECONDS, TRANSCRIPT } from '@sluice/testkit/emulator/other-calls'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CALL_KINDS } from './calls.ts'

let emulator: Emulator
let world: GatewayWorld
let key = ''

/** 1 quota per prompt token, 2 per answer token; the other models cost what their names say. */
const MODELS = ['emu-fast', 'emu-no-usage', 'emu-delay-0', 'emu-error-in-200', 'emu-html', 'emu-cut-mid']
const PIECES = {
  ratio: 0.000001,
  completion_ratio: 0,
  audio: { usd_per_second: 0.0001 },
  image: { price_per_image_usd: 0.04, quality_multipliers: { hd: 2 } },
}

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, MODELS)
  await world.addChannel(emulator.url, ['by-piece'], {
    model_mapping: '{"by-piece":"emu-n-tokens-3"}',
    model_configs: JSON.stringify({ 'emu-n-tokens-3': PIECES }),
  })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

type Fields = Readonly<Record<string, unknown>>

const send = (path: string, { headers, body }: { headers: object; body: string | Uint8Array<ArrayBuffer> }) =>
  fetch(world.url + path, { method: 'POST', headers: { authorization: `Bearer ${key}`, ...headers }, body })

function call(path: string, fields: Fields): Promise<Response> {
  const usual = JSON.parse(String(callBody(path, 'emu-fast')?.body)) as object
  return send(path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...usual, ...fields }) })
}

const transcribe = (fields: Readonly<Record<string, string>>, ms = 3_000) =>
  send('/v1/audio/transcriptions', formBody({ model: 'emu-fast', file: waveFile(ms), ...fields }))

/** The log row of a call, with the units, the hold and the provider's own usage. */
async function charged(reply: Response): Promise<Fields & { readonly text: string }> {
  const text = await reply.text()
  expect([reply.status, text]).toEqual([200, text])
  const id = reply.headers.get('x-request-id')
  const [log] = await world.rows(`select * from log where request_id = '${id}'`)
  const [transfer] = await world.rows(`select * from transfer where request_id = '${id}'`)
  const [trace] = await world.rows(`select * from trace where request_id = '${id}'`)
  if (log === undefined || transfer === undefined || trace === undefined) throw new Error('nothing was charged')
  return { text, ...log, units: transfer['units'], held: trace['held'], usage: trace['upstream_usage'] }
}

test.each(['emu-fast', 'emu-no-usage', 'by-piece'])('%s: every kind is charged within its hold', async (model) => {
  for (const { path } of CALL_KINDS) {
    const body = callBody(path, model)
    if (body === undefined) throw new Error(path)
    const charge = await charged(await send(path, body))
    const [amount, held] = [charge['amount'], charge['held']].map((value) => BigInt(String(value)))
    expect([path, charge['ended']]).toEqual([path, 'complete'])
    expect([path, amount !== undefined && held !== undefined && amount > 0n && amount <= held]).toEqual([path, true])
  }
})

test('the trace shows the provider’s own usage object', async () => {
  const embedding = await charged(await call('/v1/embeddings', { input: 'two words' }))
  expect(JSON.parse(String(embedding['usage']))).toEqual({ prompt_tokens: 2, total_tokens: 2 })
  const chat = await charged(await call('/v1/chat/completions', { stream: true }))
  expect(JSON.parse(String(chat['usage']))).toMatchObject({ completion_tokens: 16 })
  expect((await charged(await call('/v1/audio/speech', {})))['usage']).toBe('')
})

describe('what is counted', () => {
  test('completions: tokens, streamed and plain; the hold covers an answer for each prompt', async () => {
    const plain = await charged(await call('/v1/completions', { prompt: 'one two three' }))
    expect(plain).toMatchObject({ prompt_tokens: 3, completion_tokens: 16, amount: 35_000n, estimated: 0 })
    const streamed = await charged(await call('/v1/completions', { prompt: 'one two three', stream: true }))
    expect(streamed).toMatchObject({ amount: 35_000n, estimated: 0, is_stream: 1 })
    expect(streamed.text).not.toContain('"usage":{')
    const many = await charged(await call('/v1/completions', { prompt: ['a', 'b', 'c'], max_tokens: 100 }))
    expect(Number(many['held'])).toBeGreaterThan(3 * 100 * 2_000)
  })

  test('completions and embeddings without usage are counted here', async () => {
    const completion = await charged(await call('/v1/completions', { model: 'emu-no-usage', prompt: 'hello world' }))
    expect(completion).toMatchObject({ prompt_tokens: 2, estimated: 1 })
    expect(completion).toMatchObject({ completion_tokens: 16 })
    const embedding = await charged(
      await call('/v1/embeddings', { model: 'emu-no-usage', input: ['hello', [1, 2, 3]] }),
    )
    expect(embedding).toMatchObject({ prompt_tokens: 4, completion_tokens: 0, amount: 4_000n, estimated: 1 })
  })

  test('embeddings: the tokens that the provider read', async () => {
    const charge = await charged(await call('/v1/embeddings', { input: 'four words of text' }))
    expect(charge).toMatchObject({ prompt_tokens: 4, completion_tokens: 0, amount: 4_000n, estimated: 0 })
  })

  test('pictures: tokens where they have a price, otherwise pieces by size and quality', async () => {
    const byToken = await charged(await call('/v1/images/generations', { n: 2 }))
    expect(byToken).toMatchObject({ amount: BigInt(2 + 2 * 2 * PICTURE_TOKENS) * 1_000n, estimated: 0 })
    const byPiece = await charged(await call('/v1/images/generations', { model: 'by-piece', n: 2, quality: 'hd' }))
    // Two pictures of 4 cents, twice for their quality: 16 cents are 80,000 quota.
    expect(Math.floor(Number(byPiece['amount']) / 1_000)).toBe(80_000)
    expect(JSON.parse(String(byPiece['units']))).toMatchObject({ image: '2' })
  })

  test('pictures without a token count cost a thousand tokens each where only tokens have a price', async () => {
    const charge = await charged(await call('/v1/images/generations', { model: 'emu-no-usage', n: 3 }))
    expect(charge).toMatchObject({ amount: 3_000_000n })
  })

  test('speech: characters, at the price of a token where characters have none', async () => {
    const charge = await charged(await call('/v1/audio/speech', { input: 'Zoë 🌍' }))
    expect(charge).toMatchObject({ amount: 5_000n, estimated: 1 })
    const streamed = await charged(await call('/v1/audio/speech', { input: 'two words', stream_format: 'sse' }))
    expect(streamed).toMatchObject({ amount: BigInt(2 + 101 * 2) * 1_000n, estimated: 0 })
  })

  test('transcriptions: seconds as the provider measured them, priced by the second or as tokens', async () => {
    const asTokens = await charged(await transcribe({}))
    expect(asTokens).toMatchObject({ amount: BigInt(SECONDS * 10) * 1_000n, estimated: 0 })
    const bySecond = await charged(await transcribe({ model: 'by-piece' }))
    expect(Math.floor(Number(bySecond['amount']) / 1_000)).toBe(SECONDS * 50)
    expect(JSON.parse(String(bySecond['units']))).toMatchObject({ audio_ms: String(SECONDS * 1_000) })
  })

  test('what is sold only by the piece costs its pieces even when the provider counts tokens', async () => {
    await world.addChannel(emulator.url, ['by-second'], {
      model_mapping: '{"by-second":"emu-n-tokens-4"}',
      model_configs: JSON.stringify({ 'emu-n-tokens-4': { audio: { usd_per_second: 0.0001 } } }),
    })
    const heard = await charged(await transcribe({ model: 'by-second', stream: 'true' }))
    expect(JSON.parse(String(heard['units']))).toMatchObject({ audio_ms: '3000' })
    expect(heard).toMatchObject({ amount: 150_000n, estimated: 1 })
  })

  test('transcriptions without a measurement: the length that the file itself states', async () => {
    const charge = await charged(await transcribe({ model: 'by-piece', response_format: 'text' }, 3_000))
    expect(charge.text.trim()).toBe(TRANSCRIPT)
    expect(charge).toMatchObject({ estimated: 1 })
    expect(JSON.parse(String(charge['units']))).toMatchObject({ audio_ms: '3000' })
  })
})

describe('edits of pictures', () => {
  const edit = (fields: Readonly<Record<string, string | Uint8Array>>) =>
    send('/v1/images/edits', formBody({ model: 'emu-fast', image: Buffer.from('png'), prompt: 'wider', ...fields }))

  test('are charged by what was read and made, streamed and plain', async () => {
    for (const stream of ['false', 'true']) {
      const charge = await charged(await edit({ stream }))
      expect(charge).toMatchObject({ estimated: 0, is_stream: Number(stream === 'true') })
      expect(charge['amount']).toBe(BigInt(1 + PICTURE_TOKENS + 2 * PICTURE_TOKENS) * 1_000n)
      if (stream === 'true') expect(charge.text).toContain('image_edit.completed')
    }
  })

  test('cost their pieces by size and quality where pictures have a price', async () => {
    const charge = await charged(await edit({ model: 'by-piece', n: '2', quality: 'hd' }))
    expect(Math.floor(Number(charge['amount']) / 1_000)).toBe(2 * 2 * 20_000)
  })

  test('reach the provider byte for byte, except for the name of the model', async () => {
    const picture = Buffer.from([0, 255, 13, 10, 45, 45, 1])
    const { body, headers } = formBody({ model: 'by-piece', 'image[]': picture, prompt: 'x', vendor_field: 'kept' })
    await charged(await send('/v1/images/edits', { headers, body }))
    const sent = emulator.journal.calls.at(-1)
    expect(sent?.body).toBe(Buffer.from(body).toString().replace('by-piece', 'emu-n-tokens-3'))
    expect(sent?.headers['content-type']).toBe('multipart/form-data; boundary=form-boundary')
  })

  test('can be sent as JSON', async () => {
    const fields = { model: 'by-piece', prompt: 'x', image: { url: 'data:image/png;base64,aGk=' }, vendor: 1 }
    await charged(
      await send('/v1/images/edits', { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) }),
    )
    expect(JSON.parse(emulator.journal.calls.at(-1)?.body ?? '')).toEqual({ ...fields, model: 'emu-n-tokens-3' })
  })
})

describe('the request for the provider', () => {
  test('is the client’s own, except for the name of the model', async () => {
    const { body, headers } = formBody({ model: 'by-piece', file: waveFile(100), vendor_field: 'kept' })
    const type = `${headers['content-type']}; injected=yes`
    await charged(await send('/v1/audio/transcriptions', { headers: { 'content-type': type }, body }))
    const sent = emulator.journal.calls.at(-1)
    expect(sent?.body).toBe(Buffer.from(body).toString().replace('by-piece', 'emu-n-tokens-3'))
    expect(sent?.headers['content-type']).toBe('multipart/form-data; boundary=form-boundary')
    await charged(await call('/v1/embeddings', { model: 'emu-fast', vendor_field: { kept: true } }))
    expect(JSON.parse(emulator.journal.calls.at(-1)?.body ?? '')).toMatchObject({ vendor_field: { kept: true } })
  })

  test('a moderation without a model uses the default one', async () => {
    await world.addChannel(emulator.url, ['omni-moderation-latest'])
    const usual = { headers: { 'content-type': 'application/json' }, body: '{"input":"text"}' }
    await charged(await send('/v1/moderations', usual))
    expect(emulator.journal.calls.at(-1)?.body).toBe('{"model":"omni-moderation-latest","input":"text"}')
    await charged(await send('/v1/moderations', { ...usual, body: '{"input":"text","model":null}' }))
    expect(emulator.journal.calls.at(-1)?.body).toBe('{"input":"text","model":"omni-moderation-latest"}')
  })
})

describe('a provider that fails', () => {
  const charges = async () => Number((await world.rows('select count(*) as n from transfer'))[0]?.['n'])

  test.each(CALL_KINDS.map(({ path }) => path))(
    '%s: an error under a good status is an error and charges nothing',
    async (path) => {
      const before = await charges()
      for (const model of ['emu-error-in-200', 'emu-html']) {
        const body = callBody(path, model)
        if (body === undefined) throw new Error(path)
        const reply = await send(path, body)
        expect([reply.status, await reply.json()]).toMatchObject([502, { error: { type: expect.any(String) } }])
      }
      expect(await charges()).toBe(before)
    },
  )
})

describe('a client that leaves in the middle of an answer that is not text', { tags: 'S41' }, () => {
  const chunk = (event: object) => {
    const text = `data: ${JSON.stringify(event)}\n\n`
    return `${text.length.toString(16)}\r\n${text}\r\n`
  }
  const USAGE = { input_tokens: 10, output_tokens: 40, total_tokens: 50 }

  /** Leaves after the first part of the answer, then has the provider continue with `goOn`. Returns the log row. */
  async function leave(path: string, fields: object, goOn: (socket: Socket) => void) {
    const sockets: Socket[] = []
    const upstream = await startRawUpstream((socket) => {
      sockets.push(socket)
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.write(chunk({ type: 'some.partial', b64_json: 'aGk=' }))
    })
    const model = `half${path}${(halves += 1)}`
    await world.addChannel(upstream.url, [model], {
      model_configs: JSON.stringify({ [model]: { ratio: 1, completion_ratio: 2, image: { price_per_image_usd: 1 } } }),
    })
    const leaving = new AbortController()
    const usual = JSON.parse(String(callBody(path, model)?.body)) as object
    const reply = await fetch(world.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...usual, ...fields }),
      signal: leaving.signal,
    })
    await reply.body?.getReader().read()
    leaving.abort()
    await new Promise((resolve) => setTimeout(resolve, 50))
    for (const socket of sockets) goOn(socket)
    const id = reply.headers.get('x-request-id')
    const row = async () => (await world.rows(`select * from log where request_id = '${id}'`))[0]
    await expect.poll(row).toMatchObject({ ended: 'client_gone_drained' })
    await upstream.close()
    return await row()
  }
  let halves = 0

  test.each([
    ['/v1/images/generations', { stream: true }, 0n],
    ['/v1/audio/speech', { stream_format: 'sse' }, 15_000n],
  ])('of %s pays for what was read, and nothing for what was not finished', async (path, fields, amount) => {
    const charge = await leave(path, fields, (socket) => socket.destroy())
    expect(charge).toMatchObject({ estimated: 1 })
    if (amount === 0n) expect(Number(charge?.['amount'])).toBeLessThan(100_000)
    else expect(charge).toMatchObject({ amount })
  })

  test.each([
    ['/v1/images/generations', { stream: true }, 'image_generation.completed'],
    ['/v1/audio/speech', { stream_format: 'sse' }, 'speech.audio.done'],
  ])('of %s pays for everything that was finished after it left', async (path, fields, type) => {
    const last = chunk({ type, usage: USAGE })
    const charge = await leave(path, fields, (socket) => void socket.write(`${last}0\r\n\r\n`))
    expect(charge).toMatchObject({ estimated: 0 })
    expect(Number(charge?.['amount'])).toBeGreaterThanOrEqual(90_000)
  })
})

test('whole answers where events were requested become those events', async () => {
  const wav = Buffer.from(waveFile(100))
  const answers = {
    '/v1/audio/speech': ['audio/wav', wav, '{"type":"speech.audio.done"}'],
    '/v1/images/generations': [
      'application/json',
      Buffer.from('{"data":[{"b64_json":"aGk="}]}'),
      '"type":"image_generation.completed"',
    ],
    '/v1/completions': [
      'application/json',
      Buffer.from('{"id":"x","choices":[{"index":0,"text":"hi"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}'),
      'data: [DONE]',
    ],
  } as const
  for (const [path, [type, bytes, expected]] of Object.entries(answers)) {
    const upstream = await startRawUpstream((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n\r\n`)
      socket.end(bytes)
    })
    await world.addChannel(upstream.url, [`whole${path}`])
    const charge = await charged(await call(path, { model: `whole${path}`, stream: true, stream_format: 'sse' }))
    expect([path, charge.text]).toEqual([path, expect.stringContaining(expected)])
    expect(charge).toMatchObject({ is_stream: 1, ended: 'complete' })
    await upstream.close()
  }
})
