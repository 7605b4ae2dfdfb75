import type { Channel } from '@sluice/contract/channel'
import { cozeDocument, googleDocument } from '@sluice/testkit/channel-bodies'
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

  it('no call returns a key, and none is stored in the clear', { tags: ['S20', 'S33'] }, async () => {
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

  it('a form that sends back what it was given leaves every secret as it is', { tags: 'S33' }, async () => {
    const adc = googleDocument({ private_key_id: `${CANARY}|x` })
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

  it('one new part of a joined key replaces that part only', { tags: 'S33' }, async () => {
    await create({ type: 33, config: JSON.stringify({ ak: 'AK', sk: 'SK', region: 'eu-west-1' }) })
    const { id } = await newest()
    await put({ id, config: '{"region":"us-east-1"}' })
    expect(await keyOf(id)).toBe('AK|SK|us-east-1')
    await put({ id, config: '{"region":"us-east-1","sk":"NEW"}' })
    expect(await keyOf(id)).toBe('AK|NEW|us-east-1')
    expect((await stored(id)).config).toBe('{"region":"us-east-1"}')
    expect(await create({ type: 33, config: '{"ak":"AK"}' })).toMatchObject({
      message: 'config.sk: is required together with ak.',
    })
  })

  it('a JSON key of Coze is one key, and complete', async () => {
    const config = '{"auth_type":"oauth_jwt"}'
    expect((await create({ type: 34, config, key: cozeDocument() })).message).toBe('')
    expect(await create({ type: 34, config, key: cozeDocument({ client_id: '' }) })).toMatchObject({
      message: 'key: Missing required field: client_id.',
    })
    expect(await create({ type: 34, config, key: 'pat-1' })).toMatchObject({ message: 'key: Invalid JSON format.' })
    expect((await create({ type: 34, key: 'pat-1' })).message).toBe('')
  })

  it('a channel whose key can no longer be opened keeps it until there is a new one', async () => {
    await create({ type: 1, key: 'sk-old' })
    const { id } = await newest()
    await bench.database.kysely.updateTable('channel').set({ key_sealed: 'v1.lost' }).where('id', '=', id).execute()
    expect((await put({ id, name: 'still here' })).success).toBe(true)
    expect((await stored(id)).key_sealed).toBe('v1.lost')
    await put({ id, key: 'sk-new' })
    expect(await keyOf(id)).toBe('sk-new')
  })

  it('rows that arrived with credentials in their config do not show them', { tags: 'S20' }, async () => {
    await create({ type: 1, key: 'k' })
    const { id } = await newest()
    for (const config of [`{"sk":"${CANARY}","region":"eu"}`, `{"vertex_ai_adc":"${CANARY}"}`, `broken ${CANARY}`]) {
      await bench.database.kysely.updateTable('channel').set({ config }).where('id', '=', id).execute()
      const reply = await bench.ask('GET', `/api/channel/${id}`, { as: root })
      expect(reply.success).toBe(true)
      expect(JSON.stringify(reply)).not.toContain(CANARY)
    }
  })

  it('a masked preview is never stored in place of a secret', { tags: 'S33' }, async () => {
    await create({ type: 33, config: JSON.stringify({ ak: 'AK', sk: 'SK', region: 'eu-west-1' }) })
    const { id } = await newest()
    for (const change of [{ key: 'AK|****|eu-west-1' }, { config: '{"region":"eu-west-1","sk":"••••"}' }]) {
      expect(await put({ id, ...change })).toMatchObject({
        message: expect.stringContaining('is masked; leave it empty to keep the stored value'),
      })
    }
    expect(await keyOf(id)).toBe('AK|SK|eu-west-1')
  })

  it('no refusal repeats a secret', { tags: 'S20' }, async () => {
    const bodies = [
      { type: 16, key: CANARY },
      { type: 1, key: `${CANARY} ${CANARY}` },
      { type: 42, key: `us|p|{"private_key":"${CANARY}"` },
      { type: 1, key: 'k', config: `{"sk":"${CANARY}"}` },
      { type: 33, key: '', config: `{"sk":"${CANARY}"}` },
    ]
    for (const body of bodies) {
      const reply = await create(body)
      expect(reply.success).toBe(false)
      expect(JSON.stringify(reply)).not.toContain(CANARY)
    }
  })

  it.each([
    'http://169.254.169.254/latest',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.169.254./',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
  ])('no channel may point at %s', { tags: ['S3', 'S4'] }, async (base_url) => {
    const refused = { success: false, message: 'base_url: points to an address that channels may not use.' }
    expect(await create({ type: 1, key: 'k', base_url })).toMatchObject(refused)
    await create({ type: 1, key: 'k' })
    const { id } = await newest()
    expect(await put({ id, base_url })).toMatchObject(refused)
  })

  it('an address that only looks harmless is refused when its balance is requested', { tags: 'S4' }, async () => {
    await create({ type: 1, key: `sk-${CANARY}` })
    const { id } = await newest()
    // Stands for a name that resolves there: the stored row has bypassed the check.
    const address = { base_url: 'http://169.254.169.254' }
    await bench.database.kysely.updateTable('channel').set(address).where('id', '=', id).execute()
    const reply = await bench.ask('GET', `/api/channel/update_balance/${id}`, { as: root })
    expect(reply).toMatchObject({
      success: false,
      message: 'The balance could not be read from the provider: its address is not allowed.',
    })
  })

  it('settings that name further addresses are not accepted', { tags: 'S5' }, async () => {
    for (const config of ['{"endpoint_urls":{"chat":"http://10.0.0.1"}}', '{"custom_headers":{"host":"x"}}']) {
      expect(await create({ type: 1, key: 'k', config })).toMatchObject({
        message: expect.stringMatching(/^config\.\w+: is not a channel setting\.$/),
      })
    }
  })

  it('a region cannot become another host', { tags: 'S1' }, async () => {
    for (const region of ['x.evil.example/#', 'eu-west-1.evil', '@evil']) {
      const config = JSON.stringify({ ak: 'AK', sk: 'SK', region })
      expect(await create({ type: 33, config })).toMatchObject({
        message: 'config.region: must be a region such as us-east-1.',
      })
    }
  })
})
