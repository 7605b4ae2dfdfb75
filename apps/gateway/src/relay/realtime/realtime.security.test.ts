// @module-tag slow
import { updateToken } from '@sluice/contract/routes/tokens'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { openRealtimeClient, type RealtimeClient } from '@sluice/testkit/realtime-client'
import { type RealtimeProvider, startRealtimeProvider } from '@sluice/testkit/realtime-provider'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let provider: RealtimeProvider
let world: GatewayWorld

/** The hold of a first response: 1,200 input tokens at 1 quota and 4,096 output tokens at 2. */
const FIRST_HOLD = 1_200 + 2 * 4_096
const PRICE = { ratio: 1, completion_ratio: 2 }

beforeAll(async () => {
  provider = await startRealtimeProvider()
  world = await openGatewayWorld({ SLUICE_CLIENT_STALL_TIMEOUT: '0.5', SLUICE_RELAY_RATE_LIMIT: '40' })
  await world.addChannel(provider.url, ['talk', 'writer', 'secret-writer', 'dear-writer', 'unpriced'], {
    model_configs: JSON.stringify({
      talk: PRICE,
      writer: PRICE,
      'secret-writer': PRICE,
      'dear-writer': { ratio: 10, completion_ratio: 2 },
      elsewhere: PRICE,
    }),
  })
})
afterEach(async () => {
  await expect.poll(() => provider.open).toBe(0)
  await world.verify()
})
afterAll(async () => {
  await world.close()
  await provider.close()
})

const connect = (key: string, query = 'model=talk') =>
  openRealtimeClient(`${world.url}/v1/realtime?${query}`, [], {
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
  })
const ASK = { type: 'response.create', response: {} }

async function refusal(opening: Promise<RealtimeClient>): Promise<string> {
  try {
    await (await opening).close()
  } catch (error) {
    const { status, body } = error as { status: number; body: string }
    const refused = JSON.parse(body) as { error?: { code: string }; code?: string }
    return `${status} ${refused.error?.code ?? refused.code}`
  }
  throw new Error('the session was let in')
}

describe('who is admitted', { tags: 'S25' }, () => {
  test('no caller whose key may not call the model, and the provider is not called', async () => {
    const poor = await world.addUser('poor', FIRST_HOLD - 1)
    const before = provider.handshakes.length
    const limited = { unlimited_quota: false, remain_quota: 0 }
    for (const [key, expected] of [
      ['', '401 missing_key'],
      ['sk-nobody', '401 invalid_key'],
      [await world.addToken(world.root, { expired_time: 1 }), '401 token_expired'],
      [await world.addToken(world.root, limited), '401 token_exhausted'],
      [await world.addToken(world.root, { subnet: '203.0.113.0/24' }), '403 subnet_not_allowed'],
      [await world.addToken(world.root, { models: 'writer' }), '403 model_not_allowed'],
      [await world.addToken(world.root, { budgets: [{ period: 'day', quota: 1 }] }), '403 token_budget_exhausted'],
      [await world.addToken(poor), '403 insufficient_user_quota'],
    ] as const) {
      expect(await refusal(connect(key))).toBe(expected)
    }
    expect(provider.handshakes).toHaveLength(before)
  })

  test('no caller that requests what does not exist, or a session of another user', async () => {
    const key = await world.addToken(world.root)
    for (const [query, expected] of [
      ['', '400 invalid_body'],
      ['model=', '400 invalid_body'],
      ['model=nothing', '404 model_not_found'],
      ['model=unpriced', '503 model_price_missing'],
      ['model=talk&model=writer', '400 duplicate_key'],
      ['model=talk&call_id=rtc_1', '400 invalid_body'],
      ['intent=transcription', '400 invalid_body'],
    ]) {
      expect([query, await refusal(connect(key, query))]).toEqual([query, expected])
    }
  })

  test('of many sessions at once on quota for one, only one', async () => {
    const user = await world.addUser('crowd', FIRST_HOLD + 100)
    const key = await world.addToken(user)
    const opened = await Promise.allSettled(Array.from({ length: 12 }, () => connect(key)))
    const inside = opened.filter((each) => each.status === 'fulfilled')
    expect(inside).toHaveLength(1)
    for (const { value } of inside) await value.close()
  })

  test('the path without an upgrade, and an upgrade of another path, get an error that says what is wrong', async () => {
    const key = await world.addToken(world.root)
    const plain = await fetch(`${world.url}/v1/realtime?model=talk`, { headers: { authorization: `Bearer ${key}` } })
    expect([plain.status, await plain.json()]).toMatchObject([426, { error: { code: 'upgrade_required' } }])
    for (const path of ['/v1/models', '/v1/oneapi/proxy/1/x', '/api/status', '/']) {
      expect([path, await refusal(openRealtimeClient(world.url + path, [], {}))]).toEqual([path, '400 upgrade_refused'])
    }
    const headers = { authorization: `Bearer ${key}` }
    const minted = await fetch(`${world.url}/v1/realtime/client_secrets`, { method: 'POST', headers })
    expect(minted.status).toBe(501)
  })
})

