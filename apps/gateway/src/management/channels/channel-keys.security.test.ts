import type { Channel, ChannelKey } from '@sluice/contract/channel'
import { startSite } from '@sluice/testkit/http-site'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const KEYS = ['sk-canary-first', 'sk-canary-second', 'sk-canary-third']
const ELSEWHERE = 'https://elsewhere.example'
const WOULD_TRAVEL = 'key: is required, because the channel would send its key to a different address.'

describe('several stored keys', () => {
  let bench: ManagementBench
  let root: TestCaller
  let admin: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
    admin = await bench.addCaller('admin', 10)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const add = async (more: object = {}) => {
    const body = { name: 'c', type: 1, key: KEYS.join('\n'), keys_in_one: true, models: 'm', ...more }
    const reply = await bench.ask<number[]>('POST', '/api/channel/', { as: root, body })
    expect(reply.message).toBe('')
    return reply.data?.[0] ?? 0
  }
  const put = (as: TestCaller, body: object) => bench.ask<Channel>('PUT', '/api/channel/', { as, body })
  const keysOf = async (id: number) =>
    (await bench.ask<ChannelKey[]>('GET', `/api/channel/${id}/keys`, { as: root })).data ?? []

  it('are not moved to another address by adding a key of one’s own', { tags: ['S5', 'S33'] }, async () => {
    const id = await add()
    for (const body of [{ key: 'sk-own', key_mode: 'append' }, { key: '' }, {}]) {
      expect((await put(admin, { id, base_url: ELSEWHERE, ...body })).message).toBe(WOULD_TRAVEL)
    }
    const draft = { id, base_url: ELSEWHERE, key: 'sk-own', key_mode: 'append' }
    const trial = await bench.ask('POST', '/api/channel/test', { as: admin, body: draft })
    expect(trial.message).toBe(WOULD_TRAVEL)
    expect(await keysOf(id)).toHaveLength(KEYS.length)
    const own = await put(admin, { id, base_url: ELSEWHERE, key: 'sk-own\nsk-other', keys_in_one: true })
    expect(own.data).toMatchObject({ base_url: ELSEWHERE, key_count: 2 })
    expect((await put(root, { id, base_url: '' })).message).toBe('')
  })

  it('are not given another meaning by adding one of another vendor', { tags: ['S5', 'S33'] }, async () => {
    const id = await add()
    const moved = await put(root, { id, type: 33, key: 'AK|SK|eu-west-1', key_mode: 'append' })
    expect(moved.message).toContain('channels of this type use a different format')
    expect((await put(root, { id, type: 33, key: 'AK|SK|eu-west-1' })).data).toMatchObject({ type: 33, key_count: 1 })
  })

  it('are not joined by a masked one', { tags: 'S33' }, async () => {
    const id = await add()
    const masked = await put(root, { id, key: 'sk-good\nsk-***-first', key_mode: 'append' })
    expect(masked.message).toContain('key 2 is masked')
    expect(await keysOf(id)).toHaveLength(KEYS.length)
  })

  it('appear in no answer, no list and no record', { tags: 'S20' }, async () => {
    const id = await add()
    const [first] = await keysOf(id)
    const seen = [
      await bench.ask('GET', `/api/channel/${id}`, { as: root }),
      await bench.ask('GET', '/api/channel/', { as: root }),
      await bench.ask('GET', `/api/channel/${id}/keys`, { as: root }),
      await put(root, { id, key: KEYS.join('\n'), key_mode: 'append' }),
      await bench.ask('PUT', `/api/channel/${id}/keys/${first?.fingerprint}`, { as: root, body: { status: 2 } }),
      await bench.ask('DELETE', `/api/channel/${id}/keys/${first?.fingerprint}`, { as: root }),
      await bench.ask('GET', '/api/audit/?size=50', { as: root }),
      await bench.database.kysely.selectFrom('channel').selectAll().execute(),
      await bench.database.kysely.selectFrom('channel_key').selectAll().execute(),
      await bench.database.kysely.selectFrom('audit').selectAll().execute(),
    ]
    expect(JSON.stringify(seen)).not.toContain('canary')
  })

  it('that are off are not used to request balances or models', async () => {
    const requested: (string | undefined)[] = []
    const site = await startSite(async ({ headers }) => {
      requested.push(headers.authorization)
      return { body: { data: [{ id: 'm' }], total_available: 1 } }
    })
    const id = await add({ type: 4, base_url: site.url })
    const [first] = await keysOf(id)
    await bench.ask('PUT', `/api/channel/${id}/keys/${first?.fingerprint}`, { as: root, body: { status: 2 } })
    await bench.ask('GET', `/api/channel/update_balance/${id}`, { as: root })
    await bench.ask('POST', '/api/channel/fetch_models', { as: root, body: { id } })
    await bench.ask('POST', '/api/channel/fetch_models', { as: root, body: { id, key: 'sk-new', key_mode: 'append' } })
    await site.close()
    expect(requested).toEqual(['Bearer sk-canary-second', 'Bearer sk-canary-second', 'Bearer sk-new'])
  })
})
