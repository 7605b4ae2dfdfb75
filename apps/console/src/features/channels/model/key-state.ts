import { CHANNEL_KEY_STATUS, type ChannelKey } from '@sluice/contract/channel'
import type { LaneHealth, CooldownCause } from '@sluice/contract/routing'

/**
 * The state of a key of a channel. `off`: switched off by a user · `refused`: by the gateway · `rests`: in cooldown, the whole key
 * or `models` of its models, until a time in unix milliseconds · `on`
 */
export type KeyState =
  | { readonly kind: 'on' | 'off' | 'refused' }
  | { readonly kind: 'rests'; readonly until: number; readonly cause: CooldownCause; readonly models: number }

/** `lanes` are those of the whole channel. A cooldown of the whole key takes precedence over cooldowns of single models. */
export function keyState({ fingerprint, status }: ChannelKey, lanes: readonly LaneHealth[]): KeyState {
  if (status === CHANNEL_KEY_STATUS.disabled) return { kind: 'off' }
  if (status === CHANNEL_KEY_STATUS.autoDisabled) return { kind: 'refused' }
  const own = lanes.filter((lane) => lane.fingerprint === fingerprint)
  const resting = own.flatMap(({ standing, cause, until }) =>
    standing === 'resting' && cause !== undefined && until !== undefined ? [{ cause, until }] : [],
  )
  const account = resting.find(({ cause }) => cause === 'account')
  const longest = resting.toSorted((a, b) => b.until - a.until)[0]
  if (longest === undefined) return { kind: 'on' }
  const isWhole = account !== undefined || resting.length === own.length
  return { kind: 'rests', ...(account ?? longest), models: isWhole ? 0 : resting.length }
}
