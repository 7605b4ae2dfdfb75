import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { beforeEach, describe, expect, it } from 'vitest'
import { openChannelSchedule } from './channel-schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

describe('the schedule of channel tests', () => {
  let timers: ManualTimers
  let started: string[]
  let options: Parameters<typeof openChannelSchedule>[0]['options'] extends () => infer O ? O : never
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

  /** `begin` returns false while another run is active. */
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

  it('does nothing unless an option says so', async () => {
    await run(HOUR_MS)
    expect(started).toEqual([])
  })

  it('tests enabled channels at the set interval, and counts runs that a person has started', async () => {
    options = { ...options, ChannelTestMinutes: 10 }
    await run(25 * MINUTE_MS)
    expect(started).toEqual(['enabled', 'enabled', 'enabled'])
    testBegins.set('all', timers.now())
    await run(9 * MINUTE_MS)
    expect(started).toHaveLength(3)
    await run(2 * MINUTE_MS)
    expect(started).toHaveLength(4)
  })

  it('tests switched-off channels more often, once they had time to recover, where they may be switched on', async () => {
    options = { ...options, AutomaticEnableChannelEnabled: true }
    await run(16 * MINUTE_MS)
    const recovery = 'recovery, off for 5 min'
    expect(started).toEqual([recovery, recovery, recovery, recovery])
    options = { ...options, ChannelRecoveryMinutes: 0 }
    await run(HOUR_MS)
    expect(started).toHaveLength(4)
  })

  it('does not let tests that take longer than their interval delay those of switched-off channels', async () => {
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

  it('requests balances at the set interval of hours', async () => {
    options = { ...options, ChannelBalanceHours: 24 }
    await run(49 * HOUR_MS)
    expect(started).toEqual(['balances', 'balances', 'balances'])
  })

  it('goes on after a round that failed', async () => {
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
