// @module-tag slow
import { updateOption } from '@sluice/contract/routes/options'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type RawUpstream, startRawUpstream } from '@sluice/testkit/raw-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { BrokenAnswerPolicies } from '../relay-options.ts'

let emulator: Emulator
let world: GatewayWorld
let key = ''
const opened: RawUpstream[] = []

const DEFAULTS: BrokenAnswerPolicies = {
  ClientLeftEarlyPolicy: 'void',
  ClientLeftPolicy: 'delivered',
  UpstreamBrokenPolicy: 'delivered',
  EmptyAnswerPolicy: 'reported',
  ErrorInAnswerPolicy: 'void',
}

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, [
    'emu-fast',
    'emu-pace-40-10',
    'emu-pace-400-10',
    'emu-delay-5000',
    'emu-cut-mid',
  ])
  key = await world.addToken(world.root)
})
afterEach(async () => {
  await choose(DEFAULTS)
  await world.verify()
})
afterAll(async () => {
  await world.close()
  await emulator.close()
  for (const upstream of opened) await upstream.close()
})

async function choose(policies: Partial<BrokenAnswerPolicies>): Promise<void> {
  for (const [option, value] of Object.entries(policies)) {
    await world.root.call(updateOption, { body: { key: option, value } })
  }
}

const charges = async () => Number((await world.rows('select count(*) as n from transfer'))[0]?.['n'])
const lastCharge = async () => (await world.rows('select * from log where type = 2 order by id desc limit 1'))[0]

async function chargeAfter(before: number) {
  await expect.poll(charges, { timeout: 5_000 }).toBe(before + 1)
  return await lastCharge()
}

async function leaveInTheMiddle(model: string): Promise<void> {
  const leave = new AbortController()
  const reply = await world.chat(key, { model, stream: true }, { signal: leave.signal })
  const reader = reply.body?.getReader()
  for (let i = 0; i < 3; i++) await reader?.read()
  leave.abort()
}

