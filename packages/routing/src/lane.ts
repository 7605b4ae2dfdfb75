import type { CallCause, Cooldown } from './health.ts'

/** One path to a provider: a channel, one of its keys, and a model under the provider's name. */
export interface Lane {
  readonly channel: number
  /** Fingerprint of the key: another key is another lane, so it starts with a clean record. */
  readonly key: string
  readonly model: string
}

/** One finished call to a provider, as reported to metrics, health and automatic switching. */
export interface CalledLane extends Lane {
  readonly cause: CallCause
  /** Id of the user who made the request; 0 if no user did. One user's calls alone say little about a channel. */
  readonly user: number
  /** Code of the error catalogue; empty when all is well. */
  readonly code: string
  /** The provider's status; 0 when no answer arrived. */
  readonly status: number
  /** Unix milliseconds when the call was sent. */
  readonly started: number
  readonly elapsedMs: number
  /** Undefined when no byte arrived. */
  readonly firstByteMs: number | undefined
  /** The cooldown that the call caused. */
  readonly cooldown: Cooldown | undefined
  /** True when the call failed and the provider's clock differs from ours. */
  readonly clocksDiffer?: boolean | undefined
}
