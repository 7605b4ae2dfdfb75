import { describe, expect, it } from 'vitest'
import type { ChannelTestResult } from '../channel-ports.ts'
import { countOf, type SwitchOptions, testOutcomeOf } from './channel-verdict.ts'

const on: SwitchOptions = {
  AutomaticDisableChannelEnabled: true,
  AutomaticEnableChannelEnabled: true,
  ChannelDisableThreshold: 5,
  ChannelDisableSeconds: 0,
}
const failed = (cause: ChannelTestResult['cause'], message = 'oh'): ChannelTestResult =>
  cause === undefined
    ? { ok: false, model: 'm', elapsedMs: 5, message }
    : { ok: false, cause, model: 'm', elapsedMs: 5, message }
const passed = (elapsedMs = 5): ChannelTestResult => ({ ok: true, model: 'm', elapsedMs, message: 'four' })

describe('the outcome of a test', () => {
  it('disables at once when the account is refused', () => {
    expect(testOutcomeOf(1, failed('account'), `${'1'.repeat(19)}0`, on)).toEqual({ status: 3, reason: 'oh' })
  })

  it('disables when more tests failed than the threshold allows', () => {
    const recent = (failures: number) => '1'.repeat(20 - failures) + '0'.repeat(failures)
    expect(testOutcomeOf(1, failed('provider'), '0', on)).toBeUndefined()
    expect(testOutcomeOf(1, failed('provider'), '00', on)).toEqual({
      status: 3,
      reason: '2 of its last 2 tests failed: oh',
    })
    expect(testOutcomeOf(1, failed('provider'), recent(1), on)).toBeUndefined()
    expect(testOutcomeOf(1, failed('provider'), recent(2), on)?.status).toBe(3)
    expect(testOutcomeOf(1, failed('provider'), recent(10), { ...on, ChannelDisableThreshold: 50 })).toBeUndefined()
    expect(
      testOutcomeOf(1, failed('provider'), '0'.repeat(20), { ...on, ChannelDisableThreshold: 100 }),
    ).toBeUndefined()
  })

  it('disables a channel that is slower than the time limit, when there is one', () => {
    expect(testOutcomeOf(1, passed(5_001), '1', on)).toBeUndefined()
    const limited = { ...on, ChannelDisableSeconds: 5 }
    expect(testOutcomeOf(1, passed(5_001), '10', limited)).toEqual({ status: 3, reason: 'it took longer than 5 s' })
    expect(testOutcomeOf(1, passed(5_000), '11', limited)).toBeUndefined()
    expect(testOutcomeOf(3, passed(5_001), '10', limited)).toBeUndefined()
  })

  it.each(['limited', 'request', 'stopped', 'setup', undefined] as const)(
    'does nothing for the cause %s, whatever the message says',
    (cause) => {
      const message = 'invalid_api_key: your credit balance is too low'
      expect(countOf(failed(cause, message), on)).toBeUndefined()
      expect(testOutcomeOf(1, failed(cause, message), '000', on)).toBeUndefined()
    },
  )

  it('enables what was disabled automatically, never what a person switched off', () => {
    expect(testOutcomeOf(3, passed(), '01', on)).toEqual({ status: 1, reason: 'four' })
    expect(testOutcomeOf(2, passed(), '01', on)).toBeUndefined()
    expect(testOutcomeOf(2, failed('account'), '0', on)).toBeUndefined()
    expect(testOutcomeOf(3, failed('account'), '0', on)).toBeUndefined()
  })

  it('is none while the settings are off', () => {
    expect(testOutcomeOf(1, failed('account'), '0', { ...on, AutomaticDisableChannelEnabled: false })).toBeUndefined()
    expect(testOutcomeOf(3, passed(), '1', { ...on, AutomaticEnableChannelEnabled: false })).toBeUndefined()
  })
})
