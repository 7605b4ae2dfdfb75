import type { UsableGroups } from '@sluice/contract/groups'
import type { Token } from '@sluice/contract/token'
import { findTokenById } from '@sluice/store/snapshots/tokens'
import { databaseEngines } from '@sluice/testkit/databases'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe.each(databaseEngines)('groups of tokens on %s', (engine) => {
  let bench: ManagementBench
  let root: TestCaller
  let ann: TestCaller
  beforeAll(async () => {
    bench = await openManagementBench(engine)
    root = await bench.addCaller('root', 100)
    ann = await bench.addCaller('ann', 1)
  })
  afterAll(async () => {
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const set = async (options: Readonly<Record<string, unknown>>) => {
    const body = Object.entries(options).map(([key, value]) => ({ key, value: JSON.stringify(value) }))
    return await bench.ask('PUT', '/api/option/', { as: root, body })
  }
  const options = async (): Promise<ReadonlyMap<string, string>> => {
    const { data = [] } = await bench.ask<{ key: string; value: string }[]>('GET', '/api/option/', { as: root })
    return new Map(data.map(({ key, value }) => [key, value]))
  }
  const row = async (key: string) =>
    (await bench.database.kysely.selectFrom('option').select('value').where('key', '=', key).executeTakeFirst())?.value

  it('are set under every name, and stored once: names and ratios where every version reads them', async () => {
    expect(
      await set({
        UserUsableGroups: { fast: 'for those in a hurry' },
        GroupGroupRatio: { vip: { fast: 1.5 } },
        AutoGroups: ['fast', 'default'],
        GroupRatio: { default: 1, vip: 0.8, fast: 2 },
      }),
    ).toMatchObject({ success: true })
    const shown = await options()
    expect(JSON.parse(shown.get('Groups') ?? '')).toMatchObject({
      default: { ratio: 1, usable_by: [], order: 2 },
      fast: { ratio: 2, text: 'for those in a hurry', usable_by: ['*'], ratio_for: { vip: 1.5 }, order: 1 },
    })
    expect(shown.get('AutoGroups')).toBe('["fast","default"]')
    expect(await row('GroupRatio')).toBe('{"default":1,"vip":0.8,"fast":2}')
    expect(JSON.parse((await row('Groups')) ?? '')).toEqual({
      default: { order: 2 },
      fast: { text: 'for those in a hurry', usable_by: ['*'], ratio_for: { vip: 1.5 }, order: 1 },
    })
    expect(await row('AutoGroups')).toBeUndefined()
  })

  it('follow what a replica of the version before writes: it knows the ratios only', async () => {
    const before = await row('GroupRatio')
    const text = '{"default":1,"vip":0.8,"fast":3,"new":1}'
    await bench.database.kysely.updateTable('option').set({ value: text }).where('key', '=', 'GroupRatio').execute()
    // Any change makes this process read the rows again.
    expect(await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'SystemName', value: 'x' } })).toMatchObject(
      {
        success: true,
      },
    )
    expect(JSON.parse((await options()).get('Groups') ?? '')).toMatchObject({
      fast: { ratio: 3, text: 'for those in a hurry', usable_by: ['*'], order: 1 },
      new: { ratio: 1, usable_by: [] },
    })
    await bench.ask('PUT', '/api/option/', { as: root, body: { key: 'GroupRatio', value: before } })
  })

  it('are kept in their order with the token, and read with its key', async () => {
    const make = (body: object) => bench.ask<Token>('POST', '/api/token/', { as: ann, body: { name: 'k', ...body } })
    const { data } = await make({ groups: ['fast', 'default'] })
    expect(data).toMatchObject({ groups: ['fast', 'default'], group: 'fast' })
    const id = data?.id ?? 0
    expect((await findTokenById(bench.database.kysely, id))?.token.groups).toEqual(['fast', 'default'])
    const admin = await bench.ask('GET', `/api/admin/tokens/${id}`, { as: root })
    expect(admin).toMatchObject({ data: { groups: ['fast', 'default'], group: 'fast' } })
    const edited = await bench.ask('PUT', '/api/token/', { as: ann, body: { id, name: 'k', groups: [] } })
    expect(edited).toMatchObject({ data: { groups: [], group: '' } })
    expect((await findTokenById(bench.database.kysely, id))?.token.groups).toEqual([])
    expect(await make({ groups: ['vip'] })).toMatchObject({ code: 'invalid_body' })
  })

  it('of tokens from before are none', async () => {
    const { data } = await bench.ask<Token>('POST', '/api/token/', { as: ann, body: { name: 'old' } })
    const { groups } = await bench.database.kysely
      .selectFrom('token')
      .select('groups')
      .where('id', '=', data?.id ?? 0)
      .executeTakeFirstOrThrow()
    expect(groups).toBeNull()
  })

  it('can be chosen among those that the caller may use, and guests see those of everyone', async () => {
    const groups = async (path: string, as?: TestCaller) =>
      (await bench.ask<UsableGroups>('GET', path, as ? { as } : {})).data
    expect(
      Object.entries((await groups('/api/user/self/groups', ann)) ?? {}).map(([name, { ratio }]) => [name, ratio]),
    ).toEqual([
      ['default', 1],
      ['fast', 2],
      ['auto', '自动'],
    ])
    expect(await groups('/api/user/groups', ann)).toEqual(await groups('/api/user/self/groups', ann))
    expect(Object.keys((await groups('/api/user/groups')) ?? {})).toEqual(['fast', 'auto'])
    expect((await bench.ask('GET', '/api/user/self/groups')).status).toBe(401)
  })

  it('that users belong to stay, whichever setting drops them', async () => {
    await bench.ask('PUT', '/api/user/', { as: root, body: { id: ann.id, group: 'vip' } })
    const reply = await set({ Groups: { default: {} } })
    expect(reply).toMatchObject({
      success: false,
      message: 'GroupRatio must keep the group "vip", because users belong to it',
    })
  })
})