describe('a key among the protocols, as browsers send it', () => {
  test('is read, and is neither agreed on, nor forwarded, nor logged', async () => {
    const key = await world.addToken(world.root)
    const protocols = ['realtime', `openai-insecure-api-key.${key}`, 'openai-beta.realtime-v1']
    const client = await openRealtimeClient(`${world.url}/v1/realtime?model=talk`, protocols, {
      headers: { cookie: 'session=1', 'x-forwarded-for': '10.1.1.1', origin: 'https://app.example' },
    })
    await client.take('session.created')
    expect(client.protocol).toBe('realtime')
    const { headers = {} } = provider.handshakes.at(-1) ?? {}
    expect(headers).toMatchObject({ authorization: 'Bearer upstream-key', 'openai-beta': 'realtime=v1' })
    for (const name of ['cookie', 'x-forwarded-for', 'origin', 'sec-websocket-protocol']) {
      expect([name, headers[name]]).toEqual([name, undefined])
    }
    await client.close()
    const bare = key.replace(/^sk-/, '')
    expect(JSON.stringify(client.headers) + world.log.join('\n')).not.toContain(bare)
    expect(JSON.stringify(await world.rows('select url, attempts from trace'))).not.toContain(bare)
  })
})

describe('within a session', { tags: 'S25' }, () => {
  test('a response that cannot be held for ends it with an error event', async () => {
    const user = await world.addUser('thrifty', FIRST_HOLD + 200)
    const client = await connect(await world.addToken(user))
    client.send(ASK)
    await client.take('response.done')
    expect(await client.take('error')).toMatchObject({
      error: { type: 'insufficient_quota', code: 'insufficient_user_quota' },
    })
    expect(await client.ended).toEqual({ code: 1008, reason: 'insufficient_user_quota' })
  })

  test('a growing conversation must be held for before it goes on', async () => {
    const user = await world.addUser('talkative', FIRST_HOLD + 2_000)
    const client = await connect(await world.addToken(user))
    const before = provider.frames.length
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'word '.repeat(800) }] }
    for (let i = 0; i < 20; i++) client.send({ type: 'conversation.item.create', item })
    expect(await client.take('error')).toMatchObject({ error: { code: 'insufficient_user_quota' } })
    expect((await client.ended).code).toBe(1008)
    // Two thousand tokens each: the first is covered, the second is not.
    expect(provider.frames.length - before).toBe(1)
  })

  test('several responses at once must all be held for', async () => {
    const user = await world.addUser('eager', 3 * FIRST_HOLD)
    const client = await connect(await world.addToken(user))
    const before = provider.frames.length
    for (let i = 0; i < 10; i++) client.send({ type: 'response.create', response: { metadata: { behave: 'hang' } } })
    await client.take('error')
    expect((await client.ended).code).toBe(1008)
    expect(provider.frames.length - before).toBeLessThan(4)
  })

  test(
    'several responses at once must all be held for, whatever errors are provoked in between',
    { tags: 'S41' },
    async () => {
      const user = await world.addUser('eager-and-wrong', 3 * FIRST_HOLD)
      const client = await connect(await world.addToken(user))
      const before = provider.frames.length
      for (let i = 0; i < 10; i++) {
        client.send({ type: 'response.create', response: { metadata: { behave: 'think' } } })
        client.send({ type: 'no.such.event' })
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      expect((await client.ended).code).toBe(1008)
      expect(provider.frames.slice(before).filter((frame) => frame.includes('response.create')).length).toBeLessThan(4)
    },
  )

  test('a transcript costs the price of the dearest model that might have written it', { tags: 'S41' }, async () => {
    const client = await connect(await world.addToken(world.root))
    for (const model of ['dear-writer', 'writer']) {
      client.send({ type: 'session.update', session: { audio: { input: { transcription: { model } } } } })
    }
    client.send({ type: 'input_audio_buffer.commit' })
    await client.take('conversation.item.input_audio_transcription.completed')
    const [row] = await world.rows('select model_name, amount from log where type = 2 order by id desc limit 1')
    expect(row).toEqual({ model_name: 'dear-writer', amount: 130_000n })
    await client.close()
  })

  test('a key that is disabled during the session gets no further response', async () => {
    const user = await world.addUser('former', 100_000)
    const key = await world.addToken(user)
    const client = await connect(key)
    const [row] = await world.rows('select max(id) as id from token')
    await user.call(updateToken, { body: { id: Number(row?.['id']), status: 2 }, query: { status_only: 'true' } })
    await new Promise((resolve) => setTimeout(resolve, 100))
    client.send(ASK)
    await client.take('response.done')
    expect(await client.take('error')).toMatchObject({ error: { code: 'token_disabled' } })
    expect((await client.ended).code).toBe(1008)
  })

  test('responses count as requests of the token', async () => {
    const client = await connect(await world.addToken(world.root))
    let answered = 0
    for (; client.events.every(({ type }) => type !== 'error') && answered < 60; answered++) {
      client.send(ASK)
      const done = await client.take('response.done').catch(() => undefined)
      if (done === undefined) break
    }
    expect(answered).toBe(40)
    expect((await client.ended).code).toBe(1013)
  })

  test('the tokens of responses count, and sessions are held to the limit on open requests', async () => {
    const key = await world.addToken(world.root, { tpm: 100, concurrency: 1 })
    const client = await connect(key)
    expect(await refusal(connect(key))).toBe('429 rate_limited')
    for (const _ of ['95 of 100', '190 of 100']) {
      client.send(ASK)
      await client.take('response.done')
    }
    const message = expect.stringContaining('100 tokens per minute for this token')
    expect(await client.take('error')).toMatchObject({ error: { code: 'rate_limited', message } })
    expect((await client.ended).code).toBe(1013)
    await expect.poll(() => provider.open).toBe(0)
    expect(await refusal(connect(key))).toBe('429 rate_limited')
  })
})

