import type { AccountWindow } from './account-window.ts'
import type { Lane } from './lane.ts'

/**
 * What the outcome of a call shows about its lane: answered → it works · limited → too many calls at the moment · account → the key
 * or its account is refused · provider → the provider does not work · unknown_model → the provider does not serve the model to this
 * key · request, setup, stopped → nothing
 */
export type CallCause =
  | 'answered'
  | 'limited'
  | 'account'
  | 'unknown_model'
  | 'provider'
  | 'request'
  | 'setup'
  | 'stopped'

/**
 * limited → the provider asked for it · account → it refuses the key · unknown_model → it does not know the model · failing → it
 * fails too often
 */
export type CooldownCause = 'limited' | 'account' | 'unknown_model' | 'failing'

/** A refused key cools down for every model, and a failing model for every key: a provider that is down is down for all. */
export interface Cooldown {
  readonly channel: number
  /** Empty if `cause` is `failing`, which concerns every key of the channel. */
  readonly key: string
  /** Empty if `cause` is `account`, which concerns every model of the key. */
  readonly model: string
  readonly cause: CooldownCause
  /** Unix milliseconds. */
  readonly until: number
  /** If `cause` is `limited`: the provider did not say for how long. */
  readonly isGuess?: true
}

/**
 * ready → may be called; `score` (above 0, at most 1) multiplies its weight and falls with failures and slowness; `share` (above 0,
 * at most 1) is the part of its load that it takes after a cooldown or while its provider is silent, see `isWithin`; `open` calls
 * are in flight · probe → its cooldown is over and no call has tried it since: one may, the trial · resting → must not be called.
 * `hasTrial`: the cooldown is over, and a call is trying the lane now; it has until `until` to answer. `isGuess`: the lane is
 * called too often, but the provider did not say how long to wait, so it may be used if no other is available. The kinds are named
 * as in the management API and the metrics.
 */
export type Standing =
  | { readonly kind: 'ready'; readonly score: number; readonly share: number; readonly open: number }
  | { readonly kind: 'probe' }
  | {
      readonly kind: 'resting'
      readonly cause: CooldownCause
      readonly until: number
      readonly hasTrial: boolean
      readonly isGuess?: true
    }

export interface BegunCall {
  /** Call when the first byte of an answer has arrived, `firstByteMs` after the call was sent: a trial has passed. */
  answered(firstByteMs: number, now: number): void
  /**
   * Call once per call, with what the provider reported about the key's account. If a window is used up, the lane rests until the
   * window resets, but no longer than after a refusal; `end` returns that cooldown.
   */
  heard(windows: readonly AccountWindow[], now: number): void
  /**
   * The call is over; later calls of this method change nothing. `retryAfterMs` is what the provider asked for. Returns the
   * resulting cooldown of the lane. `denied` → refused in a way that may be due to the request, so that a single user could cause
   * it: the key cools down only after several denials without an answer in between.
   */
  end(cause: CallCause | 'denied', now: number, retryAfterMs?: number): Cooldown | undefined
}

/** What is known about a lane, for people and metrics. */
export interface LaneView extends Lane {
  readonly standing: Standing
  /** Recent share from 0 to 1, over all keys of the channel. */
  readonly failureRate: number
  /** Recent average in milliseconds, over all keys of the channel; undefined before the first answer. */
  readonly firstByteMs: number | undefined
  readonly open: number
  /** Calls counted since the process began. */
  readonly answered: number
  readonly failed: number
  /** The provider's last report about the key's account; only current windows. */
  readonly windows: readonly AccountWindow[]
}

/** Health of lanes, from this process's calls and the reports of others. All times are unix milliseconds. */
export interface Health {
  /** Reads only. Call it again right before `begin`: the slot of the trial may have been taken since. */
  standing(lane: Lane, now: number): Standing
  /** Call it for every call, even to a lane that cools down. The first call to a lane that needs a trial is the trial. */
  begin(lane: Lane, now: number): BegunCall
  /** Adopts a cooldown that another replica began. The ramp after it takes at most `cooldownMs`. */
  adopt(cooldown: Cooldown, cooldownMs?: number): void
  /** Forgets all cooldowns and failures of a channel: it was changed, switched on, or tested successfully. */
  forget(channel: number): void
  views(now: number): readonly LaneView[]
}
