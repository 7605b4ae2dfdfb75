// @module-tag slow
import { updateToken } from '@sluice/contract/routes/tokens'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { openRealtimeClient, type RealtimeClient, type RealtimeEvent } from '@sluice/testkit/realtime-client'
import { RESPONSE_TEXT, type ResponsesUpstream, startResponsesUpstream } from '@sluice/testkit/responses-upstream'
import { startSteppedUpstream, type SteppedUpstream } from '@sluice/testkit/stepped-upstream'
import OpenAI from 'openai'
import type { ResponseInput, ResponsesServerEvent } from 'openai/resources/responses/responses'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let emulator: Emulator
let upstream: ResponsesUpstream
let stepped: SteppedUpstream
let world: GatewayWorld
let key = ''

const ANTHROPIC = 14

beforeAll(async () => {
  emulator = await startEmulator()
  upstream = await startResponsesUpstream()
  stepped = await startSteppedUpstream()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-tools', 'emu-fast', 'emu-thinking'], { type: ANTHROPIC })
  await world.addChannel(emulator.url, ['emu-cut-mid'])
  await world.addChannel(upstream.url, ['gpt'], { config: '{"api_format":"response"}' })
  await world.addChannel(stepped.url, ['held'])
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
  await upstream.close()
  await stepped.close()
})

/** The official client, awaiting all events up to the end of a response. */
function openOfficial() {
  const openai = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1` })
  const socket = new ResponsesWS(openai)
  const respond = (request: object) =>
    new Promise<readonly ResponsesServerEvent[]>((resolve, reject) => {
      const events: ResponsesServerEvent[] = []
      const hear = (event: ResponsesServerEvent) => {
        events.push(event)
        if (event.type !== 'response.completed') return
        socket.off('event', hear)
        resolve(events)
      }
      socket.on('event', hear)
      socket.once('error', reject)
      socket.send({ type: 'response.create', ...request })
    })
  return { socket, respond }
}

const responseOf = (events: readonly ResponsesServerEvent[]) => {
  const last = events.at(-1)
  if (last?.type !== 'response.completed') throw new Error('no response')
  return last.response
}

const open = (withKey = key, headers: Readonly<Record<string, string>> = {}): Promise<RealtimeClient> =>
  openRealtimeClient(`${world.url}/v1/responses`, [], { headers: { authorization: `Bearer ${withKey}`, ...headers } })
const ask = (model: string, more: object = {}) => ({ type: 'response.create', model, input: 'Hi', ...more })
const done = (client: RealtimeClient) => client.take('response.completed')
const idOf = (event: RealtimeEvent) => (event['response'] as { readonly id: string }).id
const rows = () => world.rows('select * from log where type = 2 order by id')
const sentToEmulator = () => JSON.parse(emulator.journal.calls.at(-1)?.body ?? '{}') as Record<string, unknown[]>

const TOOL = { type: 'function', name: 'forecast', parameters: { type: 'object', properties: {} }, strict: false }

describe('the official client', () => {
  test('goes through a tool loop at a provider of another dialect, sending only what is new', async () => {
    const before = (await rows()).length
    const { socket, respond } = openOfficial()
    const asked = { model: 'emu-tools', store: false, tools: [TOOL] }
    const first = responseOf(await respond({ ...asked, input: 'Weather?' }))
    const call = first.output.find(({ type }) => type === 'function_call')
    if (call?.type !== 'function_call') throw new Error('no call')
    const result: ResponseInput = [{ type: 'function_call_output', call_id: call.call_id, output: 'sunny' }]
    const second = await respond({ ...asked, model: 'emu-fast', previous_response_id: first.id, input: result })
    const third = await respond({
      ...asked,
      model: 'emu-fast',
      previous_response_id: responseOf(second).id,
      input: 'And tomorrow?',
    })
    socket.close()
    expect(sentToEmulator()['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', name: 'forecast' }] },
      { role: 'user', content: [{ type: 'tool_result', content: [{ text: 'sunny' }] }] },
      { role: 'assistant' },
      { role: 'user' },
    ])
    expect(responseOf(third).status).toBe('completed')
    const charged = (await rows()).slice(before)
    expect(charged).toHaveLength(3)
    expect(new Set(charged.map((row) => row['request_id'])).size).toBe(3)
    const connections = charged.map((row) => /websocket (\w{32})$/.exec(String(row['content']))?.[1])
    expect(new Set(connections).size).toBe(1)
    expect(connections[0]).toBeDefined()
    const [trace] = await world.rows(`select * from trace where request_id = '${String(charged[0]?.['request_id'])}'`)
    expect(trace).toMatchObject({ url: '/v1/responses', method: 'GET', status: 200 })
  })

  test('gets the same events as with a POST, each charged before its end is seen', async () => {
    const openai = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1`, maxRetries: 0 })
    const posted: string[] = []
    for await (const event of await openai.responses.create({ model: 'gpt', input: 'Hi', stream: true })) {
      posted.push(event.type)
    }
    const before = (await rows()).length
    const { socket, respond } = openOfficial()
    const events = await respond({ model: 'gpt', input: 'Hi' })
    expect(await rows()).toHaveLength(before + 1)
    socket.close()
    expect(events.map(({ type }) => type)).toEqual(posted)
    expect(responseOf(events)).toMatchObject({
      output: [{}, { content: [{ text: RESPONSE_TEXT }] }],
      vendor_field: { kept: true },
    })
  })
})

