import { CHANNEL_STATUS } from '@sluice/contract/channel'
import type { Options } from '@sluice/store/options/options'
import type { ChannelTestResult } from '../channel-ports.ts'

export type SwitchOptions = Pick<
  Options,
  | 'AutomaticDisableChannelEnabled'
  | 'AutomaticEnableChannelEnabled'
  | 'ChannelDisableThreshold'
  | 'ChannelDisableSeconds'
>

const FAILED_MIN = 2

export interface TestOutcome {
  readonly status: 1 | 3
  readonly reason: string
}

/** Whether a test counts for or against its channel. Faulty, rate-limited, stopped and unsent requests prove nothing about it. */
export function countOf(result: ChannelTestResult, options: SwitchOptions): 'passed' | 'failed' | undefined {
  if (result.ok) return isSlow(result, options) ? 'failed' : 'passed'
  return result.cause === 'account' || result.cause === 'provider' ? 'failed' : undefined
}

/**
 * Decides by the cause of a failure, never by the words of its message. An enabled channel is disabled when its account is refused,
 * when it is slower than `ChannelDisableSeconds` (0: no limit), or when more than `ChannelDisableThreshold` percent of its recent
 * tests failed, but at least two. Only a channel that was disabled automatically is enabled again; one that a person switched off
 * stays off. `recent` holds the counted tests, this one last: `1` passed, `0` failed.
 */
export function testOutcomeOf(
  status: number,
  result: ChannelTestResult,
  recent: string,
  options: SwitchOptions,
): TestOutcome | undefined {
  const count = countOf(result, options)
  if (status === CHANNEL_STATUS.autoDisabled && count === 'passed' && options.AutomaticEnableChannelEnabled) {
    return { status: CHANNEL_STATUS.enabled, reason: result.message }
  }
  if (status !== CHANNEL_STATUS.enabled || count !== 'failed' || !options.AutomaticDisableChannelEnabled) {
    return undefined
  }
  const reason = disableReason(result, recent, options)
  return reason === undefined ? undefined : { status: CHANNEL_STATUS.autoDisabled, reason }
}

/** A passed test switches on a key that the gateway has switched off. */
export function keyOutcomeOf(result: ChannelTestResult, options: SwitchOptions): 'enable' | undefined {
  return options.AutomaticEnableChannelEnabled && countOf(result, options) === 'passed' ? 'enable' : undefined
}

function disableReason(result: ChannelTestResult, recent: string, options: SwitchOptions): string | undefined {
  if (result.cause === 'account') return result.message
  if (result.ok) return `it took longer than ${options.ChannelDisableSeconds} s`
  const failed = recent.replaceAll('1', '').length
  const isTooMuch = failed >= FAILED_MIN && failed * 100 > recent.length * options.ChannelDisableThreshold
  return isTooMuch ? `${failed} of its last ${recent.length} tests failed: ${result.message}` : undefined
}

function isSlow({ elapsedMs }: ChannelTestResult, { ChannelDisableSeconds: limit }: SwitchOptions): boolean {
  return limit > 0 && elapsedMs > limit * 1_000
}
