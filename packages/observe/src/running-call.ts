/** `waiting`: for its turn or its hold, not sent yet; `asking`: sent to a provider; `streaming`: events of its answer arrive. */
export type RunningStage = 'waiting' | 'asking' | 'streaming'

/** A relayed call that has not ended, as plain data for other threads and replicas. Never a prompt, an answer or a key. */
export interface RunningCall {
  /** 32 hex characters. */
  readonly id: string
  readonly userId: number
  readonly username: string
  readonly tokenName: string
  /** The model as requested. */
  readonly model: string
  /** The channel that it was sent to last, or 0. */
  readonly channel: number
  readonly channelName: string
  readonly stage: RunningStage
  readonly isStream: boolean
  /** Unix milliseconds. */
  readonly started: number
  /** Answer tokens, estimated from the text that has arrived; 0 for an answer that is not streamed. */
  readonly tokens: number
  /** What would be charged if the call ended now, in mq, by the same estimate; 0 before anything has arrived. */
  readonly amount: number
  /** Digest of the session that the client named, or empty. */
  readonly session: string
}

/** The relayed calls that are running now, in any replica. */
export interface RunningCalls {
  /** The calls of this user or of all users, oldest first, at most `RUNNING_MOST`. Other replicas' data is a few seconds old. */
  list(userId: number | undefined): Promise<readonly RunningCall[]>
  /** Ends the call if it is running and belongs to this user (undefined: to any user); otherwise false. */
  stop(id: string, userId: number | undefined): Promise<boolean>
}

/** Maximum calls in one list; a process can have thousands. */
export const RUNNING_MOST = 500
