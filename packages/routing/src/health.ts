import type { Lane } from './lane.ts'

/**
 * What became of a call, by what it says about its lane:
 * answered → all is well · limited → too many calls at the moment · account → the key or its account is refused ·
 * provider → the provider does not work · request, setup, stopped → nothing about the lane
 */
export type CallCause = 'answered' | 'limited' | 'account' | 'provider' | 'request' | 'setup' | 'stopped'

/** Why a lane is left alone: the provider asked for it, refuses the key, or fails too often. */
export type RestCause = 'limited' | 'account' | 'failing'

/**
 * A lane that is left alone until a moment. A refused key rests for every model, and a model that fails with every key: a provider
 * that is down is down for all of them.
 */
export interface Rest {
  readonly channel: number
  /** Empty when `failing`: every key of the channel. */
  readonly key: string
  /** Empty when `account`: every model of the key. */
  readonly model: string
  readonly cause: RestCause
  /** Unix milliseconds. */
  readonly until: number
  /** When `limited`: the provider did not say for how long. */
  readonly isGuess?: true
}

/**
 * How a lane stands.
 * ready → may be asked; `worth` (above 0, at most 1) multiplies its weight and falls with failures and slowness; `share` (above 0, at
 * most 1) is the part of its load that it takes again after a rest, or still while its provider says nothing, see `isWithin`; `open` calls are under way there ·
 * probe → its rest is over and nobody has tried it since: one call may · resting → leave it alone. `isProbed`: the rest is over, and
 * a call that began before tries the lane just now; it has until `until` to answer. `isGuess`: it is asked too often, but did not
 * say for how long, so that it may serve when there is no other.
 */
export type Standing =
  | { readonly kind: 'ready'; readonly worth: number; readonly share: number; readonly open: number }
  | { readonly kind: 'probe' }
  | {
      readonly kind: 'resting'
      readonly cause: RestCause
      readonly until: number
      readonly isProbed: boolean
      readonly isGuess?: true
    }

/** A call that has begun. */
export interface BegunCall {
  /** The first byte of an answer came: a probe has passed. `firstByteMs` after the call was sent. */
  answered(firstByteMs: number, now: number): void
  /**
   * The call is over; later calls of this change nothing. `retryAfterMs` is what the provider asked for. Answers the rest that
   * the lane takes for it. `denied` → refused in a way that may have to do with what was asked, so that one user could bring it
   * about: the key rests only when nothing is answered between several of them.
   */
  end(cause: CallCause | 'denied', now: number, retryAfterMs?: number): Rest | undefined
}

/** What is known of a lane, for people and metrics. */
export interface LaneView extends Lane {
  readonly standing: Standing
  /** 0 to 1, of lately, of all keys of the channel. */
  readonly failureRate: number
  /** Milliseconds, of lately, of all keys of the channel; undefined before the first answer. */
  readonly firstByteMs: number | undefined
  readonly open: number
  /** Calls that counted since the process began. */
  readonly answered: number
  readonly failed: number
}

/** What this process knows of the lanes by their calls, and what others have told it. All times are unix milliseconds. */
export interface Health {
  /** Changes nothing. Ask again right before `begin`: the place of the probe may have been taken since. */
  standing(lane: Lane, now: number): Standing
  /** To be told of every call, also of those to a lane that rests. The first one to a lane that wants a probe is the probe. */
  begin(lane: Lane, now: number): BegunCall
  /** A rest that another replica has seen the reason for. After one of `restMs`, coming back need not take longer than that. */
  adopt(rest: Rest, restMs?: number): void
  /** Forgets what was held against a channel: somebody has changed it, switched it on, or tested it with success. */
  forget(channel: number): void
  views(now: number): readonly LaneView[]
}
