import type { Channel } from '@sluice/contract/channel'
import { replyOfSettings, settingsOfBody } from '@sluice/contract/fields/channel'
import { readVersions } from '@sluice/store/snapshots/versions'
import { CHANNEL_BODIES } from '@sluice/testkit/channel-bodies'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addUsage } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

describe('channels', () => {
  let bench: ManagementBench
  let admin: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench()
    admin = await bench.addCaller('admin', 10)
  })
  beforeEach(() =>
    bench.database.kysely
      .deleteFrom('channel')
      .execute()
      .then(() => {}),
  )
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const create = (body: object) =>
    bench.ask('POST', '/api/channel/', { as: admin, body: { name: 'one', type: 1, key: 'sk-upstream', ...body } })
  const list = async (query = ''): Promise<readonly Channel[]> =>
    (await bench.ask<Channel[]>('GET', `/api/channel/${query}`, { as: admin })).data ?? []
  const made = async (body: object): Promise<Channel> => {
    const reply = await create(body)
    const [channel] = await list('?size=1')
    if (!reply.success || channel === undefined) throw new Error(reply.message)
    return channel
  }
  const put = (body: object) => bench.ask<Channel>('PUT', '/api/channel/', { as: admin, body })
  const keyOf = async (id: number): Promise<string> => {
    const { key_sealed: sealed } = await bench.database.kysely
      .selectFrom('channel')
      .select('key_sealed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const opened = bench.vault.open('channel_key', sealed)
    return opened.ok ? opened.text : opened.reason
  }

  it('are created with what was given, tidied, and their key sealed', async () => {
    const channel = await made({
      base_url: 'https://api.example.org/v1/ ',
      models: ' gpt-4o,o3 ,,gpt-4o, text-embedding-3-small',
      group: 'default, vip',
      model_mapping: '{"a":"b"}',
      model_configs: '{"gpt-4o":{"ratio":1}}',
      system_prompt: '',
      priority: -5,
      weight: 3,
      ratelimit: 7,
      testing_model: 'o3',
      config: '{"api_format":"response"}',
    })
    expect(channel).toEqual({
      ...replyOfSettings(settingsOfBody({})),
      id: channel.id,
      name: 'one',
      type: 1,
      base_url: 'https://api.example.org/v1',
      other: '',
      models: 'gpt-4o,o3,text-embedding-3-small',
      model_mapping: '{"a":"b"}',
      model_configs: '{"gpt-4o":{"ratio":1}}',
      system_prompt: null,
      group: 'default,vip',
      priority: -5,
      weight: 3,
      ratelimit: 7,
      status: 1,
      response_time: 0,
      test_time: 0,
      testing_model: 'o3',
      created_time: Math.floor(bench.clock.now / 1_000),
      used_quota: 0,
      used_quota_exact: '0',
      balance: 0,
      balance_currency: '',
      balance_updated_time: 0,
      inference_profile_arn_map: null,
      config: '{"api_format":"response"}',
      test_models: ['gpt-4o', 'o3'],
      disabled_reason: '',
      disabled_time: 0,
      key_count: 1,
      managed_by: '',
      managed_status: false,
    })
    expect(await keyOf(channel.id)).toBe('sk-upstream')
  })

  it('accept null for what was never set, as other servers of the family export it', async () => {
    const unset = { base_url: null, other: null, models: null, group: null, config: null, testing_model: null }
    const exported = { ...unset, priority: null, weight: null, ratelimit: null, model_mapping: null }
    const plain = { base_url: '', other: '', models: '', group: 'default', priority: 0, weight: 0, ratelimit: 0 }
    expect(await made(exported)).toMatchObject(plain)
    const { id } = await made({ models: 'o3', group: 'vip', priority: 5, weight: 3 })
    expect((await put({ id, ...exported })).data).toMatchObject(plain)
  })

  it('are created one per line of the key', async () => {
    await create({ key: 'sk-1\n\n  sk-2 \r\nsk-3\n', models: 'm' })
    const channels = await list()
    expect(channels).toHaveLength(3)
    expect(await Promise.all(channels.map((channel) => keyOf(channel.id)))).toEqual(['sk-3', 'sk-2', 'sk-1'])
    expect(await create({ key: Array.from({ length: 501 }, (_, i) => `k${i}`).join('\n') })).toMatchObject({
      message: 'key: at most 500 keys can be added at once.',
    })
  })

  it('are stored for every type', async () => {
    for (const body of CHANNEL_BODIES) expect([body.type, (await create(body)).message]).toEqual([body.type, ''])
    const stored = await list('?size=100&sort=type&order=asc')
    expect(stored.map((channel) => channel.type)).toEqual(CHANNEL_BODIES.map(({ type }) => type))
    for (const channel of stored) {
      expect((await put({ ...channel, key: '' })).data).toEqual(channel)
    }
    expect(await create({ type: 52 })).toMatchObject({ message: 'type: Unknown channel type.' })
    expect(await create({ type: 0 })).toMatchObject({ message: 'type: Channel type is required.' })
  })

  it('refuse what their form refuses', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ name: ' ' }, 'name: Channel name is required.'],
      [{ key: ' ' }, 'key: API key is required.'],
      [{ type: 3 }, 'base_url: Base URL is required for this channel type.'],
      [{ type: 50, base_url: '' }, 'base_url: Base URL is required for this channel type.'],
      [{ base_url: 'ftp://x' }, 'base_url: must be an http:// or https:// address without a user, query or fragment.'],
      [
        { base_url: 'https://u:p@x' },
        'base_url: must be an http:// or https:// address without a user, query or fragment.',
      ],
      [{ model_mapping: '{' }, 'model_mapping: Invalid JSON format.'],
      [{ inference_profile_arn_map: '[]' }, 'inference_profile_arn_map: Invalid JSON format.'],
      [{ model_configs: '[]' }, 'model_configs: Model configs must be a JSON object.'],
      [{ model_configs: '{"m":{"ratio":-1}}' }, 'model_configs: Invalid ratio for model "m".'],
      [{ config: 'x' }, 'config: Invalid JSON format.'],
      [{ priority: 1.5 }, 'priority: Priority must be an integer.'],
      [{ priority: 2 ** 31 }, 'priority: expected <=2147483647, got 2147483648.'],
      [{ models: 'a', testing_model: 'b' }, 'testing_model: must be one of the models of the channel.'],
      [{ key: 'sk one' }, 'key: may contain only printable ASCII characters without spaces.'],
      [{ type: 18, key: 'a|b' }, 'key: must be written as APPID|APISecret|APIKey or one word (an API password).'],
      [{ type: 18, key: 'a|b|c', other: 'x' }, 'other: must be a Spark version such as v3.5.'],
      [{ type: 37 }, 'config.user_id: is required: the id of the Cloudflare account.'],
      [{ config: '{"colour":"red"}' }, 'config.colour: is not a channel setting.'],
      [{ model_mapping: '{"a":" "}' }, 'model_mapping: Invalid mapping for model "a": must be a model name.'],
      [{ inference_profile_arn_map: '{"a":"b"}' }, 'inference_profile_arn_map: Invalid ARN for model "a".'],
    ]
    for (const [body, message] of cases)
      expect(await create(body)).toMatchObject({ success: false, code: 'invalid_body', message })
  })

  it('change field by field; null clears, an empty key keeps the key', async () => {
    const channel = await made({
      models: 'a,b',
      testing_model: 'a',
      system_prompt: 'be kind',
      model_mapping: '{"x":"a"}',
    })
    const saved = await put({ id: channel.id, name: 'two', key: '', testing_model: null, system_prompt: null })
    expect(saved).toMatchObject({
      success: true,
      data: { ...channel, name: 'two', testing_model: null, system_prompt: null },
    })
    expect(await keyOf(channel.id)).toBe('sk-upstream')
    await put({ id: channel.id, name: 'two', testing_model: 'b' })
    expect((await put({ id: channel.id, name: 'two', models: 'a,c' })).data).toMatchObject({
      models: 'a,c',
      testing_model: null,
    })
    await put({ id: channel.id, key: ' sk-new ', status: 2 })
    expect(await keyOf(channel.id)).toBe('sk-new')
    expect((await list())[0]).toMatchObject({ status: 2, name: 'two', model_mapping: '{"x":"a"}' })
    expect(await put({ id: channel.id, key: 'a\nb' })).toMatchObject({
      message: 'key: an update accepts only one key.',
    })
    expect(await put({ id: channel.id, type: 50 })).toMatchObject({
      message: expect.stringContaining('Base URL is required'),
    })
    expect(await put({ id: 999, name: 'x' })).toMatchObject({ code: 'not_found', message: 'Channel not found.' })
  })

  it('are switched by status alone, deleted one by one, or deleted because they are off', async () => {
    const first = await made({ name: 'first' })
    const second = await made({ name: 'second' })
    await made({ name: 'third' })
    const off = await bench.ask('PUT', '/api/channel/?status_only=1', { as: admin, body: { id: first.id, status: 2 } })
    expect(off).toMatchObject({ success: true, data: { id: first.id, status: 2 } })
    expect(await bench.ask('DELETE', '/api/channel/disabled', { as: admin })).toMatchObject({ success: true, data: 1 })
    expect(await bench.ask('DELETE', `/api/channel/${second.id}`, { as: admin })).toMatchObject({ success: true })
    expect((await list()).map((channel) => channel.name)).toEqual(['third'])
  })

  it('are sorted by what was charged through them, and searched by name', async () => {
    const ids = [
      (await made({ name: 'alpha' })).id,
      (await made({ name: 'beta' })).id,
      (await made({ name: 'Alpine' })).id,
    ]
    const today = Math.floor(bench.clock.now / 86_400_000)
    await addUsage(bench.database.kysely, { day: today - 40, channel_id: ids[0] ?? 0, amount: 5_000_000n })
    await addUsage(bench.database.kysely, { day: today, channel_id: ids[0] ?? 0, amount: 1_999n })
    await addUsage(bench.database.kysely, { day: today, channel_id: ids[2] ?? 0, amount: 9_000n })
    bench.clock.now += 60_000
    const bySpend = await list('?sort=used_quota&order=desc')
    expect(bySpend.map((channel) => [channel.name, channel.used_quota])).toEqual([
      ['alpha', 5_002],
      ['Alpine', 9],
      ['beta', 0],
    ])
    expect((await list('?sort=used_quota&order=asc&size=1&p=1')).map((channel) => channel.name)).toEqual(['Alpine'])
    expect((await list('?sort=name&order=asc')).map((channel) => channel.name)).toEqual(['Alpine', 'alpha', 'beta'])
    expect((await list('search?keyword=alp')).map((channel) => channel.name)).toEqual(['Alpine', 'alpha'])
  })

  it('need a new key when their type writes it in another way', async () => {
    const channel = await made({ type: 33, key: 'AK|SK|eu-west-1' })
    expect(await put({ id: channel.id, type: 1 })).toMatchObject({
      message: 'key: is required, because channels of this type use a different format.',
    })
    expect(await put({ id: channel.id, type: 1, key: 'sk-new' })).toMatchObject({ data: { type: 1 } })
    const address = 'https://api.openai.com'
    expect(await put({ id: channel.id, type: 14, base_url: address })).toMatchObject({ data: { type: 14 } })
    expect(await keyOf(channel.id)).toBe('sk-new')
  })

  it('can be renamed although they break a newer rule', async () => {
    const channel = await made({})
    const old = { other: 'x\u0001', config: '{"colour":"red"}', base_url: 'gopher://x' }
    await bench.database.kysely.updateTable('channel').set(old).execute()
    expect(await put({ ...channel, ...old, name: 'renamed' })).toMatchObject({ data: { name: 'renamed' } })
    expect(await put({ id: channel.id, base_url: 'gopher://y' })).toMatchObject({ success: false })
    expect(await put({ id: channel.id, config: '{"colour":"blue"}' })).toMatchObject({ success: false })
    expect(await put({ id: channel.id, type: 50 })).toMatchObject({ success: false })
  })

  it('send back the state that only the gateway sets', async () => {
    const { id } = await made({})
    expect(await put({ id, status: 3 })).toMatchObject({ message: 'status: must be 1 (enabled) or 2 (disabled).' })
    await bench.database.kysely.updateTable('channel').set({ status: 3, recent_tests: '000' }).execute()
    expect(await put({ id, name: 'two', status: 3 })).toMatchObject({ data: { name: 'two', status: 3 } })
    expect(await put({ id, status: 1 })).toMatchObject({ data: { status: 1 } })
    const [row] = await bench.database.kysely.selectFrom('channel').select('recent_tests').execute()
    expect(row?.recent_tests).toBe('')
    expect(
      await bench.ask('PUT', '/api/channel/?status_only=true', { as: admin, body: { id, status: 3 } }),
    ).toMatchObject({ message: 'status: Status must be 1 (enabled) or 2 (disabled).' })
  })

  it('accept nothing that is not theirs to set', async () => {
    const channel = await made({})
    const foreign = {
      used_quota: 5,
      balance: 5,
      balance_updated_time: 5,
      response_time: 5,
      test_time: 5,
      created_time: 5,
    }
    expect((await put({ id: channel.id, ...foreign })).data).toEqual(channel)
  })

  it('keep the changes that two administrators make at the same time', async () => {
    const { id } = await made({})
    await Promise.all([put({ id, name: 'named' }), put({ id, weight: 7 })])
    expect((await list())[0]).toMatchObject({ name: 'named', weight: 7 })
  })

  it('are copied with their key and without their past', async () => {
    const channel = await made({ name: 'n'.repeat(98), models: 'a', status: 2 })
    await bench.database.kysely
      .updateTable('channel')
      .set({ response_time: 5, test_time: 5, balance_micros: 5, balance_time: 5 })
      .execute()
    const copy = await bench.ask<Channel>('POST', `/api/channel/${channel.id}/duplicate`, { as: admin })
    const id = copy.data?.id ?? 0
    expect(copy.data).toEqual({ ...channel, id, name: `${'n'.repeat(95)} Copy` })
    expect(await keyOf(id)).toBe('sk-upstream')
    expect(await bench.ask('POST', '/api/channel/999/duplicate', { as: admin })).toMatchObject({ code: 'not_found' })
  })

  it('raise the version that the relay follows with every change', async () => {
    const version = async () => (await readVersions(bench.database.kysely)).channels
    let seen = await version()
    const raised = async (call: Promise<unknown>): Promise<boolean> => {
      await call
      const before = seen
      seen = await version()
      return seen > before
    }
    const { id } = await made({ models: 'a' })
    seen = await version()
    const path = `/api/channel/${id}`
    expect(await raised(put({ id, priority: 1 }))).toBe(true)
    expect(await raised(put({ id, priority: 1 }))).toBe(false)
    const off = { as: admin, body: { id, status: 2 } }
    expect(await raised(bench.ask('PUT', '/api/channel/?status_only=1', off))).toBe(true)
    expect(await raised(bench.ask('POST', `${path}/duplicate`, { as: admin }))).toBe(true)
    const prices = { as: admin, body: { model_configs: { a: { ratio: 1 } } } }
    expect(await raised(bench.ask('PUT', `/api/channel/pricing/${id}`, prices))).toBe(true)
    expect(await raised(bench.ask('DELETE', path, { as: admin }))).toBe(true)
    expect(await raised(bench.ask('DELETE', '/api/channel/disabled', { as: admin }))).toBe(true)
  })

  it('offer their models to the users of their groups', async () => {
    await made({ models: 'b,a', group: 'default' })
    await made({ models: 'c', group: 'vip' })
    const user = await bench.addCaller('user', 1)
    expect(await bench.ask('GET', '/api/user/available_models', { as: user })).toMatchObject({ data: ['a', 'b'] })
  })
})
