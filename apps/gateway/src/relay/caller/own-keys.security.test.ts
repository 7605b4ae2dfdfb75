// @module-tag slow
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { exportConfiguration } from '@sluice/contract/routes/configuration'
import { updateOption } from '@sluice/contract/routes/options'
import { deleteOwnKey, listOwnKeys, putOwnKey } from '@sluice/contract/routes/own-keys'
import { receiptOfRequest } from '@sluice/contract/routes/receipts'
import { explainRouting } from '@sluice/contract/routes/routing'
import { deleteUser } from '@sluice/contract/routes/users'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, type SiteRequest, startSite } from '@sluice/testkit/http-site'
import type { ManagementClient } from '@sluice/testkit/management-client'
import { openRealtimeClient } from '@sluice/testkit/realtime-client'
import { type RealtimeProvider, startRealtimeProvider } from '@sluice/testkit/realtime-provider'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

/** Part of every stored key in these tests, and of nothing else. */
const CANARY = 'c4n4rYc4n4rYc4n4rY'
const KEY = `sk-proj-${CANARY}`
const REFUSED = `${KEY}-refused`

let vendor: Site
let second: Site
let elsewhere: Site
let realtime: RealtimeProvider
let world: GatewayWorld
let ann: ManagementClient
let key = ''
/** The number of requests that each site had received before this test. */
const seenBefore = new Map<Site, number>()

