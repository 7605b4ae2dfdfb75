import type { Channel, ChannelJob } from '@sluice/contract/channel'
import { type Site, startSite } from '@sluice/testkit/http-site'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

/** A vendor's account API on its own socket: reply by path, after `ready`. A number is a status that redirects elsewhere. */
function openVendor(replies: Readonly<Record<string, unknown>>, ready: Promise<void> = Promise.resolve()) {
  return startSite(async ({ path }) => {
    await ready
    const answer = replies[path]
    if (answer === undefined) return { status: 404 }
    if (typeof answer === 'number') return { status: answer, headers: { location: '/elsewhere' }, body: '{}' }
    return { body: answer as object | string }
  })
}

const KEY = 'sk-canary-31'

describe('balances', () => {
  let bench: ManagementBench
  let root: TestCaller
  const vendors: Site[] = []
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
  })
  afterEach(async () => {
    await bench.settleBackground()
    await bench.database.kysely.deleteFrom('channel').execute()
    await Promise.all(vendors.splice(0).map((one) => one.close()))
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const vendor = async (replies: Readonly<Record<string, unknown>>, ready?: Promise<void>): Promise<Site> => {
    const opened = await openVendor(replies, ready)
    vendors.push(opened)
    return opened
  }
  const add = async (type: number, base_url: string): Promise<number> => {
    const body = { name: 'c', type, key: KEY, base_url, models: 'm' }
    const reply = await bench.ask<number[]>('POST', '/api/channel/', { as: root, body })
    return reply.data?.[0] ?? 0
  }
  const update = (id: number) => bench.ask('GET', `/api/channel/update_balance/${id}`, { as: root })
  const channel = async (id: number) => (await bench.ask<Channel>('GET', `/api/channel/${id}`, { as: root })).data

  it.each<[number, Readonly<Record<string, unknown>>, number, string]>([
    [
      1,
      {
        '/v1/dashboard/billing/subscription': { hard_limit_usd: 20 },
        '/v1/dashboard/billing/usage': { total_usage: 750 },
      },
      12.5,
      'USD',
    ],
    [4, { '/dashboard/billing/credit_grants': { total_available: 3 } }, 3, 'USD'],
    [5, { '/sb-api/user/status': { data: { credit: '99' } } }, 99, 'points'],
    [10, { '/api/report/getUserOverview': { success: true, data: { totalPoints: 12 } } }, 12, 'points'],
    [12, { '/dashboard/billing/credit_grants': { total_remaining: 1.25 } }, 1.25, 'USD'],
    [13, { '/dashboard/billing/credit_grants': { total_available: 0 } }, 0, 'USD'],
    [20, { '/v1/credits': { data: { total_credits: 5, total_usage: 6 } } }, -1, 'USD'],
    [36, { '/user/balance': { balance_infos: [{ currency: 'CNY', total_balance: '110.00' }] } }, 110, 'CNY'],
    [44, { '/v1/user/info': { data: { totalBalance: '88.5' } } }, 88.5, 'CNY'],
  ])('of type %i are requested from the provider, stored and shown', async (type, replies, balance, currency) => {
    const { url, seen } = await vendor(replies)
    const id = await add(type, url)
    expect(await channel(id)).toMatchObject({ balance: 0, balance_currency: '', balance_updated_time: 0 })
    expect(await update(id)).toMatchObject({ success: true, message: '', balance, currency })
    expect(await channel(id)).toMatchObject({
      balance,
      balance_currency: currency,
      balance_updated_time: Math.floor(bench.clock.now / 1_000),
    })
    expect(seen).toHaveLength(Object.keys(replies).length)
    for (const { headers, method } of seen) {
      expect(method).toBe('GET')
      expect([headers.authorization, headers['api-key']]).toContain(type === 10 ? KEY : `Bearer ${KEY}`)
    }
  })

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a refusal', { '/user/balance': 401 }, 'it answered with status 401'],
    ['a redirect', { '/user/balance': 302 }, 'it redirects elsewhere'],
    ['no JSON', { '/user/balance': '<html>' }, 'its answer contains no balance'],
    ['another JSON', { '/user/balance': { message: KEY } }, 'its answer contains no balance'],
    ['too much', { '/user/balance': 'x'.repeat(70_000) }, 'its answer is too large'],
  ])('keep what they were after %s', async (_, replies, reason) => {
    const { url } = await vendor({ '/user/balance': { balance_infos: [{ currency: 'CNY', total_balance: '7' }] } })
    const id = await add(36, url)
    await update(id)
    const broken = await vendor(replies)
    await bench.ask('PUT', '/api/channel/', { as: root, body: { id, base_url: broken.url } })
    const reply = await update(id)
    expect(reply).toMatchObject({
      success: false,
      message: `The balance could not be read from the provider: ${reason}.`,
    })
    expect(JSON.stringify(reply)).not.toContain(KEY)
    expect(await channel(id)).toMatchObject({ balance: 7 })
  })

  it('are not guessed where no provider reports them', async () => {
    const id = await add(14, '')
    expect(await update(id)).toMatchObject({
      success: false,
      message: 'Channels of type Anthropic do not report a balance.',
    })
    expect(await update(999)).toMatchObject({ code: 'not_found' })
    await bench.database.kysely.updateTable('channel').set({ key_sealed: 'v1.lost', type: 1 }).execute()
    expect(await update(id)).toMatchObject({
      message: 'The key of this channel cannot be decrypted with the current master key.',
    })
  })

  it('of all enabled channels are requested in the background, one run at a time', async () => {
    const asked = Promise.withResolvers<void>()
    const money = { balance_infos: [{ currency: 'CNY', total_balance: '7' }] }
    const good = await vendor({ '/user/balance': money }, asked.promise)
    const bad = await vendor({})
    const ids = [await add(36, good.url), await add(36, bad.url), await add(36, good.url), await add(14, good.url)]
    await bench.ask('PUT', '/api/channel/?status_only=1', { as: root, body: { id: ids[2], status: 2 } })
    const all = () => bench.ask('GET', '/api/channel/update_balance', { as: root })
    expect(await all()).toMatchObject({ success: true })
    expect(await all()).toMatchObject({ success: false, message: 'The balance update is already running.' })
    asked.resolve()
    await bench.settleBackground()
    const state = await bench.ask<ChannelJob>('GET', '/api/channel/update_balance/status', { as: root })
    expect(state.data).toMatchObject({ running: false, total: 2, done: 2, failed: 1 })
    expect((await Promise.all(ids.map(channel))).map((found) => found?.balance)).toEqual([7, 0, 0, 0])
    const sorted = await bench.ask<Channel[]>('GET', '/api/channel/?sort=balance&order=desc', { as: root })
    expect(sorted.data?.[0]?.id).toBe(ids[0])
  })

  it('cannot be triggered by a link on another site', { tags: 'S34' }, async () => {
    const { url, seen } = await vendor({ '/user/balance': {} })
    const id = await add(36, url)
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const path of [`/api/channel/update_balance/${id}`, '/api/channel/update_balance']) {
      expect(await bench.ask('GET', path, { as: root, headers })).toMatchObject({ code: 'cross_site' })
    }
    expect(seen).toHaveLength(0)
  })
})
