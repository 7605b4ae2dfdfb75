// @module-tag slow
import { getChannel, listChannelKeys, testAllChannels } from '@sluice/contract/routes/channels'
import { updateOption } from '@sluice/contract/routes/options'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

const MODEL = 'emu-fast'

describe('channels of a running gateway, switched by the requests of users', () => {
  let world: GatewayWorld
  let emulator: Emulator
  let key: string
  beforeAll(async () => {
    emulator = await startEmulator()
    world = await openGatewayWorld()
    for (const option of ['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled']) {
      await world.root.call(updateOption, { body: { key: option, value: true } })
    }
    key = await world.addToken(await world.addUser('ann', 10_000_000))
  })
  afterAll(async () => {
    await world.close()
    await emulator.close()
  })

  const channel = async (id: number) => await world.root.call(getChannel, { path: { id } })
  const keyStates = async (id: number) =>
    (await world.root.call(listChannelKeys, { path: { id } })).map(({ status, reason }) => [status, reason])
  const ask = async (model: string) => (await world.chat(key, { model })).status
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 50 })

  it('lose the key that their provider refuses, and get it back by a test', async () => {
    emulator.faults.switchOn({ key: 'sk-bad', as: 'emu-error-401' })
    const id = await world.addChannel(emulator.url, [MODEL], { key: 'sk-bad\nsk-good', keys_in_one: true })
    const reason = 'the provider refuses its key or account (status 401)'
    await until(async () => {
      expect(await ask(MODEL)).toBe(200)
      expect(await keyStates(id)).toEqual([
        [3, reason],
        [1, ''],
      ])
    })
    expect((await channel(id)).status).toBe(1)
    await world.root.call(testAllChannels, { query: { scope: 'all' } })
    await until(async () => expect((await world.rows('select done from job_run'))[0]).toEqual({ done: 2 }))
    expect((await keyStates(id))[0]?.[0]).toBe(3)
    emulator.faults.switchOff({ key: 'sk-bad' })
    await until(async () => {
      await world.root.call(testAllChannels, { query: { scope: 'all' } }).catch(() => {})
      expect((await keyStates(id))[0]?.[0]).toBe(1)
    })
  })

  it('are switched off when too many calls of several users fail in several minutes', async () => {
    const failing = 'emu-error-500'
    const id = await world.addChannel(emulator.url, [failing])
    await ask(failing)
    const minute = Math.floor(Date.now() / 60_000)
    await until(async () => {
      expect(await world.rows(`select channel_id from channel_minute where channel_id = ${id}`)).not.toEqual([])
    })
    expect((await channel(id)).status).toBe(1)
    // Reports of other replicas from the minutes before.
    for (const at of [minute - 2, minute - 1]) {
      await world.database.kysely
        .insertInto('channel_minute')
        .values({ channel_id: id, minute: at, calls: 20, failed: 2, caller: -1 })
        .execute()
    }
    await until(async () => {
      await ask(failing)
      expect(await channel(id)).toMatchObject({
        status: 3,
        disabled_reason: expect.stringMatching(/^\d+ of \d+ calls failed within 15 minutes$/),
      })
    })
    await until(async () => {
      const refused = await world.chat(key, { model: failing })
      expect(await refused.json()).toMatchObject({ error: { code: 'no_channel' } })
    })
  })
})
