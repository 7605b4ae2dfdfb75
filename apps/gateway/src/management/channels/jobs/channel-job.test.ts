import type { ChannelJob } from '@sluice/contract/channel'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ChannelJobRunner, createChannelJob, type JobTarget, SCHEDULE } from './channel-job.ts'

const NAMES = { job: 'some-work', what: 'Some work' }
const ONE: readonly JobTarget[] = [{ id: 1, name: 'one' }]
const MANY: readonly JobTarget[] = Array.from({ length: 60 }, (_, at) => ({ id: at + 1, name: `c${at + 1}` }))

describe('work on many channels', () => {
  let bench: ManagementBench
  let timers: ManualTimers
  let ann: TestCaller
  beforeEach(async () => {
    bench = await openManagementBench()
    timers = openManualTimers()
    ann = await bench.addCaller('ann', 100)
  })
  afterEach(async () => {
    await bench.settleBackground()
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const replica = (name: string): ChannelJobRunner =>
    createChannelJob({ ...bench.deps, now: timers.now, timers, replica: name }, NAMES)
  const start = (
    runner: ChannelJobRunner,
    each: (target: JobTarget, signal: AbortSignal) => Promise<{ ok: boolean; reason: string }>,
    targets: readonly JobTarget[] | undefined = ONE,
  ) => runner.start({ scope: 'all', startedBy: ann, targets: async () => targets, each })
  const untilStopped = (_target: JobTarget, signal: AbortSignal) =>
    new Promise<{ ok: boolean; reason: string }>((resolve) => {
      signal.addEventListener('abort', () => resolve({ ok: false, reason: 'stopped' }))
    })
  const ok = async () => ({ ok: true, reason: '' })

  it('is seen on every replica: who started it, how far it is, what failed and why', async () => {
    const [east, west] = [replica('east'), replica('west')]
    const gate = Promise.withResolvers<void>()
    await start(
      east,
      async ({ id }) => {
        if (id > 55) await gate.promise
        return id === 2 ? { ok: false, reason: 'x'.repeat(1_000) } : await ok()
      },
      MANY,
    )
    expect(await west.start({ scope: 'all', startedBy: ann, targets: async () => ONE, each: ok })).toEqual({
      code: 'job_running',
      params: { what: 'Some work' },
    })
    await vi.waitFor(async () => expect((await east.state()).done).toBe(55))
    await timers.advance(1_000)
    await vi.waitFor(async () => expect((await west.state()).done).toBe(55))
    expect(await west.state()).toEqual(await east.state())
    expect(await west.state()).toMatchObject({
      running: true,
      outcome: '',
      started_by: 'ann',
      scheduled: false,
      total: 60,
      failed: 1,
      failures: [{ id: 2, name: 'c2', reason: 'x'.repeat(300) }],
    })
    gate.resolve()
    await bench.settleBackground()
    expect(await west.state()).toMatchObject({ running: false, outcome: 'done', done: 60 })
    expect(await start(west, ok)).toBeUndefined()
  })

  it('is stopped by any administrator, on any replica', async () => {
    const [east, west] = [replica('east'), replica('west')]
    await start(east, untilStopped, MANY)
    await west.stop()
    expect(await west.state()).toMatchObject({ running: true, stopping: true })
    await timers.advance(1_000)
    await bench.settleBackground()
    expect(await west.state()).toMatchObject({ running: false, stopping: false, outcome: 'stopped', done: 0 })
    await west.stop()
    expect(await start(west, untilStopped)).toBeUndefined()
    await west.stop()
    await bench.settleBackground()
    expect(await east.state()).toMatchObject({ outcome: 'stopped' })
  })

  it('stops when another process has taken over', async () => {
    const [east, west] = [replica('east'), replica('west')]
    await start(east, untilStopped)
    // Ends its lease, as if the run had slept too long.
    await bench.database.kysely.updateTable('lease').set({ until_ms: 0 }).execute()
    expect(await start(west, ok)).toBeUndefined()
    await timers.advance(15_000)
    await bench.settleBackground()
    expect(await east.state()).toMatchObject({ id: 2, outcome: 'done' })
    const runs = await bench.database.kysely.selectFrom('job_run').select('outcome').orderBy('id').execute()
    expect(runs).toEqual([{ outcome: 'stopped' }, { outcome: 'done' }])
  })

  it('does not stay under way forever when its targets cannot be read, or its code breaks', async () => {
    const runner = replica('east')
    const away = () => Promise.reject(new Error('the database is away'))
    await expect(runner.start({ scope: 'all', startedBy: SCHEDULE, targets: away, each: ok })).rejects.toThrow(
      'the database is away',
    )
    expect(await runner.state()).toMatchObject({ running: false, id: 0 })
    await start(runner, () => Promise.reject(new Error('a bug')), MANY)
    await bench.settleBackground()
    expect(bench.reported.splice(0)).toEqual([new Error('a bug')])
    expect(await runner.state()).toMatchObject({ running: false, outcome: 'failed' })
    expect(await start(runner, ok)).toBeUndefined()
  })

  it('leaves no trace when there turns out to be nothing to do', async () => {
    const runner = replica('east')
    expect(
      await runner.start({ scope: 'all', startedBy: SCHEDULE, targets: async () => undefined, each: ok }),
    ).toBeUndefined()
    expect(await runner.state()).toMatchObject({ id: 0, started_time: 0 })
    expect(await runner.begins()).toEqual(new Map())
    await start(runner, ok)
    expect(await runner.begins()).toEqual(new Map([['all', timers.now()]]))
  })

  it('is stopped by a call, and still known after a restart', async () => {
    await bench.ask('POST', '/api/channel/', {
      as: ann,
      body: { name: 'one', type: 1, key: 'k', models: 'm' },
    })
    bench.testChannel = (_id, _model, signal) =>
      new Promise((resolve) => {
        const stopped = { ok: false, cause: 'stopped', model: 'm', elapsedMs: 1, message: 'stopped' } as const
        signal.addEventListener('abort', () => resolve(stopped))
      })
    await bench.ask('GET', '/api/channel/test', { as: ann })
    expect(await bench.ask<ChannelJob>('POST', '/api/channel/test/stop', { as: ann })).toMatchObject({
      data: { running: true, stopping: true, started_by: 'ann' },
    })
    await bench.settleBackground()
    const later = createChannelJob(
      { ...bench.deps, timers, replica: 'later' },
      { job: 'channel-test', what: 'A test of all channels' },
    )
    expect(await later.state()).toMatchObject({ running: false, outcome: 'stopped', scope: 'all', started_by: 'ann' })
    expect(await bench.ask<ChannelJob>('POST', '/api/channel/update_balance/stop', { as: ann })).toMatchObject({
      data: { running: false, outcome: '' },
    })
  })
})