describe('a provider of the same dialect', () => {
  test('continues what it stores by its id, as with a POST', async () => {
    const client = await open()
    client.send(ask('gpt'))
    const id = idOf(await done(client))
    client.send(ask('gpt', { previous_response_id: id, client_metadata: { turn: '1' } }))
    await done(client)
    const { json } = upstream.calls.at(-1) ?? {}
    expect(json).toEqual({ model: 'gpt', input: 'Hi', previous_response_id: id, stream: true })
    await client.close()
  })

  test('is sent the conversation where it stores nothing', async () => {
    const client = await open()
    client.send(ask('gpt', { store: false, stream_id: 'a', stream: false }))
    const id = idOf(await done(client))
    const next = { role: 'user', content: 'More' }
    client.send({ ...ask('gpt', { store: false, previous_response_id: id }), input: [next] })
    await done(client)
    const { json } = upstream.calls.at(-1) ?? {}
    expect(json).toMatchObject({ store: false, stream: true })
    expect(json).not.toHaveProperty('previous_response_id')
    expect(json?.['input']).toMatchObject([
      { type: 'message', role: 'user', content: 'Hi' },
      { type: 'reasoning', encrypted_content: 'sealed' },
      { type: 'message', role: 'assistant' },
      next,
    ])
    await client.close()
  })

  test('goes on from what it stores through requests that it does not store', async () => {
    const client = await open()
    client.send(ask('gpt'))
    const stored = idOf(await done(client))
    client.send(ask('gpt', { store: false, previous_response_id: stored, input: 'Two' }))
    const loose = idOf(await done(client))
    client.send(ask('gpt', { store: false, previous_response_id: loose, input: 'Three' }))
    await done(client)
    const { json } = upstream.calls.at(-1) ?? {}
    expect(json?.['previous_response_id']).toBe(stored)
    expect(json?.['input']).toMatchObject([{ content: 'Two' }, { type: 'reasoning' }, {}, { content: 'Three' }])
    await client.close()
  })
})

