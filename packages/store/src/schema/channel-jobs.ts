import type { Generated } from 'kysely'

export interface ChannelJobTables {
  job_run: JobRunTable
  channel_minute: ChannelMinuteTable
  channel_minute_failure: ChannelMinuteFailureTable
}

/** One run of work on many channels, and its progress. */
export interface JobRunTable {
  id: Generated<number>
  /** Name of the lease under which it runs. */
  job: string
  scope: string
  /** Id of the user who started it; 0 for the schedule. */
  started_by: number
  /** The lease's fencing number. */
  epoch: number
  begun_ms: number
  /** 0 while it runs. */
  ended_ms: Generated<number>
  /** `running`, `done`, `stopped` or `failed` (could not be done). */
  outcome: string
  stop_asked: Generated<number>
  total: Generated<number>
  done: Generated<number>
  failed: Generated<number>
  /** Channels and keys that it switched off and on. */
  disabled: Generated<number>
  enabled: Generated<number>
  /** JSON list of the first failures. */
  failures: Generated<string>
}

/** Calls in one minute through a channel that count for its health. Rows live for less than an hour. */
export interface ChannelMinuteTable {
  channel_id: number
  /** Unix minutes. */
  minute: number
  calls: number
  failed: number
  /** Id of the only user who called; -1 when there were several. */
  caller: number
}

/** Users who met failures in such a minute. */
export interface ChannelMinuteFailureTable {
  channel_id: number
  minute: number
  user_id: number
  failed: number
}
