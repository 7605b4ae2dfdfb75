// @module-tag slow
import type { Channel, ChannelKey } from '@sluice/contract/channel'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChannelTestResult } from '../channel-ports.ts'

const PASSED: ChannelTestResult = { ok: true, model: 'm', elapsedMs: 5, message: 'four' }
const REFUSED: ChannelTestResult = { ok: false, cause: 'account', model: 'm', elapsedMs: 5, message: 'refused' }
const FAILED: ChannelTestResult = { ok: false, cause: 'provider', model: 'm', elapsedMs: 5, message: 'out of order' }

describe('tests of channels with several keys', () => {
  let bench: ManagementBench
  let root: TestCaller
  let id: number
  /** Used keys, by position; 0 for none in particular. */
  let requested: number[]
  let answers: Record<number, ChannelTestResult>
  beforeEach(async () => {
    bench = await openManagementBench()
    root = await bench.addCaller('root', 100)
    for (const key of ['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled']) {
      await bench.ask('PUT', '/api/option/', { as: root, body: { key, value: true } })
    }
    const body = { name: 'three', type: 1, key: 'k1\nk2\nk3', keys_in_one: true, models: 'm' }
    const made = await bench.ask<number[]>('POST', '/api/channel/', { as: root, body })
    id = made.data?.[0] ?? 0
    requested = []
    answers = {}
    const names = (await keys()).map(({ fingerprint }) => fingerprint)
    bench.testChannel = async (_id, _model, _signal, key) => {
      const position = names.indexOf(key ?? '') + 1
      requested.push(position)
      return answers[position] ?? PASSED
    }
  })
  afterEach(async () => {
    await bench.settleBackground()
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const keys = async () => (await bench.ask<ChannelKey[]>('GET', `/api/channel/${id}/keys`, { as: root })).data ?? []
  const states = async () => (await keys()).map(({ status, reason }) => `${status} ${reason}`.trim())
  const channel = async () => (await bench.ask<Channel>('GET', `/api/channel/${id}`, { as: root })).data
  const testAll = async (scope = 'all') => {
    await bench.ask('GET', `/api/channel/test?scope=${scope}`, { as: root })
    await bench.settleBackground()
  }
  const dueNow = async () => true
  const recover = async (recoveryMs = 0) => {
    await bench.deps.channelTests.startDue('recovery', dueNow, recoveryMs)
    await bench.settleBackground()
  }

  it('switch off the key that is refused, and call with the next one', async () => {
    answers = { 1: REFUSED }
    await testAll()
    expect(requested.splice(0)).toEqual([1])
    expect(await states()).toEqual(['3 refused', '1', '1'])
    expect((await channel())?.status).toBe(1)
    expect(bench.notices[0]).toEqual({
      kind: 'channel_key_disabled',
      channel: 'three',
      id,
      key: 1,
      reason: 'refused',
    })
    await testAll()
    expect(requested).toEqual([2, 1])
  })

  it('switch the channel off with its last key, and on again with the first key that answers', async () => {
    answers = { 1: REFUSED, 2: REFUSED, 3: REFUSED }
    for (let round = 0; round < 3; round++) await testAll('all')
    expect(await channel()).toMatchObject({ status: 3, disabled_reason: 'it has no enabled key left' })
    requested = []
    await recover()
    expect(new Set(requested.splice(0))).toEqual(new Set([1, 2, 3]))
    expect((await channel())?.status).toBe(3)
    answers = { 1: REFUSED, 2: FAILED }
    await recover()
    expect(await states()).toEqual(['3 refused', '3 refused', '1'])
    expect(await channel()).toMatchObject({ status: 1, disabled_reason: '', disabled_time: 0 })
    expect(bench.notices.at(-1)).toEqual({ kind: 'channel_enabled', channel: 'three', id })
    const earlier = bench.notices.length
    answers = { 1: REFUSED }
    await recover()
    expect(bench.notices).toHaveLength(earlier)
    answers = {}
    await recover()
    expect(bench.notices.slice(earlier)).toEqual([{ kind: 'channel_keys_enabled', channel: 'three', id }])
  })

  it('leave alone a key that a person switched off, and what was only just switched off', async () => {
    const [first] = await keys()
    await bench.ask('PUT', `/api/channel/${id}/keys/${first?.fingerprint}`, { as: root, body: { status: 2 } })
    answers = { 2: REFUSED }
    await testAll()
    expect(requested.splice(0)).toEqual([2])
    await recover(1)
    expect(requested).toEqual([])
    answers = {}
    await recover()
    expect(requested).toEqual([2])
    expect(await states()).toEqual(['2', '1', '1'])
  })

  it('also cover what was switched off by a clock that was ahead', { tags: 'S45' }, async () => {
    answers = { 1: REFUSED, 2: REFUSED, 3: REFUSED }
    for (let round = 0; round < 3; round++) await testAll('all')
    bench.clock.now -= 365 * 86_400_000
    answers = {}
    await recover(300_000)
    expect(await channel()).toMatchObject({ status: 1 })
  })

  it('come later, the more often a channel was switched off', async () => {
    const MINUTE_MS = 60_000
    const seen = []
    for (const minutes of [5, 10, 20, 40]) {
      answers = { 1: FAILED }
      await testAll()
      await testAll()
      expect((await channel())?.status).toBe(3)
      answers = {}
      bench.clock.now += minutes * MINUTE_MS - 1
      await recover(5 * MINUTE_MS)
      const early = (await channel())?.status
      bench.clock.now += 1
      await recover(5 * MINUTE_MS)
      seen.push([early, (await channel())?.status])
    }
    expect(seen).toEqual([
      [3, 1],
      [3, 1],
      [3, 1],
      [3, 1],
    ])
  })

  it('on schedule leave no row for each in the log, and do not notify anyone that they ended', async () => {
    await recover()
    expect(await bench.deps.channelTests.state()).toMatchObject({ id: 0 })
    await bench.deps.channelTests.startDue('enabled', dueNow)
    await bench.settleBackground()
    expect(await bench.deps.channelTests.state()).toMatchObject({ scheduled: true, started_by: '', done: 1 })
    expect(await bench.database.kysely.selectFrom('log').select('id').execute()).toEqual([])
    expect(bench.notices).toEqual([])
    expect((await channel())?.test_time).toBe(Math.floor(bench.clock.now / 1_000))
  })
})
