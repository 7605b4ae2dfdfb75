// @module-tag slow
import { updateOption } from '@sluice/contract/routes/options'
import { createToken, updateToken } from '@sluice/contract/routes/tokens'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { openRealtimeClient, type RealtimeClient } from '@sluice/testkit/realtime-client'
import { type RealtimeProvider, startRealtimeProvider } from '@sluice/testkit/realtime-provider'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let provider: RealtimeProvider
let world: GatewayWorld
let key = ''

/** 50 input tokens at 1 quota, 45 output tokens at 2. */
const RESPONSE_COST = 140_000n
/** 7 input tokens at 1 quota, 3 output tokens at 2. */
const TRANSCRIPT_COST = 13_000n
const PRICE = { ratio: 1, completion_ratio: 2 }

beforeAll(async () => {
  provider = await startRealtimeProvider()
  world = await openGatewayWorld()
  await world.addChannel(provider.url, ['talk', 'alias', 'write-down', 'unpriced'], {
    model_mapping: JSON.stringify({ alias: 'real-talk', 'write-down': 'real-writer' }),
    model_configs: JSON.stringify({ talk: PRICE, 'real-talk': PRICE, 'real-writer': PRICE }),
  })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await provider.close()
})

const open = (model = 'talk', withKey = key): Promise<RealtimeClient> =>
  openRealtimeClient(`${world.url}/v1/realtime?model=${model}`, [], { headers: { authorization: `Bearer ${withKey}` } })

const ask = (behave = '') => ({ type: 'response.create', response: { metadata: { behave } } })
const rows = () => world.rows('select * from log where type = 2 order by id')
const lastRow = async () => (await rows()).at(-1)
const setEarlyPolicy = (value: string) =>
  world.root.call(updateOption, { body: { key: 'ClientLeftEarlyPolicy', value } })
/** The frames that arrive during `work`. */
async function framesAfter(work: () => Promise<void>): Promise<readonly string[]> {
  const before = provider.frames.length
  await work()
  return provider.frames.slice(before)
}

