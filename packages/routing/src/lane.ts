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
  /** Id of the requesting user; 0 without a user. One user's calls alone say little about a channel. */
  readonly user: number
  /** Code of the error catalogue; empty on success. */
  readonly code: string
  /** The provider's status; 0 without an answer. */
  readonly status: number
  /** When the call was sent, in unix milliseconds. */
  readonly started: number
  readonly elapsedMs: number
  /** Undefined if no byte arrived. */
  readonly firstByteMs: number | undefined
  /** The cooldown that the call caused. */
  readonly cooldown: Cooldown | undefined
  /** The call failed, and the provider's clock differs from ours. */
  readonly clocksDiffer?: boolean | undefined
}
