import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { beforeEach, describe, expect, it } from 'vitest'
import { openChannelSchedule } from './channel-schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

describe('the schedule of channel tests', () => {
  let timers: ManualTimers
  let started: string[]
  let options: Parameters<typeof openChannelSchedule>[0]['options'] extends () => infer O ? O : never
  /** When runs began, by scope. */
  let testBegins: Map<string, number>
  let balanceBegins: Map<string, number>
  let failures: unknown[]
  beforeEach(() => {
    timers = openManualTimers()
    started = []
    failures = []
    testBegins = new Map()
    balanceBegins = new Map()
    options = {
      AutomaticEnableChannelEnabled: false,
      ChannelTestMinutes: 0,
      ChannelRecoveryMinutes: 5,
      ChannelBalanceHours: 0,
    }
  })

  /** `begin` answers false while another run is under way. */
  const run = async (
    ms: number,
    begin: (scope: string) => unknown = (scope) => testBegins.set(scope, timers.now()),
  ) => {
    const schedule = openChannelSchedule({
      options: () => options,
      tests: {
        begins: async () => testBegins,
        startDue: async (scope, isDue, recoveryMs) => {
          if (!(await isDue())) return
          if (begin(scope) === false) return
          started.push(recoveryMs === undefined ? scope : `${scope}, off for ${recoveryMs / MINUTE_MS} min`)
        },
      },
      balances: {
        begins: async () => balanceBegins,
        startDue: async (isDue) => {
          if (!(await isDue())) return
          balanceBegins.set('enabled', timers.now())
          started.push('balances')
        },
      },
      timers,
      now: timers.now,
      log: { error: (fields) => void failures.push(fields) },
    })
    await timers.advance(ms)
    await schedule.close()
  }

  it('does nothing by itself', async () => {
    await run(HOUR_MS)
    expect(started).toEqual([])
  })

  it('tests enabled channels every so often, and counts what a person has started', async () => {
    options = { ...options, ChannelTestMinutes: 10 }
    await run(25 * MINUTE_MS)
    expect(started).toEqual(['enabled', 'enabled', 'enabled'])
    testBegins.set('all', timers.now())
    await run(9 * MINUTE_MS)
    expect(started).toHaveLength(3)
    await run(2 * MINUTE_MS)
    expect(started).toHaveLength(4)
  })

  it('tests what was switched off more often, after it had time to recover, where it may be switched on', async () => {
    options = { ...options, AutomaticEnableChannelEnabled: true }
    await run(16 * MINUTE_MS)
    const recovery = 'recovery, off for 5 min'
    expect(started).toEqual([recovery, recovery, recovery, recovery])
    options = { ...options, ChannelRecoveryMinutes: 0 }
    await run(HOUR_MS)
    expect(started).toHaveLength(4)
  })

  it('lets tests that take longer than the time between them not keep back what was switched off', async () => {
    options = { ...options, AutomaticEnableChannelEnabled: true, ChannelTestMinutes: 1 }
    let runsUntil = 0
    await run(16 * MINUTE_MS, (scope) => {
      if (timers.now() < runsUntil) return false
      testBegins.set(scope, timers.now())
      runsUntil = timers.now() + (scope === 'enabled' ? 2 * MINUTE_MS : 1)
      return true
    })
    const ofRecovery = started.filter((scope) => scope.startsWith('recovery'))
    expect([ofRecovery.length > 2, started.length - ofRecovery.length > 4]).toEqual([true, true])
  })

  it('asks for balances every so many hours', async () => {
    options = { ...options, ChannelBalanceHours: 24 }
    await run(49 * HOUR_MS)
    expect(started).toEqual(['balances', 'balances', 'balances'])
  })

  it('goes on after a look that failed', async () => {
    options = { ...options, ChannelTestMinutes: 10 }
    let isAway = true
    await run(MINUTE_MS, (scope) => {
      if (isAway) {
        isAway = false
        throw new Error('the database is away')
      }
      testBegins.set(scope, timers.now())
    })
    expect(failures).toEqual([{ error: new Error('the database is away') }])
    expect(started).toEqual(['enabled'])
  })
})
