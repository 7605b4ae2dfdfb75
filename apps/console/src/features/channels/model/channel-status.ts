import { type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import type { Tone } from '~/ui/badge.tsx'

export type StatusName = 'disabled' | 'paused' | 'active'

/** Disabled by a user or by the gateway; otherwise Paused while the priority is negative, and Active if not. */
export function channelStatus({ status, priority }: Pick<Channel, 'status' | 'priority'>): {
  readonly name: StatusName
  readonly tone: Tone
} {
  if (status === CHANNEL_STATUS.disabled || status === CHANNEL_STATUS.autoDisabled) {
    return { name: 'disabled', tone: 'neutral' }
  }
  return priority < 0 ? { name: 'paused', tone: 'warn' } : { name: 'active', tone: 'good' }
}

export type TestState =
  | { readonly state: 'never' }
  | { readonly state: 'failed' }
  /** Of the last test. */
  | { readonly state: 'answered'; readonly milliseconds: number }

/** The result of the last test of a channel. A failed one is stored with a time of 0. */
export function testState({ response_time, test_time }: Pick<Channel, 'response_time' | 'test_time'>): TestState {
  if (response_time > 0) return { state: 'answered', milliseconds: response_time }
  return { state: test_time > 0 ? 'failed' : 'never' }
}
