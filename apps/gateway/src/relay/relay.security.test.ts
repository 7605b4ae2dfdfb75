import { updateToken } from '@sluice/contract/routes/tokens'
import { updateUser } from '@sluice/contract/routes/users'
import { callBody } from '@sluice/testkit/call-bodies'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { OFFERED } from './endpoints/endpoints.ts'

let emulator: Emulator
let world: GatewayWorld

const CANARY = 'canary-7f3a9c'

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld({ SLUICE_TRUSTED_PROXIES: '127.0.0.1' })
  await world.addChannel(emulator.url, ['emu-fast', 'emu-error-400', 'emu-error-500', 'emu-cut-mid'], {
    key: `sk-${CANARY}-upstream`,
    system_prompt: `${CANARY} system`,
  })
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const lastCall = () => emulator.journal.calls.at(-1)
const codeOf = async (reply: Response) => ((await reply.json()) as { error: { code: string } }).error.code

/** `200` if the key may make this call now, otherwise the refusal's code. */
async function outcome(key: string, headers: Record<string, string> = {}): Promise<string> {
  const reply = await world.chat(
    key,
    { model: 'emu-fast' },
    { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers } },
  )
  return reply.ok ? '200' : codeOf(reply)
}

test(
  'none of the client’s headers reaches the provider, and the key is the channel’s own',
  { tags: 'S29' },
  async () => {
    const key = await world.addToken(world.root)
    await outcome(key, {
      'x-api-key': key,
      'x-forwarded-for': '203.0.113.9',
      'x-custom': 'client',
      cookie: 'session=client',
      'proxy-authorization': 'client',
      'openai-organization': 'client',
      host: 'evil.example',
    })
    const headers = lastCall()?.headers ?? {}
    expect(headers['authorization']).toBe(`Bearer sk-${CANARY}-upstream`)
    expect(headers['host']).toBe(new URL(emulator.url).host)
    expect(JSON.stringify(headers)).not.toContain('client')
    expect(JSON.stringify(headers)).not.toContain(key)
    expect(Object.keys(headers).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ])
  },
)

test('fields of the body that name a host do not change where the call goes', { tags: 'S1' }, async () => {
  const key = await world.addToken(world.root)
  const body = { model: 'emu-fast', api_base: 'http://evil.example', base_url: 'http://evil.example', host: 'x' }
  expect((await world.chat(key, body)).status).toBe(200)
  expect(lastCall()?.headers['host']).toBe(new URL(emulator.url).host)
})

