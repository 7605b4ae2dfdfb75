import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadChannels } from '../../snapshots/channels.ts'
import { readVersions } from '../../snapshots/versions.ts'
import { copyChannel } from './channel-copy.ts'
import { type KeyStates, listSwitchedOffKeys, removeKey, switchKeyOff, switchKeyOn } from './channel-keys.ts'
import { deleteChannel, findChannel, setChannelStatus, updateChannel } from './channels.ts'

const A = 'aaaaaaaaaaaa'
const B = 'bbbbbbbbbbbb'
const LATE = 4_102_444_800_123

describe.each(databaseEngines)('keys of a channel on %s', (engine) => {
  let database: TestDatabase
  let id: number
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    id = await addChannel(database.kysely, { key_sealed: 'both', key_count: 2 })
  })
  afterAll(() => database.close())

  const off = (fingerprint: string, status: 2 | 3, keySealed = 'both') =>
    switchKeyOff(
      database.kysely,
      { channel: id, fingerprint },
      { keySealed, status, reason: status === 3 ? 'refused' : '', sinceMs: LATE },
    )
  const states = async (channel = id) =>
    (await listSwitchedOffKeys(database.kysely, channel))
      .map(({ fingerprint, status }) => `${fingerprint} ${status}`)
      .toSorted()
  const version = async () => (await readVersions(database.kysely)).channels

  test('are switched off once, and every relay is notified', async () => {
    const before = await version()
    expect(await off(A, 3)).toBe(true)
    expect(await off(A, 3)).toBe(false)
    expect(await version()).toBe(before + 1)
    expect(await listSwitchedOffKeys(database.kysely, id)).toEqual([
      { fingerprint: A, status: 3, reason: 'refused', sinceMs: LATE },
    ])
    expect((await loadChannels(database.kysely))[0]?.disabledKeys).toEqual(new Set([A]))
  })

  test('are switched off by a person even after the gateway, never the other way round', async () => {
    expect(await off(A, 3)).toBe(true)
    expect(await off(A, 2)).toBe(true)
    expect(await off(A, 3)).toBe(false)
    expect(await states()).toEqual([`${A} 2`])
  })

  test('are not switched off once the channel has others, or is gone', async () => {
    expect(await off(A, 3, 'other')).toBe(false)
    await deleteChannel(database.kysely, id)
    expect(await off(A, 2)).toBe(false)
  })

  test('are switched on again, by the gateway only what it switched off itself', async () => {
    await off(A, 2)
    await off(B, 3)
    const before = await version()
    const on = (fingerprint: string, from?: 3) => switchKeyOn(database.kysely, { channel: id, fingerprint }, from)
    expect(await on(A, 3)).toBe(false)
    expect(await on(B, 3)).toBe(true)
    expect(await on(A)).toBe(true)
    expect(await on(A)).toBe(false)
    expect(await version()).toBe(before + 2)
    expect(await states()).toEqual([])
  })

  test('can be removed one at a time, with their state', async () => {
    await off(A, 2)
    const leave = { before: 'both', keySealed: 'one', keyCount: 1 }
    expect(await removeKey(database.kysely, { channel: id, fingerprint: A }, leave)).toBe(true)
    expect(await removeKey(database.kysely, { channel: id, fingerprint: B }, leave)).toBe(false)
    expect(await findChannel(database.kysely, id)).toMatchObject({ keySealed: 'one', keyCount: 1 })
    expect(await states()).toEqual([])
  })

  const update = async (keySealed: string, keyStates: KeyStates, over = 'both') => {
    const stored = await findChannel(database.kysely, id)
    if (stored === undefined) throw new Error('no channel')
    const before = { ...stored, keySealed: over }
    const next = { ...stored, keySealed, keyCount: 2 }
    return await updateChannel(database.kysely, id, { next, before, status: undefined, keyStates })
  }

  test('that replace others take over their states, and are written only over the keys they were made from', async () => {
    await off(A, 2)
    expect(await update('moved', new Map([[A, B]]), 'older')).toBe(false)
    expect(await update('moved', new Map([[A, B]]))).toBe(true)
    expect(await states()).toEqual([`${B} 2`])
  })

  test('that are newly entered begin without states, whatever was there before', async () => {
    await off(A, 2)
    expect(await update('again', 'forgotten', 'older')).toBe(true)
    expect(await states()).toEqual([])
  })

  test('get another chance with their channel, if the gateway switched them off', async () => {
    await off(A, 2)
    await off(B, 3)
    await setChannelStatus(database.kysely, id, 3, 1)
    await setChannelStatus(database.kysely, id, 1, 3)
    expect(await states()).toHaveLength(2)
    await setChannelStatus(database.kysely, id, 1)
    expect(await states()).toEqual([`${A} 2`])
  })

  test('are copied with their states, and leave no state behind when the channel is deleted', async () => {
    await off(A, 2)
    const copy = await copyChannel(database.kysely, id, { name: 'x', createdTime: 1 })
    expect(await findChannel(database.kysely, copy ?? 0)).toMatchObject({ keySealed: 'both', keyCount: 2 })
    expect(await states(copy)).toEqual([`${A} 2`])
    await deleteChannel(database.kysely, id)
    expect(await states()).toEqual([])
    expect(await states(copy)).toHaveLength(1)
  })
})