describe('the setup of a session', () => {
  const writer = (model: unknown) => ({ audio: { input: { transcription: { model } } } })

  test.each([
    ['another model', { model: 'writer' }, 'invalid_body'],
    ['a transcription without a model', { input_audio_transcription: {} }, 'invalid_body'],
    ['a model that the key may not use', writer('secret-writer'), 'model_not_allowed'],
    [
      'a model that the channel does not offer',
      { input_audio_transcription: { model: 'elsewhere' } },
      'model_not_found',
    ],
    ['a model without a price', writer('unpriced'), 'model_price_missing'],
  ])('with %s is refused and not forwarded', async (_, session, code) => {
    const key = await world.addToken(world.root, { models: 'talk,writer,unpriced,elsewhere' })
    const client = await connect(key)
    const before = provider.frames.length
    client.send(`{"type":"session.upd\\u0061te","session":${JSON.stringify(session)}}`)
    expect(await client.take('error')).toMatchObject({ error: { code } })
    client.send(ASK)
    await client.take('response.done')
    expect(provider.frames.slice(before)).toEqual([JSON.stringify(ASK)])
    await client.close()
  })

  test('says the same to every reader, even where the client said two things', async () => {
    const client = await connect(await world.addToken(world.root))
    const before = provider.frames.length
    client.send('{"type":"session.update","session":{"model":"writer","model":"talk","a":1}}')
    await client.take('session.updated')
    expect(provider.frames.slice(before)).toEqual(['{"type":"session.update","session":{"model":"talk","a":1}}'])
    await client.close()
  })
})