async function answering(model: string, body: object | string): Promise<void> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/event-stream' : 'application/json'
  const upstream = await startRawUpstream((socket) => {
    socket.end(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${text.length}\r\n\r\n${text}`)
  })
  opened.push(upstream)
  await world.addChannel(upstream.url, [model])
}

const ZERO = { amount: 0n, prompt_tokens: 0, completion_tokens: 0, estimated: 0 }

describe('a client that leaves in the middle of a stream', () => {
  test('pays for what it got, and the provider stops', async () => {
    // Until it has read one complete answer, the gateway does not know whether the model shows every token that it counts.
    await (await world.chat(key, { model: 'emu-pace-400-10', stream: true, max_tokens: 2 })).text()
    const before = await charges()
    await leaveInTheMiddle('emu-pace-400-10')
    const charge = await chargeAfter(before)
    expect(charge).toMatchObject({ ended: 'client_gone', estimated: 1 })
    expect(charge?.['completion_tokens']).toBeLessThan(300)
    await expect.poll(() => emulator.journal.calls.at(-1)?.state).toBe('abandoned')
  })

  test('drain: pays the exact usage of an answer that is read to its end', async () => {
    await choose({ ClientLeftPolicy: 'drain' })
    const before = await charges()
    await leaveInTheMiddle('emu-pace-40-10')
    const charge = await chargeAfter(before)
    expect(charge).toMatchObject({ ended: 'client_gone_drained', estimated: 0, completion_tokens: 40 })
    expect(emulator.journal.calls.at(-1)?.state).toBe('completed')
    const [trace] = await world.rows('select status from trace order by received_ms desc limit 1')
    expect(trace).toEqual({ status: 499 })
  })

  test('void: pays nothing, and a row says so', async () => {
    await choose({ ClientLeftPolicy: 'void' })
    const before = await charges()
    await leaveInTheMiddle('emu-pace-400-10')
    expect(await chargeAfter(before)).toMatchObject({ ...ZERO, ended: 'client_gone_void' })
    await expect.poll(() => emulator.journal.calls.at(-1)?.state).toBe('abandoned')
  })
})

describe('a client that leaves before the first byte', () => {
  const leaveEarly = async (stream: boolean) => {
    const arrived = emulator.journal.received
    const leave = new AbortController()
    const call = world.chat(key, { model: 'emu-delay-5000', stream }, { signal: leave.signal }).catch(() => {})
    await expect.poll(() => emulator.journal.received).toBe(arrived + 1)
    leave.abort()
    await call
    await expect.poll(() => emulator.journal.calls.at(-1)?.state).toBe('abandoned')
  }

  test('pays nothing', async () => {
    const before = await charges()
    await leaveEarly(true)
    await world.verify()
    expect(await charges()).toBe(before)
  })

  test.each([true, false])('prompt: pays for its prompt (streamed: %s)', async (stream) => {
    await choose({ ClientLeftEarlyPolicy: 'prompt' })
    const before = await charges()
    await leaveEarly(stream)
    // "Say something." has three tokens, its message adds three, and the start of the reply three.
    const expected = {
      ended: 'client_gone_early',
      estimated: 1,
      prompt_tokens: 9,
      completion_tokens: 0,
      amount: 9_000n,
    }
    expect(await chargeAfter(before)).toMatchObject(expected)
  })
})

describe('a database that does not commit', () => {
  afterEach(() => world.rows('drop trigger if exists disk_is_full'))

  test('holds answers back until their charges are committed', async () => {
    const before = await charges()
    await world.rows("create trigger disk_is_full before insert on transfer begin select raise(abort, 'full'); end")
    let answered = 0
    const answers = [1, 2, 3].map(async () => {
      const { status } = await world.chat(key, { model: 'emu-fast' })
      answered += 1
      return status
    })
    await expect.poll(() => world.log.filter((line) => line.includes('full')).length).toBeGreaterThan(0)
    expect(answered).toBe(0)
    await world.rows('drop trigger disk_is_full')
    expect(await Promise.all(answers)).toEqual([200, 200, 200])
    expect(await charges()).toBe(before + 3)
    await world.verify()
    expect(await lastCharge()).toMatchObject({ ended: 'complete' })
  })
})

test('a client that leaves between two channels pays nothing: the first one failed', async () => {
  await choose({ ClientLeftEarlyPolicy: 'prompt' })
  const failing = await startRawUpstream((socket) => {
    socket.end('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n')
    leave.abort()
  })
  opened.push(failing)
  const leave = new AbortController()
  await world.addChannel(failing.url, ['failing-first'], { priority: 9 })
  const before = await charges()
  await world.chat(key, { model: 'failing-first' }, { signal: leave.signal }).catch(() => {})
  await expect.poll(() => failing.requests.length).toBeGreaterThan(0)
  await world.verify()
  expect(await charges()).toBe(before)
})

describe('a provider that breaks off a stream', () => {
  const read = async () => (await world.chat(key, { model: 'emu-cut-mid', stream: true })).text()

  test('is charged for what arrived', async () => {
    const before = await charges()
    await read()
    const charge = await chargeAfter(before)
    expect(charge).toMatchObject({ ended: 'upstream_broken', estimated: 1 })
    expect(charge?.['completion_tokens']).toBeGreaterThan(0)
  })

  test('says to try again in words by which opencode does', async () => {
    expect(await read()).toMatch(/"message":"[^"]*\btry again (?:later|in\b)/i)
  })

  test('void: costs nothing', async () => {
    await choose({ UpstreamBrokenPolicy: 'void' })
    const before = await charges()
    expect(await read()).toContain('"code":"upstream_broken"')
    expect(await chargeAfter(before)).toMatchObject({ ...ZERO, ended: 'upstream_broken_void' })
  })
})

test.each([
  ['breaks off', '', 'upstream_broken'],
  ['ends without another', 'data: [DONE]\n\n', 'complete'],
])('a usage before the text does not make the text free when the stream %s', async (_, end, ended) => {
  const usage = { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 }
  const chunk = (delta: object, more: object = {}) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`
  await answering(`early-${ended}`, chunk({ role: 'assistant' }, { usage }) + chunk({ content: 'one two three' }) + end)
  await (await world.chat(key, { model: `early-${ended}`, stream: true })).text()
  expect(await lastCharge()).toMatchObject({
    ended,
    prompt_tokens: 7,
    completion_tokens: 3,
    amount: 13_000n,
    estimated: 1,
  })
})

describe('an empty answer', () => {
  const USAGE = { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 }
  const message = { role: 'assistant', content: '' }
  beforeAll(async () => {
    await answering('empty', { choices: [{ index: 0, message, finish_reason: 'stop' }], usage: USAGE })
    const chunk = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USAGE })
    await answering('empty-stream', `data: ${chunk}\n\ndata: [DONE]\n\n`)
    await answering('empty-uncounted', { choices: [{ index: 0, message, finish_reason: 'stop' }] })
  })
  const ask = async (model: string) => (await world.chat(key, { model, stream: model === 'empty-stream' })).text()

  test.each(['empty', 'empty-stream'])('%s: costs what the provider counted', async (model) => {
    await ask(model)
    expect(await lastCharge()).toMatchObject({ ended: 'empty', prompt_tokens: 7, completion_tokens: 0, amount: 7_000n })
  })

  test('costs nothing when nothing was counted', async () => {
    await ask('empty-uncounted')
    expect(await lastCharge()).toMatchObject({ ended: 'empty', prompt_tokens: 0, amount: 0n })
  })

  test.each(['empty', 'empty-stream'])('void, %s: costs nothing', async (model) => {
    await choose({ EmptyAnswerPolicy: 'void' })
    await ask(model)
    expect(await lastCharge()).toMatchObject({ ...ZERO, ended: 'empty_void' })
  })
})

describe('an error under a good status', () => {
  const error = { message: 'The model is overloaded.', type: 'server_error', code: 503 }
  beforeAll(() => answering('failing', { error, usage: { prompt_tokens: 5, completion_tokens: 2 } }))

  test.each(['void', 'reported'] as const)('%s: is reported as the error it is', async (policy) => {
    await choose({ ErrorInAnswerPolicy: policy })
    const before = await charges()
    const reply = await world.chat(key, { model: 'failing' })
    expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining('The model is overloaded.')])
    if (policy === 'void') return expect(await charges()).toBe(before)
    const counted = { ended: 'error_in_answer', prompt_tokens: 5, completion_tokens: 2, amount: 9_000n, estimated: 0 }
    expect(await chargeAfter(before)).toMatchObject(counted)
  })
})
