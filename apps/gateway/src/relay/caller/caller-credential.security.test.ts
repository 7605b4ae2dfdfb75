// @module-tag slow
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { updateOption } from '@sluice/contract/routes/options'
import { listChannelHealth } from '@sluice/contract/routes/routing'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, type SiteRequest, startSite } from '@sluice/testkit/http-site'
import { openRealtimeClient } from '@sluice/testkit/realtime-client'
import { type RealtimeProvider, startRealtimeProvider } from '@sluice/testkit/realtime-provider'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** Part of every caller's key in these tests, and of nothing else. */
const CANARY = 'c4n4rYc4n4rYc4n4rY'
const OPENAI_KEY = `sk-proj-${CANARY}`
const CLAUDE_TOKEN = `sk-ant-oat01-${CANARY}`
const UNMARKED_KEY = `${CANARY}.unmarked`

let vendor: Site
let second: Site
let elsewhere: Site
let realtime: RealtimeProvider
let world: GatewayWorld
let key = ''
let proxy = 0

beforeAll(async () => {
  elsewhere = await startSite(answer)
  vendor = await startSite(answer)
  second = await startSite(answer)
  realtime = await startRealtimeProvider()
  world = await openGatewayWorld({
    SLUICE_LOG_LEVEL: 'trace',
    SLUICE_CALLER_KEY_ORIGINS: [vendor.url, second.url, realtime.url].join(','),
  })
  const caller = (type: number, more: object = {}) => ({
    type,
    config: JSON.stringify({ credentials: 'caller', ...more }),
  })
  await world.addChannel(vendor.url, ['paid', 'moved', 'down', 'both', 'shared', 'busy'], { ...caller(1), priority: 9 })
  await world.addChannel(second.url, ['both'], caller(1))
  await world.addChannel(elsewhere.url, ['down', 'plain'])
  await world.addChannel(elsewhere.url, ['stored'], { type: 1 })
  await world.addChannel(vendor.url, ['half'], caller(1, { caller_ratio: '0.5' }))
  await world.addChannel(vendor.url, ['either'], { type: 1, config: '{"credentials":"caller_or_own"}' })
  await world.addChannel(vendor.url, ['claude', 'shared'], caller(14))
  await world.addChannel(realtime.url, ['talk'], caller(1))
  proxy = await world.addChannel(elsewhere.url, ['any'], { type: 43, model_configs: '' })
  key = await world.addToken(await world.addUser('ann', 1_000_000))
  await setOption('ModelFallbacks', '{"down":["plain","claude"]}')
})
afterEach(async () => {
  await world.verify()
  expect(JSON.stringify(elsewhere.seen)).not.toContain(CANARY)
})
afterAll(async () => {
  await world.close()
  await Promise.all([vendor.close(), second.close(), elsewhere.close(), realtime.close()])
})

function answer({ path, headers, body }: SiteRequest): SiteReply {
  const { model, metadata } = JSON.parse(body || '{}') as { model?: string; metadata?: { readonly id: string } }
  const refused = { error: { type: 'authentication_error', message: `${headers.authorization} is not known` } }
  if (headers.authorization?.includes('refused') === true) return { status: 401, body: refused }
  if (model === 'moved' || path.endsWith('/resp_moved'))
    return { status: 307, headers: { location: `${elsewhere.url}${path}` } }
  if (model === 'down' || (model === 'both' && !headers.host?.endsWith(new URL(second.url).port))) {
    return { status: 500, body: { error: { message: 'out of order' } } }
  }
  if (path.startsWith('/v1/responses/resp_')) return { body: { id: path.slice(14), object: 'response', seen: path } }
  if (/count_tokens|input_tokens/.test(path)) return { body: { input_tokens: 4_321 } }
  if (path === '/v1/responses') return { body: { ...RESPONSE, id: metadata?.id ?? 'resp_1', model } }
  if (model === 'busy') return { status: 429, headers: { 'retry-after': '60' }, body: { error: { message: 'slow' } } }
  if (path.startsWith('/v1/messages')) {
    const content = [{ type: 'text', text: 'yes' }]
    const usage = { input_tokens: 10, output_tokens: 5 }
    return { body: { id: 'm', type: 'message', role: 'assistant', model, content, stop_reason: 'end_turn', usage } }
  }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  return { body: { id: 'c', object: 'chat.completion', created: 1, model, choices, usage } }
}

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  output: [{ id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'yes' }] }],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
}