describe('limits', { tags: 'S27' }, () => {
  test('a frame that is too large ends the session', async () => {
    const client = await connect(await world.addToken(world.root))
    client.send(`{"type":"input_audio_buffer.append","audio":"${'A'.repeat(8_388_608)}"}`)
    expect((await client.ended).code).toBe(1009)
  })

  test('a client that reads nothing holds the provider back, and is cut off in the end', async () => {
    const client = await connect(await world.addToken(world.root))
    await client.take('session.created')
    client.pause()
    const frame = JSON.stringify({ type: 'vendor.event', text: 'x'.repeat(1_000_000) })
    for (let i = 0; i < 60; i++) provider.say(frame)
    await expect.poll(() => provider.open, { timeout: 10_000 }).toBe(0)
    client.cut()
  })
})

test.each([
  ['session.prompt.id', { type: 'session.update', session: { type: 'realtime', prompt: { id: 'pmpt_x' } } }],
  ['response.prompt.id', { type: 'response.create', response: { prompt: { id: 'pmpt_x' } } }],
  [
    'item.content[0].image_url',
    { type: 'conversation.item.create', item: { content: [{ type: 'input_image', image_url: 'gs://bucket/a' }] } },
  ],
])('%s of a session may not name anything in the provider’s account', { tags: 'S50' }, async (field, event) => {
  const client = await connect(await world.addToken(world.root))
  client.send({ ...event, event_id: 'e1' })
  const reported = await client.take('error')
  expect(JSON.stringify(reported)).toContain(`${field}: `)
  await client.close()
})

test('a session can go only where any call can go', { tags: ['S2', 'S4'] }, async () => {
  const strict = await openGatewayWorld({ SLUICE_UPSTREAM_PRIVATE: 'deny' })
  await strict.addChannel(provider.url.replace('127.0.0.1', 'localhost'), ['talk'])
  const key = await strict.addToken(strict.root)
  const before = provider.handshakes.length
  const headers = { authorization: `Bearer ${key}` }
  expect(await refusal(openRealtimeClient(`${strict.url}/v1/realtime?model=talk`, [], { headers }))).toBe(
    '502 upstream_unreachable',
  )
  expect(provider.handshakes).toHaveLength(before)
  await strict.close()
})

test(
  'tools that the channel does not allow are refused in one response as in the session',
  { tags: 'S42' },
  async () => {
    await world.addChannel(provider.url, ['tooled'], {
      model_configs: JSON.stringify({ tooled: PRICE }),
      config: JSON.stringify({ tooling: { whitelist: ['file_search'] } }),
    })
    const client = await connect(await world.addToken(world.root), 'model=tooled')
    const before = provider.frames.length
    const [mcp, own] = [
      { type: 'mcp', server_label: 'x' },
      { type: 'function', name: 'look' },
    ]
    for (const [field, event] of [
      ['session.tools[1]', { type: 'session.update', session: { type: 'realtime', tools: [own, mcp] } }],
      ['response.tools[0]', { type: 'response.create', response: { tools: [mcp] } }],
      ['event', { type: 'response.create', response: { tools: [own], Tools: [mcp] } }],
    ] as const) {
      client.send(event)
      expect((await client.take('error'))['error']).toMatchObject({ param: field })
    }
    expect(provider.frames).toHaveLength(before)
    client.send({ type: 'response.create', response: { tools: [own] } })
    await client.take('response.done')
    await client.close()
  },
)