beforeAll(async () => {
  elsewhere = await startSite(answer)
  vendor = await startSite(answer)
  second = await startSite(answer)
  realtime = await startRealtimeProvider()
  world = await openGatewayWorld({
    SLUICE_LOG_LEVEL: 'trace',
    SLUICE_CALLER_KEY_ORIGINS: [vendor.url, second.url, realtime.url].join(','),
  })
  const caller = { type: 1, name: 'caller', config: '{"credentials":"caller","caller_ratio":"0.5"}' }
  await world.addChannel(vendor.url, ['paid', 'moved', 'down', 'both', 'busy', 'moderated'], caller)
  await world.addChannel(second.url, ['both', 'paid'], { ...caller, name: 'paused', priority: -1 })
  await world.addChannel(second.url, ['both'], { ...caller, name: 'second' })
  await world.addChannel(elsewhere.url, ['paid', 'down', 'busy', 'plain', 'instead'], { name: 'platform', priority: 9 })
  await world.addChannel(realtime.url, ['talk'], { ...caller, name: 'realtime' })
  await world.addChannel(vendor.url, ['free'], { type: 1, name: 'either', config: '{"credentials":"caller_or_own"}' })
  ann = await world.addUser('ann', 1_000_000)
  key = await world.addToken(ann)
  await world.root.call(updateOption, { body: { key: 'ModelFallbacks', value: '{"down":["instead"]}' } })
})
beforeEach(() => {
  for (const site of [vendor, second, elsewhere]) seenBefore.set(site, site.seen.length)
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
  const { model } = JSON.parse(body || '{}') as { readonly model?: string }
  const isOwn = headers.authorization?.includes(CANARY) === true
  const refused = { error: { type: 'authentication_error', message: `${headers.authorization} is not known` } }
  if (headers.authorization?.includes('refused') === true) return { status: 401, body: refused }
  if (model === 'moved') return { status: 307, headers: { location: `${elsewhere.url}${path}` } }
  if (isOwn && (model === 'down' || (model === 'both' && !headers.host?.endsWith(new URL(second.url).port)))) {
    return { status: 500, body: { error: { message: 'out of order' } } }
  }
  if (isOwn && model === 'busy')
    return { status: 429, headers: { 'retry-after': '60' }, body: { error: { message: 'slow' } } }
  if (model === 'moderated') return { status: 400, body: { error: { type: 'invalid_request_error', message: 'no' } } }
  if (path.startsWith('/v1/responses')) {
    const message = { type: 'message', id: 'msg_own', role: 'assistant', status: 'completed' }
    const output = [{ ...message, content: [{ type: 'output_text', text: 'yes', annotations: [] }] }]
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
    const id = isOwn ? 'resp_own' : 'resp_platform'
    return { body: { id, object: 'response', created_at: 1, status: 'completed', model, output, usage } }
  }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  return { body: { id: 'c', object: 'chat.completion', created: 1, model, choices, usage } }
}

const store = (more: object = {}, user = ann) =>
  user.call(putOwnKey, { body: { vendor: 'OpenAI', key: KEY, label: 'mine', ...more } })
const chat = (model: string, by = key, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${world.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${by}`, ...headers },
    body: JSON.stringify({ model, max_tokens: 20, messages: [{ role: 'user', content: 'Say yes.' }] }),
  })

async function refusal(reply: Response) {
  const text = await reply.text()
  expect(text).not.toContain(CANARY)
  const { error } = JSON.parse(text) as { error: { code: string; message: string } }
  return { status: reply.status, code: error.code, message: error.message }
}
const lastLog = async () => (await world.rows('select * from log where type = 2 order by id desc limit 1'))[0]
const seenBy = (site: Site) => site.seen.slice(seenBefore.get(site))
const sentTo = (site: Site) => seenBy(site).map(({ headers }) => headers['authorization'])
const lastAttempts = async () =>
  JSON.parse(
    String((await world.rows('select attempts from trace order by received_ms desc limit 1'))[0]?.['attempts']),
  ) as {
    readonly channel_name: string
    readonly caller_key?: string
    readonly status: number
  }[]

describe('a user’s own key', { tags: 'S1' }, () => {
  test('reaches the vendor’s address at the channel’s ratio, before channels of a higher priority', async () => {
    const { fingerprint } = await store()
    expect((await chat('paid')).status).toBe(200)
    expect(sentTo(vendor)).toEqual([`Bearer ${KEY}`])
    const log = await lastLog()
    // 10 + 2 × 5 quota units at half the price.
    expect(log).toMatchObject({ amount: 10_000n, prompt_tokens: 10, completion_tokens: 5 })
    expect(log?.['content']).toContain(`with the caller’s own key ${fingerprint}`)
    expect(await lastAttempts()).toMatchObject([{ caller_key: fingerprint, status: 200 }])
    const receipt = await ann.call(receiptOfRequest, { path: { request_id: String(log?.['request_id']) } })
    expect(receipt).toMatchObject({ fault: '', movements: [{ calculation: { group_ratio: '0.5' } }] })
  })

  test('is used by its user alone, and by no request that brings a key', { tags: 'S11' }, async () => {
    const eve = await world.addUser('eve', 1_000_000)
    const before = elsewhere.seen.length
    const hers = await world.addToken(eve)
    expect((await chat('paid', hers)).status).toBe(200)
    expect([seenBy(vendor).length, elsewhere.seen.length]).toEqual([0, before + 1])
    expect(await refusal(await chat('both', hers))).toMatchObject({ code: 'caller_credential_missing' })
    await chat('paid', 'sk-proj-sent', { 'x-sluice-key': key })
    expect(sentTo(vendor)).toEqual(['Bearer sk-proj-sent'])
    expect(await eve.call(listOwnKeys, {})).toMatchObject({ keys: [] })
    // Another user's row, moved by someone with write access to the database.
    const { id } = await eve.call(putOwnKey, { body: { vendor: 'OpenAI', key: 'sk-proj-of-eve' } })
    const [row] = await world.rows(
      `select key_sealed from own_key where fingerprint = (select min(fingerprint) from own_key where id <> ${id})`,
    )
    await world.rows(`update own_key set key_sealed = '${String(row?.['key_sealed'])}' where id = ${id} returning id`)
    await eve.call(putOwnKey, { body: { vendor: 'OpenAI', fallback: false } })
    expect(await refusal(await chat('paid', hers))).toMatchObject({ status: 503, code: 'own_key_unserved' })
    expect(sentTo(vendor)).toEqual(['Bearer sk-proj-sent'])
    await eve.call(deleteOwnKey, { path: { id } })
  })

  test('that is refused is told, and the platform is not called, unless its setting says so', async () => {
    await store({ key: REFUSED })
    const before = elsewhere.seen.length
    const told = await refusal(await chat('paid'))
    expect(told).toMatchObject({ status: 401, code: 'caller_credential_refused' })
    expect(told.message).toContain('your own key of OpenAI')
    expect(elsewhere.seen).toHaveLength(before)
    const { fingerprint } = await store({ key: REFUSED, fallback: true })
    expect((await chat('paid')).status).toBe(200)
    expect(elsewhere.seen).toHaveLength(before + 1)
    const log = await lastLog()
    expect(log).toMatchObject({ amount: 20_000n })
    expect(log?.['content']).not.toContain('own key')
    const attempts = await lastAttempts()
    expect(attempts).toMatchObject([{ caller_key: fingerprint, status: 401 }, { status: 200 }])
    expect(attempts[1]).not.toHaveProperty('caller_key')
    // If no other channel serves the model, the caller still gets the refusal, and the vendor sees the key once.
    const shown = seenBy(vendor).length
    expect(await refusal(await chat('both'))).toMatchObject({ code: 'caller_credential_refused' })
    expect(seenBy(vendor).length + seenBy(second).length).toBe(shown + 1)
    await store()
    expect((await chat('paid')).status).toBe(200)
    expect(sentTo(vendor).at(-1)).toBe(`Bearer ${KEY}`)
  })

  test('that is used up falls back or is told, and rests nothing', async () => {
    await store({ fallback: true })
    const before = elsewhere.seen.length
    for (let call = 1; call <= 2; call++) expect((await chat('busy')).status).toBe(200)
    expect([seenBy(vendor).length, elsewhere.seen.length]).toEqual([2, before + 2])
    await store()
    expect([(await chat('busy')).status, seenBy(vendor).length, elsewhere.seen.length]).toEqual([429, 3, before + 2])
  })

  test('is not shown to other hosts by a redirect, a retry or a fallback', { tags: 'S29' }, async () => {
    await store({ fallback: true })
    const before = elsewhere.seen.length
    expect((await chat('moved')).status).toBe(502)
    expect(elsewhere.seen).toHaveLength(before)
    expect((await chat('both')).status).toBe(200)
    expect(sentTo(second)).toEqual([`Bearer ${KEY}`])
    expect((await chat('down')).status).toBe(200)
    expect(elsewhere.seen).toHaveLength(before + 1)
    await store()
    expect((await chat('down')).status).toBe(500)
    expect(elsewhere.seen).toHaveLength(before + 1)
  })

  test('leaves a mistake in the request to its client: the platform is not asked', async () => {
    await store({ fallback: true })
    expect((await chat('moderated')).status).toBe(400)
    expect(seenBy(vendor)).toHaveLength(1)
  })

  test('opens a realtime session', async () => {
    await store()
    const headers = { authorization: `Bearer ${key}` }
    const client = await openRealtimeClient(`${world.url}/v1/realtime?model=talk`, [], { headers })
    expect(realtime.handshakes.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
    await client.close()
  })

  test('looks up and continues what it has stored at its provider, and the platform’s key what that has', async () => {
    const respond = (more: object = {}) =>
      fetch(`${world.url}/v1/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'free', input: 'Say yes.', ...more }),
      })
    const look = (id: string) =>
      fetch(`${world.url}/v1/responses/${id}`, { headers: { authorization: `Bearer ${key}` } })
    const { id } = await store({ fallback: true })
    expect((await respond()).status).toBe(200)
    await ann.call(deleteOwnKey, { path: { id } })
    expect((await respond()).status).toBe(200)
    await store({ fallback: true })
    expect(sentTo(vendor)).toEqual([`Bearer ${KEY}`, 'Bearer upstream-key'])
    expect([(await look('resp_own')).status, (await look('resp_platform')).status]).toEqual([200, 200])
    expect(sentTo(vendor).slice(2)).toEqual([`Bearer ${KEY}`, 'Bearer upstream-key'])
    for (const previous of ['resp_own', 'resp_platform']) {
      expect((await respond({ previous_response_id: previous })).status).toBe(200)
    }
    expect(sentTo(vendor).slice(4)).toEqual([`Bearer ${KEY}`, 'Bearer upstream-key'])
    await store()
    expect(await refusal(await respond({ previous_response_id: 'resp_platform' }))).toMatchObject({
      code: 'own_key_unserved',
    })
    expect(sentTo(vendor)).toHaveLength(6)
  })

  test('serves a user without money where it costs none, whatever the platform would cost', async () => {
    const poor = await world.addUser('poor', 0)
    const his = await world.addToken(poor)
    expect(await refusal(await chat('free', his))).toMatchObject({ status: 403 })
    await store({ fallback: true }, poor)
    expect((await chat('free', his)).status).toBe(200)
    expect(sentTo(vendor)).toEqual([`Bearer ${KEY}`])
    expect(await lastLog()).toMatchObject({ amount: 0n })
  })

  test('is explained to administrators without being shown', async () => {
    await store()
    const [token] = await world.rows(
      `select id from token where user_id = (select id from user where username = 'ann')`,
    )
    const body = { model: 'paid', token_id: Number(token?.['id']) }
    const { decision } = await world.root.call(explainRouting, { body })
    expect(decision?.lanes.filter(({ order }) => order > 0)).toHaveLength(1)
    expect(decision?.lanes).toContainEqual(expect.objectContaining({ excluded: 'credential_not_taken' }))
    expect(JSON.stringify(decision)).not.toContain(CANARY)
  })

  test('is used for nothing once it is removed, nor after its user was', async () => {
    const { id } = await store()
    await chat('paid')
    const before = vendor.seen.length
    await ann.call(deleteOwnKey, { path: { id } })
    expect((await chat('paid')).status).toBe(200)
    expect(vendor.seen).toHaveLength(before)
    await store()
    const gone = await world.addUser('gone', 0)
    await store({}, gone)
    const [user] = await world.rows(`select id from "user" where username = 'gone'`)
    await world.root.call(deleteUser, { path: { id: Number(user?.['id']) } })
    expect(await world.rows(`select id from own_key where user_id = ${String(user?.['id'])}`)).toEqual([])
  })

  test('is in no log line, row, file, or configuration file', { tags: 'S20' }, async () => {
    expect(world.log.join('\n')).not.toContain(CANARY)
    expect(JSON.stringify(await world.root.call(exportConfiguration, {}))).not.toContain(CANARY)
    const [{ file } = { file: '' }] = await world.rows('pragma database_list')
    const folder = dirname(String(file))
    const names = (await readdir(folder, { withFileTypes: true, recursive: true })).filter((entry) => entry.isFile())
    expect(names.map(({ name }) => name)).toContain('sluice.db')
    for (const { parentPath, name } of names) {
      expect([name, (await readFile(join(parentPath, name))).includes(CANARY)]).toEqual([name, false])
    }
  })
})
