import type { ChannelKey } from '@sluice/contract/channel'
import type { LaneHealth, RestCause } from '@sluice/contract/routing'

/**
 * How a key of a channel stands. `off`: by a person · `refused`: by the gateway · `rests`: all of it, or `models` of its models,
 * until a moment in unix milliseconds · `on`
 */
export type KeyState =
  | { readonly kind: 'on' | 'off' | 'refused' }
  | { readonly kind: 'rests'; readonly until: number; readonly cause: RestCause; readonly models: number }

export const KEY_ON = 1
const BY_PERSON = 2
const BY_GATEWAY = 3

/** `lanes` are those of the whole channel. What rests whole counts before what rests for single models. */
export function keyState({ fingerprint, status }: ChannelKey, lanes: readonly LaneHealth[]): KeyState {
  if (status === BY_PERSON) return { kind: 'off' }
  if (status === BY_GATEWAY) return { kind: 'refused' }
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
