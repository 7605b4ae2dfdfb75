import type { Channel } from '@sluice/contract/channel'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const CANARY = 'canary-7f3a91'

describe('channel secrets', () => {
  let bench: ManagementBench
  let root: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const create = (body: object) =>
    bench.ask('POST', '/api/channel/', { as: root, body: { name: 'c', models: 'm', ...body } })
  const newest = async (): Promise<Channel> => {
    const [channel] = (await bench.ask<Channel[]>('GET', '/api/channel/?size=1', { as: root })).data ?? []
    if (channel === undefined) throw new Error('no channel')
    return channel
  }
  const put = (body: object) => bench.ask<Channel>('PUT', '/api/channel/', { as: root, body })
  const stored = (id: number) =>
    bench.database.kysely.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const keyOf = async (id: number) => {
    const opened = bench.vault.open('channel_key', (await stored(id)).key_sealed)
    return opened.ok ? opened.text : opened.reason
  }

  it('S20 S33 no call answers a key, and none is stored in clear', async () => {
    expect((await create({ type: 1, key: `sk-${CANARY}` })).success).toBe(true)
    const { id } = await newest()
    const replies = [
      await bench.ask('GET', '/api/channel/', { as: root }),
      await bench.ask('GET', '/api/channel/search?keyword=c', { as: root }),
      await bench.ask('GET', `/api/channel/${id}`, { as: root }),
      await put({ id, name: 'renamed' }),
      await put({ id, key: `sk-2-${CANARY}` }),
      await bench.ask('PUT', '/api/channel/?status_only=1', { as: root, body: { id, status: 1 } }),
      await bench.ask('GET', `/api/channel/test/${id}`, { as: root }),
      await put({ id, key: `sk-${CANARY}\nsk-${CANARY}` }),
    ]
    for (const reply of replies) expect(JSON.stringify(reply)).not.toContain(CANARY)
    expect(JSON.stringify(await stored(id))).not.toContain(CANARY)
  })

  it('S33 a form that sends back what it was given leaves every secret as it is', async () => {
    const adc = JSON.stringify({ type: 'service_account', private_key: `-----\n${CANARY}|x\n-----` }, null, 2)
    const kinds: readonly (readonly [object, string])[] = [
      [{ type: 1, key: `sk-${CANARY}` }, `sk-${CANARY}`],
      [
        { type: 33, key: '', config: JSON.stringify({ ak: 'AK', sk: CANARY, region: 'eu-west-1' }) },
        `AK|${CANARY}|eu-west-1`,
      ],
      [{ type: 33, key: `AK|${CANARY}|us-east-1` }, `AK|${CANARY}|us-east-1`],
      [
        { type: 42, key: '', config: JSON.stringify({ region: 'eu', vertex_ai_project_id: 'p', vertex_ai_adc: adc }) },
        `eu|p|${adc}`,
      ],
      [{ type: 42, key: `eu|p|${adc}` }, `eu|p|${adc}`],
    ]
    for (const [body, key] of kinds) {
      expect((await create(body)).message).toBe('')
      const given = await newest()
      expect(await keyOf(given.id)).toBe(key)
      expect(JSON.stringify(given)).not.toContain(CANARY)
      const saved = await put({ ...given, key: '' })
      expect(saved.data).toEqual(given)
      expect(await keyOf(given.id)).toBe(key)
      expect((await stored(given.id)).config).not.toContain(CANARY)
    }
  })

  it('S33 one new part of a joined key replaces that part only', async () => {
    await create({ type: 33, config: JSON.stringify({ ak: 'AK', sk: 'SK', region: 'eu-west-1' }) })
    const { id } = await newest()
    await put({ id, config: '{"region":"us-east-1"}' })
    expect(await keyOf(id)).toBe('AK|SK|us-east-1')
    await put({ id, config: '{"region":"us-east-1","sk":"NEW"}' })
    expect(await keyOf(id)).toBe('AK|NEW|us-east-1')
    expect((await stored(id)).config).toBe('{"region":"us-east-1"}')
    expect(await create({ type: 33, config: '{"ak":"AK"}' })).toMatchObject({ message: 'key: API key is required.' })
  })

  it('a JSON key of Coze is one key, and complete', async () => {
    const key = {
      client_type: 'jwt',
      client_id: 'c',
      coze_www_base: 'w',
      coze_api_base: 'a',
      private_key: `${CANARY}\n2`,
      public_key_id: 'p',
    }
    const config = '{"auth_type":"oauth_jwt"}'
    expect((await create({ type: 34, config, key: JSON.stringify(key, null, 2) })).message).toBe('')
    expect(await create({ type: 34, config, key: JSON.stringify({ ...key, client_id: '' }) })).toMatchObject({
      message: 'key: Missing required field: client_id.',
    })
    expect(await create({ type: 34, config, key: 'pat-1' })).toMatchObject({ message: 'key: Invalid JSON format.' })
    expect((await create({ type: 34, key: 'pat-1' })).message).toBe('')
  })

  it('a channel whose key cannot be opened any more keeps it until there is a new one', async () => {
    await create({ type: 1, key: 'sk-old' })
    const { id } = await newest()
    await bench.database.kysely.updateTable('channel').set({ key_sealed: 'v1.lost' }).where('id', '=', id).execute()
    expect((await put({ id, name: 'still here' })).success).toBe(true)
    expect((await stored(id)).key_sealed).toBe('v1.lost')
    await put({ id, key: 'sk-new' })
    expect(await keyOf(id)).toBe('sk-new')
  })

  it('S20 rows that came with credentials in their config do not show them', async () => {
    await create({ type: 1, key: 'k' })
    const { id } = await newest()
    for (const config of [`{"sk":"${CANARY}","region":"eu"}`, `{"vertex_ai_adc":"${CANARY}"}`, `broken ${CANARY}`]) {
      await bench.database.kysely.updateTable('channel').set({ config }).where('id', '=', id).execute()
      const reply = await bench.ask('GET', `/api/channel/${id}`, { as: root })
      expect(reply.success).toBe(true)
      expect(JSON.stringify(reply)).not.toContain(CANARY)
    }
  })
})