describe('a session', () => {
  test('reaches the provider with the key of the channel, and passes frames unchanged', async () => {
    const client = await open()
    expect(await client.take('session.created')).toMatchObject({ session: { type: 'realtime' } })
    const handshake = provider.handshakes.at(-1)
    expect(handshake?.url).toBe('/v1/realtime?model=talk')
    expect(handshake?.headers.authorization).toBe('Bearer upstream-key')
    const odd = '{"type" : "conversation.item.create","vendor":{"kept":true},"text":"\\u00e9"}'
    const frames = await framesAfter(async () => {
      client.send(odd)
      client.send(ask())
      await client.take('response.done')
    })
    expect(frames[0]).toBe(odd)
    await client.close()
    await expect.poll(() => provider.open).toBe(0)
  })

  test('charges each response by its usage, under an id of its own, before its end is seen', async () => {
    const client = await open()
    const before = (await rows()).length
    for (const count of [1, 2]) {
      client.send(ask())
      await client.take('response.done')
      expect(await rows()).toHaveLength(before + count)
    }
    const [first, second] = (await rows()).slice(before)
    expect(first).toMatchObject({
      amount: RESPONSE_COST,
      prompt_tokens: 50,
      completion_tokens: 45,
      model_name: 'talk',
      is_stream: 1,
      estimated: 0,
      ended: 'complete',
      request_id: client.headers['x-request-id'],
    })
    expect(second?.['request_id']).not.toBe(first?.['request_id'])
    expect(String(second?.['content'])).toContain(`session ${String(first?.['request_id'])}`)
    const [trace] = await world.rows(`select * from trace where request_id = '${String(first?.['request_id'])}'`)
    expect(trace).toMatchObject({ url: '/v1/realtime', method: 'GET', status: 200 })
    expect(JSON.parse(String(trace?.['upstream_usage']))).toMatchObject({ total_tokens: 95 })
    await client.close()
  })

  test('is opened by Azure’s clients with a deployment and their header', async () => {
    const address = `${world.url}/openai/realtime?api-version=2025-04-01-preview&deployment=talk`
    const client = await openRealtimeClient(address, [], { headers: { 'api-key': key } })
    await client.take('session.created')
    expect(provider.handshakes.at(-1)?.url).toBe('/v1/realtime?model=talk')
    await client.close()
  })

  test('is charged by the price list for sound and for text, read and made', async () => {
    await world.addChannel(provider.url, ['gpt-realtime'], { type: 1, model_configs: '' })
    const client = await open('gpt-realtime')
    client.send(ask())
    await client.take('response.done')
    await client.close()
    const row = await lastRow()
    const [transfer] = await world.rows(`select * from transfer where request_id = '${String(row?.['request_id'])}'`)
    expect(JSON.parse(String(transfer?.['units']))).toEqual({ audio_input: '30', audio_output: '40' })
    // 20 × 4 + 30 × 32 + 5 × 16 + 40 × 64 dollars per million tokens, at half a million quota per dollar.
    expect(row).toMatchObject({ amount: 1_840_000n, model_name: 'gpt-realtime', estimated: 0 })
  })

  test('ends without a charge when nothing was answered', async () => {
    const before = (await rows()).length
    const client = await open()
    client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
    client.send(ask('fail'))
    await client.take('response.done')
    await client.close()
    await world.verify()
    expect(await rows()).toHaveLength(before)
  })

  test('a mapped model has its upstream name at the provider, also in the setup of the session', async () => {
    const client = await open('alias')
    expect(provider.handshakes.at(-1)?.url).toBe('/v1/realtime?model=real-talk')
    client.send({ type: 'session.update', session: { type: 'realtime', model: 'alias', instructions: 'Be brief.' } })
    expect(await client.take('session.updated')).toMatchObject({
      session: { model: 'real-talk', instructions: 'Be brief.' },
    })
    client.send(ask())
    await client.take('response.done')
    expect(await lastRow()).toMatchObject({ model_name: 'real-talk', origin_model_name: 'alias' })
    await client.close()
  })

  test('what the user said is transcribed by a model with a price of its own', async () => {
    const client = await open()
    const session = { audio: { input: { transcription: { model: 'write-down', language: 'en' } } } }
    client.send({ type: 'session.update', session })
    expect(await client.take('session.updated')).toEqual({
      type: 'session.updated',
      session: { audio: { input: { transcription: { model: 'real-writer', language: 'en' } } } },
    })
    client.send({ type: 'input_audio_buffer.commit' })
    await client.take('conversation.item.input_audio_transcription.completed')
    expect(await lastRow()).toMatchObject({ amount: TRANSCRIPT_COST, model_name: 'real-writer', estimated: 0 })
    client.send({ type: 'input_audio_buffer.commit', uncounted: true })
    await client.take('conversation.item.input_audio_transcription.completed')
    // "Open the gate." takes 1.12 s to say, at ten tokens a second, and has five text tokens.
    expect(await lastRow()).toMatchObject({ amount: 22_000n, model_name: 'real-writer', estimated: 1 })
    await client.close()
  })
})

