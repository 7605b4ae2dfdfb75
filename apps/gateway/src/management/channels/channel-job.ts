import type { ChannelJob } from '@sluice/contract/channel'
import type { Refusal } from '@sluice/contract/errors'
import type { ManagementDeps } from '../ports.ts'

/** Channels looked at at the same time: many enough to end soon, few enough to leave the relay its connections. */
const PARALLEL = 4

/** What became of one channel. */
export interface JobStep {
  readonly ok: boolean
  readonly became?: 'enabled' | 'disabled' | undefined
}

export interface JobWork<Target> {
  readonly scope: string
  readonly targets: () => Promise<readonly Target[]>
  readonly each: (target: Target, signal: AbortSignal) => Promise<JobStep>
  /** Told when everything was looked at; not when the gateway stopped before that. */
  readonly ended?: (state: ChannelJob) => Promise<void>
}

/** Work on many channels behind the answer of the call that started it: one run at a time in this process. */
export interface ChannelJobRunner {
  /** Starts and answers at once; refused while a run is under way. */
  readonly start: <Target>(work: JobWork<Target>) => Refusal | undefined
  readonly state: () => ChannelJob
}

const NEVER: ChannelJob = {
  running: false,
  scope: '',
  started_time: 0,
  finished_time: 0,
  total: 0,
  done: 0,
  failed: 0,
  disabled: 0,
  enabled: 0,
}

/** `what` names the work to whoever wants to start a second run. */
export function createChannelJob(
  deps: Pick<ManagementDeps, 'inBackground' | 'now' | 'versions'>,
  what: string,
): ChannelJobRunner {
  let state = NEVER
  const seconds = (): number => Math.floor(deps.now() / 1_000)

  const count = ({ ok, became }: JobStep): void => {
    state = {
      ...state,
      done: state.done + 1,
      failed: state.failed + Number(!ok),
      disabled: state.disabled + Number(became === 'disabled'),
      enabled: state.enabled + Number(became === 'enabled'),
    }
  }

  const run = async <Target>(work: JobWork<Target>, signal: AbortSignal): Promise<void> => {
    const targets = await work.targets()
    state = { ...state, total: targets.length }
    const queue = targets.values()
    const worker = async (): Promise<void> => {
      for (const target of queue) {
        if (signal.aborted) return
        count(await work.each(target, signal))
      }
    }
    const workers = await Promise.allSettled(Array.from({ length: PARALLEL }, worker))
    const failure = workers.find((outcome) => outcome.status === 'rejected')
    if (failure !== undefined) throw failure.reason
    if (state.disabled + state.enabled > 0) await deps.versions.check()
    if (!signal.aborted) await work.ended?.(state)
  }

  return {
    state: () => state,
    start: (work) => {
      if (state.running) return { code: 'job_running', params: { what } }
      state = { ...NEVER, running: true, scope: work.scope, started_time: seconds() }
      deps.inBackground(async (signal) => {
        try {
          await run(work, signal)
        } finally {
          state = { ...state, running: false, finished_time: seconds() }
        }
      })
      return undefined
    },
  }
}