describe('a warm-up', () => {
  test('is remembered and costs nothing, and the next request goes on from it', async () => {
    const before = (await rows()).length
    const calls = emulator.journal.calls.length
    const client = await open()
    client.send({ ...ask('emu-fast', { generate: false, store: false }), input: [{ role: 'user', content: 'Early' }] })
    const warm = await done(client)
    expect(warm['response']).toMatchObject({ output: [], usage: { total_tokens: 0 } })
    expect([await rows(), emulator.journal.calls.length]).toMatchObject([{ length: before }, calls])
    client.send(ask('emu-fast', { store: false, previous_response_id: idOf(warm), input: 'Late' }))
    await done(client)
    expect(JSON.stringify(sentToEmulator()['messages'])).toMatch(/Early.*Late/)
    await client.close()
  })

  test('of a model that the key may not use, or that there is not, is refused', async () => {
    const client = await open(await world.addToken(world.root, { models: 'emu-fast' }))
    client.send(ask('gpt', { generate: false }))
    expect(await client.take('error')).toMatchObject({ status: 403, error: { code: 'model_not_allowed' } })
    await client.close()
    const other = await open()
    other.send(ask('nothing', { generate: false }))
    expect(await other.take('error')).toMatchObject({ status: 404, error: { code: 'model_not_found' } })
    await other.close()
  })
})

describe('streams of one connection', () => {
  test('run side by side, and their events name them', async () => {
    const client = await open()
    client.send(ask('held', { stream_id: 'a' }))
    client.send(ask('held', { stream_id: 'b "quoted"' }))
    await expect.poll(() => stepped.open).toBe(2)
    await stepped.finish()
    await stepped.finish()
    const ends = [await done(client), await done(client)].map((event) => event['stream_id'])
    expect(new Set(ends)).toEqual(new Set(['a', 'b "quoted"']))
    await client.close()
  })

  test('hold one response each; the second is refused, and the first goes on', async () => {
    const client = await open()
    client.send(ask('held'))
    client.send(ask('held'))
    expect(await client.take('error')).toMatchObject({ status: 409, error: { code: 'response_in_progress' } })
    client.send(ask('held', { stream_id: 'a' }))
    client.send(ask('held', { stream_id: 'a' }))
    expect(await client.take('error')).toMatchObject({ status: 409, stream_id: 'a' })
    await stepped.finish()
    await stepped.finish()
    await done(client)
    await done(client)
    await client.close()
  })
})

describe('mistakes of a client', () => {
  test.each([
    ['not json', 'invalid_body', 'body'],
    ['{"type":', 'invalid_json', null],
    ['[]', 'invalid_body', 'body'],
    ['{"type":"response.create","type":"response.create"}', 'duplicate_key', 'type'],
    [{ type: 'response.steer', input: 'x', previous_response_id: 'resp_1' }, 'invalid_body', 'type'],
    [{ type: 'session.update' }, 'invalid_body', 'type'],
    [ask('gpt', { background: true }), 'invalid_body', 'background'],
    [ask('gpt', { generate: 'no' }), 'invalid_body', 'generate'],
    [ask('gpt', { stream_id: '' }), 'invalid_body', 'stream_id'],
    [ask('gpt', { previous_response_id: 7 }), 'invalid_body', 'previous_response_id'],
    [ask('gpt', { input: 7 }), 'invalid_body', 'input'],
    [{ type: 'response.create', input: 'x' }, 'invalid_body', 'model'],
    [new Uint8Array([1, 2, 3]), 'invalid_body', 'body'],
    [ask('nothing'), 'model_not_found', 'model'],
  ])('%j is answered with an error, and the connection stays', async (frame, code, param) => {
    const client = await open()
    client.send(frame)
    const status = code === 'model_not_found' ? 404 : 400
    expect(await client.take('error')).toMatchObject({ status, error: { code, param, message: expect.any(String) } })
    client.send(ask('gpt'))
    await done(client)
    await client.close()
  })

  test('a report of what was processed needs no answer', async () => {
    const client = await open()
    client.send({ type: 'response.processed', response_id: 'resp_1' })
    client.send(ask('gpt'))
    await done(client)
    expect(client.events).toEqual([])
    await client.close()
  })
})

test('a provider that breaks off ends the response with an error that has a status', async () => {
  const client = await open()
  client.send(ask('emu-cut-mid'))
  expect(await client.take('error')).toMatchObject({ status: 502, error: { code: 'upstream_broken' } })
  client.send(ask('emu-fast'))
  await done(client)
  await client.close()
})

