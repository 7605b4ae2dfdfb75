import { type ChannelJob, jobFailure } from '@sluice/contract/channel'
import type { JobRunRow } from '@sluice/store/queries/job-runs'
import * as v from 'valibot'

export const NEVER: ChannelJob = {
  id: 0,
  running: false,
  stopping: false,
  outcome: '',
  scope: '',
  started_by: '',
  scheduled: false,
  started_time: 0,
  finished_time: 0,
  total: 0,
  done: 0,
  failed: 0,
  disabled: 0,
  enabled: 0,
  failures: [],
}

export function jobOnWire(row: JobRunRow): ChannelJob {
  const isRunning = row.outcome === 'running'
  const failures = v.safeParse(v.pipe(v.string(), v.parseJson(), v.array(jobFailure)), row.failures)
  return {
    id: row.id,
    running: isRunning,
    stopping: isRunning && row.isStopping,
    outcome: OUTCOMES.find((outcome) => outcome === row.outcome) ?? '',
    scope: row.scope,
    started_by: row.startedByName,
    scheduled: row.startedBy === 0,
    started_time: seconds(row.begun),
    finished_time: seconds(row.ended),
    total: row.total,
    done: row.done,
    failed: row.failed,
    disabled: row.disabled,
    enabled: row.enabled,
    failures: failures.success ? failures.output : [],
  }
}

const OUTCOMES = ['done', 'stopped', 'failed'] as const

const seconds = (ms: number): number => Math.floor(ms / 1_000)