describe('a session that breaks off', () => {
  test('when the client leaves during a response, the provider stops it and counts it', { tags: 'S41' }, async () => {
    const client = await open()
    client.send(ask('count'))
    await client.take('response.output_audio_transcript.delta')
    const frames = await framesAfter(async () => {
      client.cut()
      await expect.poll(() => provider.open).toBe(0)
    })
    expect(frames).toEqual(['{"type":"response.cancel"}'])
    const id = String(client.headers['x-request-id'])
    const [row] = await world.rows(`select * from log where request_id = '${id}'`)
    expect(row).toMatchObject({ estimated: 0, amount: RESPONSE_COST })
  })

  test('when the client leaves during a response that the provider does not count, what was made is charged by its bytes', async () => {
    const client = await open()
    client.send(ask('hang'))
    await client.take('response.output_audio_transcript.delta')
    client.cut()
    const id = String(client.headers['x-request-id'])
    await expect
      .poll(async () => (await world.rows(`select * from log where request_id = '${id}'`))[0])
      .toMatchObject({ ended: 'client_gone', estimated: 1 })
    await expect.poll(() => provider.open).toBe(0)
  })

  test('when the provider breaks off, the client is notified, and the part is charged', async () => {
    const client = await open()
    client.send(ask('cut'))
    expect(await client.take('error')).toMatchObject({ error: { code: 'upstream_broken', type: 'upstream_error' } })
    expect(await client.ended).toEqual({ code: 1011, reason: 'upstream_broken' })
    expect(await lastRow()).toMatchObject({ ended: 'upstream_broken', estimated: 1 })
  })

  test('responses that the provider ended before it left are charged by its count', async () => {
    const before = (await rows()).length
    const client = await open()
    client.send(ask('last'))
    expect((await client.ended).code).toBe(1000)
    const charged = (await rows()).slice(before)
    expect(charged.map(({ amount, ended }) => [amount, ended])).toEqual([
      [RESPONSE_COST, 'complete'],
      [RESPONSE_COST, 'complete'],
    ])
  })

  describe('while several responses run at once', () => {
    const SOUND = Buffer.alloc(4_800).toString('base64')
    const USAGE = { total_tokens: 95, input_tokens: 50, output_tokens: 45 }
    const say = (event: object) => provider.say(JSON.stringify(event))
    const part = (id: string) => say({ type: 'response.output_audio.delta', response_id: id, delta: SOUND })
    const done = (id: string, usage: object | null) =>
      say({ type: 'response.done', response: { id, status: 'completed', usage } })
    const openTwo = async (withKey = key) => {
      const client = await open('talk', withKey)
      await client.take('session.created')
      client.send(ask('think'))
      await client.take('response.created')
      client.send(ask('think'))
      await client.take('response.created')
      return client
    }

    test('what was made of one is charged, although another ended before it broke off', async () => {
      const before = (await rows()).length
      const client = await openTwo()
      for (let i = 0; i < 5; i++) part('slow')
      done('quick', USAGE)
      await client.take('response.done')
      client.cut()
      await expect.poll(() => provider.open).toBe(0)
      await expect.poll(async () => (await rows()).length).toBe(before + 2)
      expect(await lastRow()).toMatchObject({ ended: 'client_gone', estimated: 1, completion_tokens: 10 })
    })

    test('what was made of one is not charged with another that was not counted', async () => {
      const before = (await rows()).length
      const client = await openTwo()
      for (let i = 0; i < 5; i++) part('slow')
      part('quick')
      done('quick', null)
      await client.take('response.done')
      done('slow', USAGE)
      await client.take('response.done')
      await client.close()
      const charged = (await rows()).slice(before).map(({ completion_tokens: made }) => made)
      expect(charged).toEqual([2, 45])
    })

    test('what was made of one is charged when the session may not continue', async () => {
      const user = await world.addUser('talker', 1_000_000)
      const created = await user.call(createToken, { body: { name: 'talk', unlimited_quota: true } })
      const before = (await rows()).length
      const client = await openTwo(created.key)
      for (let i = 0; i < 5; i++) part('slow')
      for (let i = 0; i < 5; i++) await client.take('response.output_audio.delta')
      await user.call(updateToken, { body: { id: created.id, status: 2 }, query: { status_only: 'true' } })
      done('quick', USAGE)
      expect(await client.take('error')).toMatchObject({ error: { code: 'token_disabled' } })
      await client.ended
      const charged = (await rows()).slice(before).map(({ ended, completion_tokens: made }) => [ended, made])
      expect(charged).toEqual([
        ['complete', 45],
        ['gateway_stopped', 10],
      ])
    })
  })

  test('a client that leaves before anything arrived pays for what was read, where the setting says so', async () => {
    const session = async () => {
      const client = await open()
      client.send({ type: 'conversation.item.create', item: { content: 'word '.repeat(100) } })
      client.send(ask('think'))
      await client.take('response.created')
      client.cut()
      await expect.poll(() => provider.open).toBe(0)
      await world.verify()
      return (await world.rows(`select * from log where request_id = '${String(client.headers['x-request-id'])}'`))[0]
    }
    await setEarlyPolicy('void')
    expect(await session()).toBeUndefined()
    await setEarlyPolicy('prompt')
    expect(await session()).toMatchObject({ ended: 'client_gone_early', estimated: 1, completion_tokens: 0 })
    await setEarlyPolicy('void')
  })

  test('a response without usage is counted here', async () => {
    const client = await open()
    client.send(ask('uncounted'))
    await client.take('response.done')
    // Half a second of audio is ten tokens.
    expect(await lastRow()).toMatchObject({ estimated: 1, ended: 'complete', completion_tokens: 10 })
    await client.close()
  })

  test.each([
    ['between two responses at once', '30', ''],
    ['in a response when the time to finish is over', '0.3', 'hang'],
  ])('a stopping gateway ends it %s, with a message', async (_, drainSeconds, behave) => {
    const other = await openGatewayWorld({ SLUICE_DRAIN_TIMEOUT: drainSeconds })
    await other.addChannel(provider.url, ['talk'])
    const token = await other.addToken(other.root)
    const client = await openRealtimeClient(`${other.url}/v1/realtime?model=talk`, [], {
      headers: { authorization: `Bearer ${token}` },
    })
    client.send(ask(behave))
    await client.take(behave === '' ? 'response.done' : 'response.output_audio_transcript.delta')
    const stopped = other.stop()
    expect(await client.take('error')).toMatchObject({ error: { code: 'shutting_down' } })
    expect((await client.ended).code).toBe(1001)
    await stopped
    const [row] = await other.rows('select ended, estimated from log where type = 2 order by id desc limit 1')
    const ended = behave === '' ? { ended: 'complete', estimated: 0 } : { ended: 'gateway_stopped', estimated: 1 }
    expect(row).toMatchObject(ended)
    await other.verify()
    await other.close()
  })
})

