import { settingsOfBody } from '@sluice/contract/fields/channel'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel, addUsage } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readVersions } from '../../snapshots/versions.ts'
import { copyChannel } from './channel-copy.ts'
import { setChannelPricing } from './channel-pricing.ts'
import {
  CHANNEL_SORT_COLUMNS,
  deleteChannel,
  deleteDisabledChannels,
  findChannel,
  findChannels,
  insertChannels,
  listChannelIds,
  listChannels,
  listModelsOfGroups,
  setChannelStatus,
  sumByChannel,
  updateChannel,
} from './channels.ts'

const page = { limit: 10, offset: 0 }
const newest = { column: 'id', direction: 'desc' } as const
const settings = {
  ...settingsOfBody({}),
  name: 'a',
  type: 50,
  baseUrl: 'https://api.example.org',
  other: '',
  models: 'm1,m2',
  modelMapping: null,
  modelConfigs: '{}',
  systemPrompt: null,
  groups: 'default,vip',
  priority: -1,
  weight: 2,
  ratelimit: 3,
  testingModel: 'm1',
  inferenceProfileArnMap: null,
  config: '{"region":"eu"}',
}
const one = (keySealed: string) => ({ keySealed, keyCount: 0 })

describe.each(databaseEngines)('channels on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  test('are inserted one per key and listed without the key', async () => {
    const db = database.kysely
    const before = await readVersions(db)
    expect(await insertChannels(db, settings, [one('sealed-1'), one('sealed-2')], 77)).toEqual([1, 2])
    expect((await readVersions(db)).channels).toBe(before.channels + 1)
    const { rows, total } = await listChannels(db, '', newest, page)
    expect(total).toBe(2)
    expect(rows[0]).toEqual({
      ...settings,
      id: 2,
      status: 1,
      responseTime: 0,
      testTime: 0,
      createdTime: 77,
      balanceMicros: 0,
      balanceCurrency: '',
      balanceTime: 0,
      disabledReason: '',
      disabledMs: 0,
      keyCount: 0,
    })
    expect(await findChannel(db, 2)).toMatchObject({ keySealed: 'sealed-2' })
    expect(await findChannel(db, 3)).toBeUndefined()
  })

  test('are sorted by every column, found by id or the start of the name', async () => {
    const db = database.kysely
    await addChannel(db, { name: 'Alpha' })
    await addChannel(db, { name: 'alphabet' })
    await addChannel(db, { name: 'beta' })
    for (const column of Object.values(CHANNEL_SORT_COLUMNS)) {
      expect((await listChannels(db, '', { column, direction: 'asc' }, page)).rows).toHaveLength(3)
    }
    expect((await listChannels(db, 'ALPHA', newest, { limit: 1, offset: 0 })).total).toBe(2)
    expect(await listChannelIds(db, '3')).toEqual([3])
    expect((await listChannels(db, '%', newest, page)).total).toBe(0)
    expect((await findChannels(db, [3, 1, 9])).map((row) => row.name)).toEqual(['beta', 'Alpha'])
    expect(await findChannels(db, [])).toEqual([])
  })

  test('change as a whole or only in status, and a guarded status change happens once', async () => {
    const db = database.kysely
    const id = await addChannel(db)
    const before = await findChannel(db, id)
    if (before === undefined) throw new Error('no channel')
    const next = { ...settings, testingModel: null, ...one('k') }
    expect(await updateChannel(db, id, { next, before, status: undefined })).toBe(true)
    const after = { ...before, ...next }
    expect(await updateChannel(db, id, { next: { ...after, name: 'b' }, before: after, status: 1 })).toBe(true)
    await updateChannel(db, id, { next: { ...after, weight: 9 }, before: after, status: undefined })
    expect(await findChannel(db, id)).toMatchObject({ name: 'b', weight: 9 })
    expect(await updateChannel(db, id, { next, before: next, status: undefined })).toBe(true)
    expect(await updateChannel(db, 99, { next, before: next, status: undefined })).toBe(false)
    expect(await updateChannel(db, 99, { next, before, status: undefined })).toBe(false)
    expect(await findChannel(db, id)).toMatchObject({ testingModel: null, keySealed: 'k', status: 1, priority: -1 })
    expect(await setChannelStatus(db, id, 3, 1)).toBe(true)
    expect(await setChannelStatus(db, id, 3, 1)).toBe(false)
    expect(await setChannelStatus(db, 99, 2)).toBe(false)
  })

  test('are copied with their key, without their past', async () => {
    const db = database.kysely
    const id = await addChannel(db, { key_sealed: 'k', status: 2, response_time: 9, test_time: 9, recent_tests: '11' })
    await db.updateTable('channel').set({ balance_micros: 5, balance_time: 5 }).execute()
    const before = await readVersions(db)
    const copy = await copyChannel(db, id, { name: 'x Copy', createdTime: 4_102_444_800 })
    expect((await readVersions(db)).channels).toBe(before.channels + 1)
    expect(await findChannel(db, copy ?? 0)).toEqual({
      ...(await findChannel(db, id)),
      id: copy,
      name: 'x Copy',
      createdTime: 4_102_444_800,
      responseTime: 0,
      testTime: 0,
      balanceMicros: 0,
      balanceTime: 0,
    })
    expect(await copyChannel(db, 99, { name: 'x', createdTime: 1 })).toBeUndefined()
    expect((await readVersions(db)).channels).toBe(before.channels + 1)
  })

  test('take new prices unless another change was faster', async () => {
    const db = database.kysely
    const id = await addChannel(db, { config: '' })
    const none = { modelConfigs: null, config: '' }
    const priced = { modelConfigs: '{"a":{"ratio":1}}', config: '{"tooling":{}}' }
    expect(await setChannelPricing(db, id, priced, none)).toBe(true)
    expect(await setChannelPricing(db, id, none, none)).toBe(false)
    expect(await findChannel(db, id)).toMatchObject(priced)
    expect(await setChannelPricing(db, id, none, priced)).toBe(true)
    expect(await findChannel(db, id)).toMatchObject(none)
  })

  test('are deleted alone, or all that are disabled by hand or automatically', async () => {
    const db = database.kysely
    const first = await addChannel(db)
    await addChannel(db, { status: 2 })
    await addChannel(db, { status: 3 })
    expect(await deleteDisabledChannels(db)).toBe(2)
    expect(await deleteDisabledChannels(db)).toBe(0)
    expect(await deleteChannel(db, first)).toBe(true)
    expect(await deleteChannel(db, first)).toBe(false)
  })

  test('offer their models to their groups while enabled', async () => {
    const db = database.kysely
    await addChannel(db, { models: 'b,a', group_names: 'default,vip' })
    await addChannel(db, { models: 'a,c', group_names: 'vip' })
    await addChannel(db, { models: 'd', group_names: 'vip', status: 2 })
    expect(await listModelsOfGroups(db, ['vip'])).toEqual(['a', 'b', 'c'])
    expect(await listModelsOfGroups(db, ['default'])).toEqual(['a', 'b'])
    expect(await listModelsOfGroups(db, ['def'])).toEqual([])
    expect(await listModelsOfGroups(db, ['default', 'vip'])).toEqual(['a', 'b', 'c'])
  })

  test('report what was charged through them, by day', async () => {
    const db = database.kysely
    await addUsage(db, { day: 10, channel_id: 1, amount: 9_007_199_254_740_993n })
    await addUsage(db, { day: 11, channel_id: 1, amount: 1n })
    await addUsage(db, { day: 12, channel_id: 2, amount: 5n })
    expect(await sumByChannel(db, { from: 10, to: 12 })).toEqual(new Map([[1, 9_007_199_254_740_994n]]))
    expect(await sumByChannel(db, { from: 12, to: 13 })).toEqual(new Map([[2, 5n]]))
  })
})
