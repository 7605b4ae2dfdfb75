import type { Channel, ChannelJob } from '@sluice/contract/channel'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { addChannel } from '@sluice/testkit/rows'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChannelTestResult } from '../channel-ports.ts'

describe('testing channels', () => {
  let bench: ManagementBench
  let root: TestCaller
  beforeEach(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
  })
  afterEach(async () => {
    await bench.settleBackground()
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const test = (id: number, query = '') => bench.ask('GET', `/api/channel/test/${id}${query}`, { as: root })
  const testAll = (scope = 'all') => bench.ask('GET', `/api/channel/test?scope=${scope}`, { as: root })
  const setOption = (key: string, value: boolean | number) =>
    bench.ask('PUT', '/api/option/', { as: root, body: { key, value } })
  const channel = async (id: number) => (await bench.ask<Channel>('GET', `/api/channel/${id}`, { as: root })).data
  const logs = () => bench.database.kysely.selectFrom('log').selectAll().orderBy('id').execute()

  it('returns time and model, and stores both the result and a log row', async () => {
    const id = await addChannel(bench.database.kysely, { name: 'one', models: 'a,b', testing_model: 'b' })
    expect(await test(id)).toMatchObject({ status: 200, success: true, message: 'four', time: 0.12, modelName: 'b' })
    expect(await test(id, '?model=a')).toMatchObject({ modelName: 'a' })
    expect(await channel(id)).toMatchObject({ response_time: 120, test_time: Math.floor(bench.clock.now / 1_000) })
    expect(await logs()).toMatchObject([
      {
        type: 5,
        content: 'Test succeeded: four',
        model_name: 'b',
        channel_id: id,
        channel_name: 'one',
        amount: 0n,
        elapsed_ms: 120,
      },
      { type: 5, model_name: 'a' },
    ])
  })

  it('requests the cheapest model when none is set', async () => {
    const id = await addChannel(bench.database.kysely)
    expect(await test(id)).toMatchObject({ modelName: 'cheapest' })
    const changed = await addChannel(bench.database.kysely, { models: 'a', testing_model: 'gone' })
    expect(await test(changed)).toMatchObject({ modelName: 'cheapest' })
  })

  it('reports a failure with its time and message', async () => {
    const id = await addChannel(bench.database.kysely, { response_time: 9 })
    bench.testChannel = async () => ({
      ok: false,
      cause: 'provider',
      model: 'm',
      elapsedMs: 30.4,
      message: 'x'.repeat(2_000),
    })
    const reply = await test(id)
    expect(reply).toMatchObject({ status: 200, success: false, modelName: 'm' })
    expect(reply.message).toHaveLength(500)
    expect(await channel(id)).toMatchObject({ response_time: 0, status: 1 })
    expect(await test(999)).toMatchObject({ success: false, code: 'not_found' })
    expect(await test(id, '?model=other')).toMatchObject({
      message: 'model: is not one of the models of this channel.',
    })
  })

  it('of all channels goes on in the background, four at a time and one run at once', async () => {
    for (let i = 0; i < 9; i++) await addChannel(bench.database.kysely)
    let running = 0
    let most = 0
    const gate = Promise.withResolvers<void>()
    bench.testChannel = async () => {
      running += 1
      most = Math.max(most, running)
      await gate.promise
      running -= 1
      return { ok: true, model: 'm', elapsedMs: 1, message: '' }
    }
    expect(await testAll()).toMatchObject({ success: true })
    expect(await testAll()).toMatchObject({ success: false, message: 'A test of all channels is already running.' })
    gate.resolve()
    await bench.settleBackground()
    expect(most).toBe(4)
    expect(await logs()).toHaveLength(9)
    expect(await testAll('disabled')).toMatchObject({ success: true })
    await bench.settleBackground()
    expect(await logs()).toHaveLength(9)
  })

  it('shows how far it has come', async () => {
    const state = async () => (await bench.ask<ChannelJob>('GET', '/api/channel/test/status', { as: root })).data
    const started = Math.floor(bench.clock.now / 1_000)
    expect(await state()).toMatchObject({ running: false, started_time: 0, total: 0 })
    for (let i = 0; i < 6; i++) await addChannel(bench.database.kysely, { name: `c${i}` })
    const gate = Promise.withResolvers<void>()
    bench.testChannel = async (id) => {
      if (id > 4) await gate.promise
      return id === 1 ? failing('provider') : { ok: true, model: 'm', elapsedMs: 1, message: '' }
    }
    await testAll()
    await vi.waitFor(async () => expect((await state())?.done).toBe(4))
    expect(await state()).toMatchObject({ running: true, scope: 'all', total: 6, failed: 1, finished_time: 0 })
    gate.resolve()
    bench.clock.now += 9_000
    await bench.settleBackground()
    expect(await state()).toEqual({
      id: 1,
      running: false,
      stopping: false,
      outcome: 'done',
      scope: 'all',
      started_by: 'root',
      scheduled: false,
      started_time: started,
      finished_time: started + 9,
      total: 6,
      done: 6,
      failed: 1,
      disabled: 0,
      enabled: 0,
      failures: [{ id: 1, name: 'c0', reason: 'refused' }],
    })
    expect(bench.notices).toEqual([{ kind: 'channels_tested', tested: 6, failed: 1 }])
  })

  it('switches channels only where the settings say so, and never one that a person switched off', async () => {
    const db = bench.database.kysely
    const bad = await addChannel(db, { name: 'bad' })
    const well = await addChannel(db, { status: 3, name: 'well' })
    const kept = await addChannel(db, { status: 2 })
    bench.testChannel = async (id) =>
      id === bad ? failing('account') : { ok: true, model: 'm', elapsedMs: 5, message: 'answer' }
    await testAll()
    await bench.settleBackground()
    expect([(await channel(bad))?.status, (await channel(well))?.status]).toEqual([1, 3])

    await setOption('AutomaticDisableChannelEnabled', true)
    await setOption('AutomaticEnableChannelEnabled', true)
    const earlier = bench.notices.length
    await testAll()
    await bench.settleBackground()
    expect((await Promise.all([bad, well, kept].map(channel))).map((found) => found?.status)).toEqual([3, 1, 2])
    const system = (await logs()).filter((row) => row.type === 4)
    expect(system.map((row) => row.content)).toContain(`Channel bad (id ${bad}) disabled by its test: refused`)
    expect(bench.notices.slice(earlier)).toEqual(
      expect.arrayContaining([
        { kind: 'channel_disabled', channel: 'bad', id: bad, reason: 'refused' },
        { kind: 'channel_enabled', channel: 'well', id: well },
      ]),
    )
    expect(await bench.ask('GET', '/api/channel/test/status', { as: root })).toMatchObject({
      data: { disabled: 1, enabled: 1 },
    })
  })

  it('switches a channel off only after more failures than the threshold, and never for a fault of the request', async () => {
    await setOption('AutomaticDisableChannelEnabled', true)
    await setOption('ChannelDisableThreshold', 40)
    const id = await addChannel(bench.database.kysely)
    const after = async (cause: 'provider' | 'limited' | 'request' | undefined) => {
      bench.testChannel = async () =>
        cause === undefined ? { ok: true, model: 'm', elapsedMs: 1, message: '' } : failing(cause)
      await testAll()
      await bench.settleBackground()
      return (await channel(id))?.status
    }
    const statuses = []
    for (const cause of [undefined, undefined, 'limited', 'request', 'provider', 'provider'] as const) {
      statuses.push(await after(cause))
    }
    expect(statuses).toEqual([1, 1, 1, 1, 1, 3])
  })

  it('tells a channel that cannot be used as it is from a provider that fails', async () => {
    await setOption('AutomaticDisableChannelEnabled', true)
    const id = await addChannel(bench.database.kysely, { type: 14 })
    bench.testChannel = async () => ({
      ok: false,
      cause: 'setup',
      model: '',
      elapsedMs: 0,
      message: 'API key is required.',
    })
    expect(await test(id)).toMatchObject({
      success: false,
      message: 'API key is required.',
      time: 0,
    })
    await testAll()
    await bench.settleBackground()
    expect((await channel(id))?.status).toBe(1)
  })

  it('can be started again after it broke', async () => {
    await addChannel(bench.database.kysely)
    bench.testChannel = () => Promise.reject(new Error('a bug'))
    await testAll()
    await bench.settleBackground()
    expect(bench.reported.splice(0)).toEqual([new Error('a bug')])
    bench.testChannel = async () => failing('provider')
    expect(await testAll()).toMatchObject({ success: true })
    await bench.settleBackground()
  })

  it('stops with the gateway', async () => {
    for (let i = 0; i < 20; i++) await addChannel(bench.database.kysely)
    const started = Promise.withResolvers<void>()
    bench.testChannel = (_id, _model, signal) =>
      new Promise((resolve) => {
        started.resolve()
        signal.addEventListener('abort', () => resolve({ ok: false, model: 'm', elapsedMs: 1, message: 'aborted' }))
      })
    await testAll()
    await started.promise
    bench.stop()
    await bench.settleBackground()
    expect((await logs()).length).toBeLessThanOrEqual(4)
  })
})

const failing = (cause: NonNullable<ChannelTestResult['cause']>): ChannelTestResult => ({
  ok: false,
  cause,
  model: 'm',
  elapsedMs: 5,
  message: 'refused',
})