describe('mistakes of a client', () => {
  test.each([
    ['not json', 'event'],
    ['[]', 'event'],
    ['{"type":"a","type":"session.update"}', 'event'],
    ['{"kind":"none"}', 'event'],
  ])('%s is answered with an error event, and goes nowhere', async (frame, param) => {
    const client = await open()
    const frames = await framesAfter(async () => {
      client.send(frame)
      expect(await client.take('error')).toMatchObject({ error: { type: 'invalid_request_error', param } })
      client.send(ask())
      await client.take('response.done')
    })
    expect(frames).toHaveLength(1)
    await client.close()
  })

  test('an error names the event that caused it', async () => {
    const client = await open()
    client.send({ type: 'session.update', event_id: 'mine-1', session: { model: 'other' } })
    expect(await client.take('error')).toMatchObject({ error: { event_id: 'mine-1', param: 'session.model' } })
    await client.close()
  })

  test('a binary frame ends the session', async () => {
    const client = await open()
    client.send(new Uint8Array([1, 2, 3]))
    expect((await client.ended).code).toBe(1003)
  })
})

test('a provider that refuses is left for the next channel; the last refusal is reported as with any call', async () => {
  await world.addChannel(provider.url, ['twice'], { key: 'refused-key', priority: 9 })
  await world.addChannel(provider.url, ['twice'], { priority: 1 })
  const client = await open('twice')
  await client.take('session.created')
  await client.close()
  await world.addChannel('http://127.0.0.1:1', ['nowhere'])
  await expect(open('nowhere')).rejects.toMatchObject({ status: 502 })
})
