import { updateOption } from '@sluice/contract/routes/options'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type HeldUpstream, startHeldUpstream } from '@sluice/testkit/held-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let emulator: Emulator
let upstream: HeldUpstream
let world: GatewayWorld

beforeAll(async () => {
  emulator = await startEmulator()
  upstream = await startHeldUpstream()
  world = await openGatewayWorld({ SLUICE_TRUSTED_PROXIES: '127.0.0.1' })
  await world.addChannel(emulator.url, ['emu-fast', 'emu-error-500'])
  await world.addChannel(upstream.url, ['held'])
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await upstream.close()
  await emulator.close()
})

const call = (key: string, model = 'emu-fast') => world.chat(key, { model })
const addToken = (more: object) => world.addToken(world.root, more)
const setOption = (key: string, value: string) => world.root.call(updateOption, { body: { key, value } })

const headersOf = (reply: Response, prefix: string) =>
  Object.fromEntries([...reply.headers].filter(([name]) => name.startsWith(prefix)))

async function refusalOf(reply: Response) {
  expect(reply.status).toBe(429)
  const seconds = Number(reply.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  return { seconds, body: JSON.stringify(await reply.json()) }
}

describe('a token’s own limits', () => {
  test('limit requests per minute, and each answer says how much is left', async () => {
    const key = await addToken({ rpm: 2 })
    const first = await call(key)
    expect(headersOf(first, 'x-ratelimit-')).toEqual({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': '30s',
    })
    expect((await call(key)).headers.get('x-ratelimit-remaining-requests')).toBe('0')
    const refused = await call(key)
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    const { seconds, body } = await refusalOf(refused)
    expect(seconds).toBeLessThanOrEqual(30)
    expect(body).toContain(
      `The limit of 2 requests per minute for this token has been exceeded. Try again in ${seconds} s.`,
    )
  })

  test('are reported only to callers that have some', async () => {
    const reply = await call(await addToken({}))
    expect(headersOf(reply, 'x-ratelimit-')).toEqual({})
  })

  test('count the tokens that were charged, not those that were requested', async () => {
    const key = await addToken({ tpm: 1_000 })
    const ask = async (output: number) => {
      const reply = world.chat(key, { model: 'held', max_tokens: 100_000 })
      await upstream.answerNext(output)
      return await reply
    }
    const before = await ask(395)
    expect(before.headers.get('x-ratelimit-limit-tokens')).toBe('1000')
    expect(Number(before.headers.get('x-ratelimit-remaining-tokens'))).toBeGreaterThan(900)
    const after = await ask(1_195)
    // 400 tokens were charged, and this request's prompt is estimated.
    expect(Number(after.headers.get('x-ratelimit-remaining-tokens'))).toBeLessThan(610)
    expect(Number(after.headers.get('x-ratelimit-remaining-tokens'))).toBeGreaterThan(560)
    const { seconds, body } = await refusalOf(await call(key))
    expect(body).toContain('1000 tokens per minute for this token')
    // 1,600 of 1,000 tokens are used: the excess takes 36 seconds to drain.
    expect(seconds).toBeGreaterThan(30)
    expect(seconds).toBeLessThanOrEqual(40)
  })

  test('get the estimate back for a request that used nothing', async () => {
    const key = await addToken({ tpm: 40 })
    for (let n = 0; n < 4; n += 1) expect((await call(key, 'emu-error-500')).status).toBe(500)
    expect((await call(key)).status).toBe(200)
  })

  test('limit requests at the same time, until one ends or its client leaves', async () => {
    const key = await addToken({ concurrency: 2 })
    const ask = (signal?: AbortSignal) => world.chat(key, { model: 'held' }, signal === undefined ? {} : { signal })
    const client = new AbortController()
    const first = ask()
    const second = ask(client.signal).catch(() => 'left')
    await expect.poll(() => upstream.waiting.length).toBe(2)
    const { body } = await refusalOf(await ask())
    expect(body).toContain('2 concurrent requests for this token')
    client.abort()
    expect(await second).toBe('left')
    await expect.poll(() => upstream.waiting.length).toBe(1)
    await upstream.answerNext()
    expect((await first).status).toBe(200)
    const again = [ask(), ask()]
    await upstream.answerNext()
    await upstream.answerNext()
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual([200, 200])
  })

  test('are refused in the dialect of each caller, and reported under Anthropic’s names where its dialect is spoken', async () => {
    const key = await addToken({ rpm: 1 })
    await call(key)
    const post = (path: string, headers: Record<string, string>, body: object) =>
      fetch(world.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const messages = [{ role: 'user', content: 'Say something.' }]
    const anthropic = await post(
      '/v1/messages',
      { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
      { model: 'emu-fast', max_tokens: 5, messages },
    )
    expect(headersOf(anthropic, 'anthropic-ratelimit-')).toEqual({
      'anthropic-ratelimit-requests-limit': '1',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    })
    expect((await refusalOf(anthropic)).body).toContain('"type":"error","error":{"type":"rate_limit_error"')
    const gemini = await post(
      '/v1beta/models/emu-fast:generateContent',
      { 'x-goog-api-key': key },
      { contents: [{ role: 'user', parts: [{ text: 'Say something.' }] }] },
    )
    expect((await refusalOf(gemini)).body).toContain('"status":"RESOURCE_EXHAUSTED"')
  })

  test.each([
    ['GET', '/v1/models', undefined],
    ['GET', '/v1/models/emu-fast', undefined],
    ['GET', '/v1/responses/resp_1', undefined],
    ['POST', '/v1/embeddings', { model: 'emu-fast', input: 'x' }],
    ['POST', '/v1/images/generations', { model: 'emu-fast', prompt: 'x' }],
    ['POST', '/v1/responses', { model: 'emu-fast', input: 'x' }],
    ['POST', '/v1/messages/count_tokens', { model: 'emu-fast', messages: [{ role: 'user', content: 'x' }] }],
    ['GET', '/api/token/balance', undefined],
  ])('apply to %s %s as well', async (method, path, body) => {
    const key = await addToken({ rpm: 1 })
    await call(key)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const reply = await fetch(world.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    expect((await refusalOf(reply)).body).toContain('1 requests per minute for this token')
  })
})

describe('limits of a group', () => {
  test('applies to each of its users, across all of their tokens', async () => {
    await setOption('GroupLimits', '{"default": {"rpm": 2}}')
    try {
      const [ann, bob] = [await world.addUser('ann', 1_000_000), await world.addUser('bob', 1_000_000)]
      const keys = [await world.addToken(ann), await world.addToken(ann), await world.addToken(ann)]
      const statuses: number[] = []
      for (const key of keys) statuses.push((await call(key)).status)
      expect(statuses).toEqual([200, 200, 429])
      expect((await refusalOf(await call(keys[0] ?? ''))).body).toContain('2 requests per minute for this account')
      expect((await call(await world.addToken(bob))).status).toBe(200)
    } finally {
      await setOption('GroupLimits', '{}')
    }
  })

  test('reports the limit with least left', async () => {
    await setOption('GroupLimits', '{"default": {"rpm": 100}}')
    try {
      const reply = await call(await addToken({ rpm: 5 }))
      expect(reply.headers.get('x-ratelimit-limit-requests')).toBe('5')
      expect(reply.headers.get('x-ratelimit-remaining-requests')).toBe('4')
    } finally {
      await setOption('GroupLimits', '{}')
    }
  })
})

describe('the limit of an address', () => {
  const from = (address: string, key: string) =>
    world.chat(
      key,
      { model: 'emu-fast' },
      {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-forwarded-for': address },
      },
    )

  test('counts before the key is looked up, so that keys cannot be guessed any faster', { tags: 'S28' }, async () => {
    await setOption('AddressRequestsPerMinute', '3')
    try {
      const key = await addToken({})
      const statuses: number[] = []
      for (let n = 0; n < 4; n += 1) statuses.push((await from('203.0.113.7', `sk-guess-${n}`)).status)
      expect(statuses).toEqual([401, 401, 401, 429])
      const { body } = await refusalOf(await from('203.0.113.7', key))
      expect(body).toContain('3 requests per minute from one address')
      expect((await from('203.0.113.8', key)).status).toBe(200)
      const inOneNetwork = [1, 2, 3, 4].map((n) => from(`2001:db8:0:7::${n}`, 'sk-guess'))
      const refused = (await Promise.all(inOneNetwork)).filter(({ status }) => status === 429)
      expect(refused).toHaveLength(1)
    } finally {
      await setOption('AddressRequestsPerMinute', '0')
    }
  })
})
