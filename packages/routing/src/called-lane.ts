import type { CallCause, Rest } from './health.ts'
import type { Lane } from './lane.ts'

/** One call to a provider that is over, as those hear of it who count, switch and measure. */
export interface CalledLane extends Lane {
  readonly cause: CallCause
  /** Id of the user who asked; 0 when nobody did. One user's calls alone say little about a channel. */
  readonly user: number
  /** Code of the error catalogue; empty when all is well. */
  readonly code: string
  /** The provider's status; 0 when no answer came. */
  readonly status: number
  /** Unix milliseconds when it was sent. */
  readonly started: number
  readonly elapsedMs: number
  /** Undefined when no byte came. */
  readonly firstByteMs: number | undefined
  /** What the lane was given for it. */
  readonly rest: Rest | undefined
  /** True when it failed, and the provider's clock says another time than ours. */
  readonly clocksDiffer?: boolean | undefined
}