test('two keys that differ only at their end are two keys', { tags: 'S9' }, async () => {
  const key = await world.addToken(world.root)
  expect(await outcome(key)).toBe('200')
  const other = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`
  expect(await outcome(other)).toBe('invalid_key')
  expect(await outcome(key.slice(0, -1))).toBe('invalid_key')
})

test.each([
  "' or '1'='1",
  'sk-%00',
  `sk-${'x'.repeat(10_000)}`,
  'Bearer Bearer sk-x',
  'Basic cm9vdDpyb290',
  '\u00ff\u00fe',
])('the key %j opens nothing', { tags: 'S6' }, async (text) => {
  const reply = await fetch(`${world.url}/v1/models`, { headers: { authorization: text } })
  expect(reply.status).toBe(401)
})

test('a missing key is distinguished from a wrong one', async () => {
  const reply = await fetch(`${world.url}/v1/models`)
  expect([reply.status, await codeOf(reply)]).toEqual([401, 'missing_key'])
})

test('every rule of a token applies from the next call on', async () => {
  const user = await world.addUser('ruled', 1_000_000)
  const key = await world.addToken(user)
  const [{ id = 0 } = {}] = await world.rows('select max(id) as id from token')
  const base = { id: Number(id), name: 'token', unlimited_quota: true }
  expect(await outcome(key)).toBe('200')
  await user.call(updateToken, { body: { ...base, status: 2 } })
  expect(await outcome(key)).toBe('token_disabled')
  await user.call(updateToken, { body: { ...base, status: 1, expired_time: Math.floor(Date.now() / 1_000) - 1 } })
  expect(await outcome(key)).toBe('token_expired')
  await user.call(updateToken, { body: { ...base, status: 1, models: 'something-else' } })
  expect(await outcome(key)).toBe('model_not_allowed')
  await user.call(updateToken, { body: { ...base, status: 1, subnet: '203.0.113.0/24' } })
  expect(await outcome(key)).toBe('subnet_not_allowed')
  await user.call(updateToken, { body: { ...base, status: 1 } })
  expect(await outcome(key)).toBe('200')
  const [{ id: userId = 0 } = {}] = await world.rows(`select id from user where username = 'ruled'`)
  await world.root.call(updateUser, { body: { id: Number(userId), status: 2 } })
  expect(await outcome(key)).toBe('user_disabled')
})

test(
  'no path of the relay answers without a key, and none calls a provider without quota',
  { tags: 'S25' },
  async () => {
    const broke = await world.addToken(await world.addUser('broke', 0))
    for (const [path, { method, endpoint }] of OFFERED) {
      const call = callBody(path, 'emu-fast')
      // A new path needs a body in `callBody`, so that it is proved to be paid.
      if (method === 'POST') expect([path, call !== undefined]).toEqual([path, true])
      const ask = (headers: Record<string, string>) =>
        fetch(world.url + path, {
          method,
          headers: { ...call?.headers, ...headers },
          ...(method === 'GET' || call === undefined ? {} : { body: call.body }),
        })
      const guest = await ask({})
      expect([path, guest.status]).toEqual([path, 401])
      await guest.text()
      const calls = emulator.journal.calls.length
      const poor = await ask({ authorization: `Bearer ${broke}` })
      // Counting is free: this provider has no call for it, so it is done here.
      if (method === 'POST' && endpoint.kind !== 'count') {
        expect([path, await codeOf(poor)]).toEqual([path, 'insufficient_user_quota'])
      } else await poor.text()
      expect(emulator.journal.calls).toHaveLength(calls)
    }
  },
)

test(
  'a subnet is checked against the address that a listed proxy reports, not against what clients claim',
  { tags: 'S28' },
  async () => {
    const key = await world.addToken(world.root, { subnet: '203.0.113.0/24' })
    expect(await outcome(key, { 'x-forwarded-for': '203.0.113.9' })).toBe('200')
    expect(await outcome(key, { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' })).toBe('subnet_not_allowed')
  },
)

test('only administrators may pin a channel, and the pin bypasses groups and priorities', { tags: 'S32' }, async () => {
  const pinned = await world.addChannel(emulator.url, ['emu-fast'], {
    priority: -5,
    group: 'elsewhere',
    name: 'pinned',
  })
  const ofRoot = await world.addToken(world.root)
  const ofUser = await world.addToken(await world.addUser('plain', 1_000_000))
  expect(await outcome(`${ofRoot}-${pinned}`)).toBe('200')
  const [row] = await world.rows('select channel_name from log where type = 2 order by id desc limit 1')
  expect(row).toEqual({ channel_name: 'pinned' })
  expect(await outcome(`${ofUser}-${pinned}`)).toBe('channel_pin_not_allowed')
  expect(await outcome(`${ofRoot}-99999`)).toBe('pinned_channel_missing')
  await world.changeChannel({ id: pinned, status: 2 })
  expect(await outcome(`${ofRoot}-${pinned}`)).toBe('pinned_channel_disabled')
})

test('a group reaches only its own channels', { tags: 'S37' }, async () => {
  await world.addChannel(emulator.url, ['vip-only'], { group: 'vip', model_mapping: '{"vip-only":"emu-fast"}' })
  const key = await world.addToken(await world.addUser('ordinary', 1_000_000))
  const reply = await world.chat(key, { model: 'vip-only' })
  expect([reply.status, await codeOf(reply)]).toEqual([404, 'model_not_found'])
})

test('neither prompts nor answers nor keys nor secrets are ever logged', { tags: 'S20' }, async () => {
  const key = await world.addToken(world.root)
  const ask = (body: object) =>
    world.chat(key, { messages: [{ role: 'user', content: `${CANARY} prompt` }], user: CANARY, ...body })
  for (const model of ['emu-fast', 'emu-error-400', 'emu-error-500', 'emu-cut-mid', 'unknown']) {
    for (const stream of [false, true]) await (await ask({ model, stream })).text()
  }
  await (await ask({ model: 'emu-fast', stream: 'not a boolean' })).text()
  await fetch(`${world.url}/v1/models?key=${CANARY}`, { headers: { authorization: `Bearer sk-${CANARY}` } })
  await fetch(`${world.url}/v1/${CANARY}`, { method: 'POST', headers: { cookie: CANARY } })
  expect(world.log.length).toBeGreaterThan(10)
  for (const line of world.log) {
    expect(line).not.toContain(CANARY)
    expect(line).not.toContain(key.slice(3))
  }
  const stored = await world.rows('select url, attempts from trace')
  expect(JSON.stringify(stored)).not.toContain(CANARY)
})