const setOption = (name: string, value: string) => world.root.call(updateOption, { body: { key: name, value } })

function send(path: string, body: object, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ max_tokens: 20, messages: [{ role: 'user', content: 'Say yes.' }], ...body }),
  })
}

const own = (credential = OPENAI_KEY) => ({ 'x-sluice-key': key, authorization: `Bearer ${credential}` })
const chat = (model: string, headers: Readonly<Record<string, string>> = own()) =>
  send('/v1/chat/completions', { model }, headers)

async function refusal(reply: Response) {
  const text = await reply.text()
  expect(text).not.toContain(CANARY)
  const { error } = JSON.parse(text) as { error: { code: string; message: string } }
  return { status: reply.status, code: error.code, message: error.message }
}

const lastLog = async () => (await world.rows('select * from log where type = 2 order by id desc limit 1'))[0]

describe('a caller’s own key', { tags: 'S1' }, () => {
  test('reaches the vendor’s address, costs nothing, and is named in log and trace by its fingerprint', async () => {
    const reply = await chat('paid')
    expect(reply.status).toBe(200)
    expect(vendor.seen.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${OPENAI_KEY}` })
    expect(vendor.seen.at(-1)?.headers).not.toHaveProperty('x-sluice-key')
    const log = await lastLog()
    expect(log).toMatchObject({ amount: 0n, prompt_tokens: 10, completion_tokens: 5 })
    expect(log?.['content']).toMatch(/group ratio 0, with the caller’s own key [0-9a-f]{12}$/)
    const [trace] = await world.rows(`select attempts from trace where request_id = '${String(log?.['request_id'])}'`)
    expect(trace?.['attempts']).toMatch(/"caller_key":"[0-9a-f]{12}"/)
  })

  test('costs the ratio that its channel names', async () => {
    expect((await chat('half')).status).toBe(200)
    // 10 + 2 × 5 quota units at half the price.
    expect(await lastLog()).toMatchObject({ amount: 10_000n })
  })

  test('comes as Claude Code sends a subscription’s token', async () => {
    const body = { model: 'claude', system: 'You are Claude Code, Anthropic’s official CLI for Claude.' }
    const claude = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'claude-code-20250219,oauth-2025-04-20' }
    const reply = await send('/v1/messages?beta=true', body, { ...own(CLAUDE_TOKEN), ...claude })
    expect([reply.status, ((await reply.json()) as { content: unknown }).content]).toEqual([
      200,
      [{ type: 'text', text: 'yes' }],
    ])
    const headers = vendor.seen.at(-1)?.headers ?? {}
    expect(headers).toMatchObject({ authorization: `Bearer ${CLAUDE_TOKEN}` })
    expect(headers['anthropic-beta']).toContain('oauth-2025-04-20')
    expect(headers).not.toHaveProperty('x-api-key')
  })

  test.each([
    ['x-sluice-key', 'x-api-key'],
    ['x-litellm-api-key', 'x-goog-api-key'],
    ['x-litellm-api-key', 'authorization'],
  ])('comes besides %s in %s', async (gateway, header) => {
    const reply = await chat('paid', { [gateway]: `Bearer ${key}`, [header]: OPENAI_KEY })
    expect([reply.status, vendor.seen.at(-1)?.headers['authorization']]).toEqual([200, `Bearer ${OPENAI_KEY}`])
  })

  test('does not follow a redirect', async () => {
    const before = elsewhere.seen.length
    expect((await chat('moved')).status).toBe(502)
    expect(elsewhere.seen).toHaveLength(before)
  })

  test('is tried again at the same vendor only', async () => {
    const before = elsewhere.seen.length
    expect((await chat('both')).status).toBe(200)
    expect(second.seen.at(-1)?.headers['authorization']).toBe(`Bearer ${OPENAI_KEY}`)
    expect((await chat('down')).status).toBe(500)
    expect(elsewhere.seen).toHaveLength(before)
    expect(
      vendor.seen.filter(({ path }) => path === '/v1/messages').map(({ headers }) => headers['x-api-key']),
    ).toEqual(vendor.seen.filter(({ path }) => path === '/v1/messages').map(() => undefined))
  })

  test('opens a realtime session', async () => {
    const client = await openRealtimeClient(`${world.url}/v1/realtime?model=talk`, [], { headers: own() })
    expect(realtime.handshakes.at(-1)?.headers.authorization).toBe(`Bearer ${OPENAI_KEY}`)
    await client.close()
  })

  test('that no channel takes is refused by the name of its header', async () => {
    const plain = await refusal(await chat('plain'))
    expect(plain).toMatchObject({ status: 400, code: 'caller_credential_not_taken' })
    expect(plain.message).toContain('Authorization')
    const foreign = await refusal(await chat('claude', { 'x-sluice-key': key, 'x-api-key': OPENAI_KEY }))
    expect(foreign).toMatchObject({ status: 400, code: 'caller_credential_not_taken' })
    expect(foreign.message).toContain('X-Api-Key')
    const path = `/v1/oneapi/proxy/${proxy}/x`
    expect(await refusal(await send(path, {}, own()))).toMatchObject({ code: 'caller_credential_not_taken' })
  })

  test('of which nobody can say whose it is goes to no vendor where there are several', async () => {
    const before = vendor.seen.length
    const ambiguous = await refusal(await chat('shared', own(UNMARKED_KEY)))
    expect(ambiguous).toMatchObject({ status: 400, code: 'caller_credential_ambiguous' })
    expect(ambiguous.message).toContain('Anthropic, OpenAI')
    expect(vendor.seen).toHaveLength(before)
    expect((await chat('paid', own(UNMARKED_KEY))).status).toBe(200)
  })

  test('may not be one of this gateway’s', async () => {
    const other = await world.addToken(world.root)
    const before = vendor.seen.length
    expect(await refusal(await chat('paid', own(other)))).toMatchObject({ code: 'caller_credential_invalid' })
    expect(await refusal(await chat('paid', own('two words')))).toMatchObject({ code: 'caller_credential_invalid' })
    expect(await refusal(await chat('paid', own(key)))).toMatchObject({ code: 'caller_credential_missing' })
    expect(vendor.seen).toHaveLength(before)
    expect((await chat('either', own(key))).status).toBe(200)
    expect(vendor.seen.at(-1)?.headers['authorization']).toBe('Bearer upstream-key')
  })

  test('is missing where it is needed, or comes without the gateway’s: 401 both times', async () => {
    const missing = await refusal(await chat('paid', { authorization: `Bearer ${key}` }))
    expect(missing).toMatchObject({ status: 401, code: 'caller_credential_missing' })
    const alone = await refusal(await chat('paid', { authorization: `Bearer ${OPENAI_KEY}` }))
    expect(alone).toMatchObject({ status: 401, code: 'gateway_key_missing' })
    expect(alone.message).toContain('x-sluice-key')
  })

  test('that is refused or used up leaves the channel to the others', async () => {
    const refused = await refusal(await chat('paid', own(`${OPENAI_KEY}-refused`)))
    expect(refused).toMatchObject({ status: 401, code: 'caller_credential_refused' })
    expect((await chat('paid')).status).toBe(200)
    const before = vendor.seen.length
    for (let call = 1; call <= 3; call++)
      expect([(await chat('busy')).status, vendor.seen.length]).toEqual([429, before + call])
  })

  test('counts for one lane that all callers share, which is listed as theirs', async () => {
    await chat('half')
    await chat('half', own(UNMARKED_KEY))
    const lanes = (await world.root.call(listChannelHealth)).flatMap((channel) => channel.lanes)
    const [shared, second] = lanes.filter(({ model }) => model === 'half')
    expect(second).toBeUndefined()
    expect(shared).toMatchObject({ fingerprint: 'caller', key: 0, keys: 0, failed: 0, standing: 'ready' })
    expect(shared?.answered).toBeGreaterThanOrEqual(2)
  })

  test('is used before the channel’s own where a channel has both', async () => {
    await chat('either')
    expect(vendor.seen.at(-1)?.headers['authorization']).toBe(`Bearer ${OPENAI_KEY}`)
    expect(await lastLog()).toMatchObject({ amount: 0n })
    await chat('either', { authorization: `Bearer ${key}` })
    expect(vendor.seen.at(-1)?.headers['authorization']).toBe('Bearer upstream-key')
    expect(await lastLog()).toMatchObject({ amount: 20_000n })
  })

  test('cannot be meant for a channel at another address, or of a type without a vendor', async () => {
    const config = '{"credentials":"caller"}'
    await expect(world.addChannel(elsewhere.url, ['x'], { type: 1, config })).rejects.toThrow(/config\.credentials/)
    await expect(world.addChannel(vendor.url, ['x'], { type: 50, config })).rejects.toThrow(/config\.credentials/)
    const ratio = { type: 1, config: '{"credentials":"caller","caller_ratio":"-1"}' }
    await expect(world.addChannel(vendor.url, ['x'], ratio)).rejects.toThrow(/config\.caller_ratio/)
  })

  describe('and a response that its vendor stores', () => {
    const respond = (more: object = {}, headers = own()) =>
      send('/v1/responses', { model: 'paid', input: 'Say yes.', store: true, ...more }, headers)
    const look = (path: string, headers: Readonly<Record<string, string>>, method = 'GET') =>
      fetch(`${world.url}/v1/responses/${path}`, { method, headers })

    test('is read, cancelled, continued and deleted with the key that made it, at its vendor only', async () => {
      expect((await respond()).status).toBe(200)
      for (const [method, path] of [
        ['GET', 'resp_1'],
        ['GET', 'resp_1/input_items'],
        ['POST', 'resp_1/cancel'],
      ] as const) {
        const shown = await look(path, own(), method)
        const { headers, ...asked } = vendor.seen.at(-1) ?? { headers: {} }
        expect([shown.status, asked, headers.authorization]).toMatchObject([
          200,
          { method, path: `/v1/responses/${path}` },
          `Bearer ${OPENAI_KEY}`,
        ])
        expect(headers).not.toHaveProperty('x-sluice-key')
      }
      expect((await respond({ previous_response_id: 'resp_1' })).status).toBe(200)
      expect(JSON.parse(vendor.seen.at(-1)?.body ?? '{}')).toMatchObject({ previous_response_id: 'resp_1' })
      expect(vendor.seen.at(-1)?.headers.authorization).toBe(`Bearer ${OPENAI_KEY}`)
      expect((await look('resp_1', own(), 'DELETE')).status).toBe(200)
      expect((await look('resp_1', own())).status).toBe(404)
    })

    test('is shown to no one without such a key, and not with one of another vendor', async () => {
      await respond()
      const before = vendor.seen.length
      const bare = await refusal(await look('resp_1', { authorization: `Bearer ${key}` }))
      expect(bare).toMatchObject({ status: 401, code: 'caller_credential_missing' })
      const foreign = await refusal(await look('resp_1', own(CLAUDE_TOKEN)))
      expect(foreign).toMatchObject({ status: 400, code: 'caller_credential_not_taken' })
      const stranger = await world.addToken(await world.addUser('eve', 1_000_000))
      const hidden = await refusal(await look('resp_1', { ...own(), 'x-sluice-key': stranger }))
      expect(hidden.status).toBe(404)
      expect(vendor.seen).toHaveLength(before)
      const refused = await refusal(await look('resp_1', own(`${OPENAI_KEY}-refused`)))
      expect(refused).toMatchObject({ status: 401, code: 'caller_credential_refused' })
    })

    test('sends the key to no address that the vendor names', async () => {
      await respond({ metadata: { id: 'resp_moved' } })
      const before = elsewhere.seen.length
      expect((await look('resp_moved', own())).status).toBe(502)
      expect(elsewhere.seen).toHaveLength(before)
    })

    test('made of another channel’s account is not asked for with it', async () => {
      await respond({ model: 'stored', metadata: { id: 'resp_other' } }, own(key))
      const before = elsewhere.seen.length
      expect((await look('resp_other', own(key))).status).toBe(200)
      expect(await refusal(await look('resp_other', own()))).toMatchObject({ code: 'caller_credential_not_taken' })
      expect(elsewhere.seen).toHaveLength(before + 1)
    })
  })

  describe('and a count of tokens', () => {
    const messages = (model: string, headers: Readonly<Record<string, string>>) =>
      send('/v1/messages/count_tokens', { model }, headers)
    const input = (model: string, headers: Readonly<Record<string, string>>) =>
      send('/v1/responses/input_tokens', { model, input: 'Say yes.' }, headers)

    test.each([
      ['Anthropic', messages, 'claude', CLAUDE_TOKEN],
      ['OpenAI', input, 'paid', OPENAI_KEY],
    ] as const)('is asked of %s with it', async (_, count, model, credential) => {
      const reply = await count(model, own(credential))
      expect([reply.status, await reply.json()]).toMatchObject([200, { input_tokens: 4_321 }])
      expect(vendor.seen.at(-1)?.headers).toMatchObject({ authorization: `Bearer ${credential}` })
      expect(vendor.seen.at(-1)?.headers).not.toHaveProperty('x-sluice-key')
    })

    test('follows no redirect, asks no other channel, and is made here instead', async () => {
      const before = elsewhere.seen.length
      for (const model of ['moved', 'down']) {
        const reply = await input(model, own())
        const { input_tokens: counted } = (await reply.json()) as { readonly input_tokens: number }
        expect([model, reply.status, counted > 0 && counted < 4_321]).toEqual([model, 200, true])
      }
      const refused = await input('paid', own(`${OPENAI_KEY}-refused`))
      expect(await refused.text()).not.toContain(CANARY)
      expect(elsewhere.seen).toHaveLength(before)
    })

    test('is refused with a key that no channel takes, or that could be several vendors’', async () => {
      const before = vendor.seen.length
      expect(await refusal(await input('plain', own()))).toMatchObject({ code: 'caller_credential_not_taken' })
      const ambiguous = await refusal(await messages('shared', own(UNMARKED_KEY)))
      expect(ambiguous.code).toBe('caller_credential_ambiguous')
      expect(vendor.seen).toHaveLength(before)
    })
  })

  test('is in no log line, no row and no file', { tags: 'S20' }, async () => {
    expect(world.log.join('\n')).not.toContain(CANARY)
    const [{ file } = { file: '' }] = await world.rows('pragma database_list')
    const folder = dirname(String(file))
    const names = (await readdir(folder, { withFileTypes: true, recursive: true })).filter((entry) => entry.isFile())
    expect(names.map(({ name }) => name)).toContain('sluice.db')
    for (const { parentPath, name } of names) {
      expect([name, (await readFile(join(parentPath, name))).includes(CANARY)]).toEqual([name, false])
    }
  })
})
