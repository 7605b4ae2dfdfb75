import { describe, expect, it } from 'vitest'
import type { ProbeResult } from '../ports.ts'
import { countOf, type SwitchOptions, verdictOf } from './channel-verdict.ts'

const on: SwitchOptions = {
  AutomaticDisableChannelEnabled: true,
  AutomaticEnableChannelEnabled: true,
  ChannelDisableThreshold: 5,
  ChannelDisableSeconds: 0,
}
const failed = (cause: ProbeResult['cause'], message = 'oh'): ProbeResult =>
  cause === undefined
    ? { ok: false, model: 'm', elapsedMs: 5, message }
    : { ok: false, cause, model: 'm', elapsedMs: 5, message }
const passed = (elapsedMs = 5): ProbeResult => ({ ok: true, model: 'm', elapsedMs, message: 'four' })

describe('the verdict of a test', () => {
  it('disables at once when the account is refused', () => {
    expect(verdictOf(1, failed('account'), `${'1'.repeat(19)}0`, on)).toEqual({ status: 3, reason: 'oh' })
  })

  it('disables when more tests failed than the threshold allows', () => {
    const recent = (failures: number) => '1'.repeat(20 - failures) + '0'.repeat(failures)
    expect(verdictOf(1, failed('provider'), '0', on)).toBeUndefined()
    expect(verdictOf(1, failed('provider'), '00', on)).toEqual({
      status: 3,
      reason: '2 of its last 2 tests failed: oh',
    })
    expect(verdictOf(1, failed('provider'), recent(1), on)).toBeUndefined()
    expect(verdictOf(1, failed('provider'), recent(2), on)?.status).toBe(3)
    expect(verdictOf(1, failed('provider'), recent(10), { ...on, ChannelDisableThreshold: 50 })).toBeUndefined()
    expect(verdictOf(1, failed('provider'), '0'.repeat(20), { ...on, ChannelDisableThreshold: 100 })).toBeUndefined()
  })

  it('disables whoever is slower than the time limit, when there is one', () => {
    expect(verdictOf(1, passed(5_001), '1', on)).toBeUndefined()
    const limited = { ...on, ChannelDisableSeconds: 5 }
    expect(verdictOf(1, passed(5_001), '10', limited)).toEqual({ status: 3, reason: 'it took longer than 5 s' })
    expect(verdictOf(1, passed(5_000), '11', limited)).toBeUndefined()
    expect(verdictOf(3, passed(5_001), '10', limited)).toBeUndefined()
  })

  it.each(['limited', 'request', 'stopped', 'setup', undefined] as const)(
    'does nothing for the cause %s, whatever the message says',
    (cause) => {
      const message = 'invalid_api_key: your credit balance is too low'
      expect(countOf(failed(cause, message), on)).toBeUndefined()
      expect(verdictOf(1, failed(cause, message), '000', on)).toBeUndefined()
    },
  )

  it('enables what was disabled automatically, never what a person switched off', () => {
    expect(verdictOf(3, passed(), '01', on)).toEqual({ status: 1, reason: 'four' })
    expect(verdictOf(2, passed(), '01', on)).toBeUndefined()
    expect(verdictOf(2, failed('account'), '0', on)).toBeUndefined()
    expect(verdictOf(3, failed('account'), '0', on)).toBeUndefined()
  })

  it('is none while the settings are off', () => {
    expect(verdictOf(1, failed('account'), '0', { ...on, AutomaticDisableChannelEnabled: false })).toBeUndefined()
    expect(verdictOf(3, passed(), '1', { ...on, AutomaticEnableChannelEnabled: false })).toBeUndefined()
  })
})