test('the version of the protocol is repeated, and nothing else of that header', async () => {
  const beta = 'assistants=v2, responses_websockets=2026-02-06'
  const client = await open(key, { 'openai-beta': beta })
  expect(client.headers['openai-beta']).toBe('responses_websockets=2026-02-06')
  expect(client.headers['x-request-id']).toMatch(/^\w{32}$/)
  await client.close()
  const plain = await open()
  expect(plain.headers).not.toHaveProperty('openai-beta')
  await plain.close()
})

describe('a response that is known elsewhere', () => {
  test('only this connection knows what nobody stores: another is told to send the whole', async () => {
    const client = await open()
    client.send(ask('emu-fast', { store: false }))
    const id = idOf(await done(client))
    const other = await open()
    other.send(ask('emu-fast', { store: false, previous_response_id: id }))
    expect(await other.take('error')).toMatchObject({
      status: 400,
      error: { code: 'previous_response_not_found', param: 'previous_response_id' },
    })
    await other.close()
    await client.close()
  })

  test('after a turn that went on from it has failed, nobody can go on from it', async () => {
    const client = await open()
    client.send(ask('emu-fast', { store: false }))
    const first = idOf(await done(client))
    client.send(ask('emu-fast', { store: false, previous_response_id: first }))
    const second = idOf(await done(client))
    client.send(ask('emu-cut-mid', { store: false, previous_response_id: second }))
    await client.take('error')
    client.send(ask('emu-fast', { store: false, previous_response_id: second }))
    expect(await client.take('error')).toMatchObject({ error: { code: 'previous_response_not_found' } })
    // The earlier successful response is still remembered.
    client.send(ask('emu-fast', { store: false, previous_response_id: first }))
    await done(client)
    await client.close()
  })

  test('on another replica it is told the same', async () => {
    const client = await open()
    client.send(ask('emu-fast'))
    const id = idOf(await done(client))
    const replica = await openGatewayWorld()
    await replica.addChannel(emulator.url, ['emu-fast'], { type: ANTHROPIC })
    const headers = { authorization: `Bearer ${await replica.addToken(replica.root)}` }
    const elsewhere = await openRealtimeClient(`${replica.url}/v1/responses`, [], { headers })
    elsewhere.send(ask('emu-fast', { previous_response_id: id }))
    expect(await elsewhere.take('error')).toMatchObject({ error: { code: 'previous_response_not_found' } })
    const history = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Yes' },
      { role: 'user', content: 'Go' },
    ]
    elsewhere.send({ ...ask('emu-fast'), input: history })
    await done(elsewhere)
    await elsewhere.close()
    await client.close()
    await replica.verify()
    await replica.close()
  })
})

describe('between two responses of one connection', () => {
  test('a key that is switched off gets no further response', async () => {
    const user = await world.addUser('former', 100_000)
    const token = await world.addToken(user)
    const client = await open(token)
    client.send(ask('emu-fast'))
    await done(client)
    const [row] = await world.rows('select max(id) as id from token')
    await user.call(updateToken, { body: { id: Number(row?.['id']), status: 2 }, query: { status_only: 'true' } })
    const headers = { authorization: `Bearer ${token}` }
    await expect.poll(async () => (await fetch(`${world.url}/v1/models`, { headers })).status).toBe(401)
    client.send(ask('emu-fast'))
    expect(await client.take('error')).toMatchObject({ status: 401, error: { code: 'token_disabled' } })
    await client.close()
  })

  test('quota that is used up covers no further response', async () => {
    const user = await world.addUser('thrifty', 40)
    const client = await open(await world.addToken(user))
    const asked = ask('held', { max_output_tokens: 10 })
    client.send(asked)
    await stepped.finish()
    await done(client)
    client.send(asked)
    expect(await client.take('error')).toMatchObject({ error: { code: 'insufficient_user_quota' } })
    expect((await rows()).at(-1)).toMatchObject({ amount: 25_000n, username: 'thrifty' })
    await client.close()
  })
})
