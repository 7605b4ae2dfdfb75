import type { Worker } from 'node:worker_threads'

/** A thread that starts with its first job and ends when idle. It does one job after another. */
export interface OnDemandThread<Job, Result> {
  /** Never rejects: undefined when the job failed, took too long, or found no room in the queue. */
  run(job: Job): Promise<Result | undefined>
  close(): Promise<void>
}

export interface OnDemandLimits {
  /** The thread ends after this much idle time. */
  readonly idleMs: number
  /** A job that takes longer, including its time in the queue, ends the thread and all waiting jobs. */
  readonly timeoutMs: number
  readonly queue: number
}

export type JobMessage<Job> = readonly [id: number, job: Job]
/** The result is undefined if the job failed. */
export type ResultMessage<Result> = readonly [id: number, result: Result | undefined]

interface Waiting<Result> {
  readonly resolve: (result: Result | undefined) => void
  readonly timer: NodeJS.Timeout
}

/** `start` creates the thread, which answers each `JobMessage` with a `ResultMessage`. It does not keep the process alive. */
export function openOnDemandThread<Job, Result>(
  start: () => Worker,
  { idleMs, timeoutMs, queue }: OnDemandLimits,
): OnDemandThread<Job, Result> {
  const waiting = new Map<number, Waiting<Result>>()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last = 0

  const finish = (id: number, result: Result | undefined) => {
    const entry = waiting.get(id)
    if (entry === undefined) return
    waiting.delete(id)
    clearTimeout(entry.timer)
    entry.resolve(result)
    if (waiting.size === 0) idle = setTimeout(() => void stop(), idleMs).unref()
  }

  const stop = () => {
    const ended = worker
    worker = undefined
    clearTimeout(idle)
    for (const id of waiting.keys()) finish(id, undefined)
    clearTimeout(idle)
    return ended?.terminate()
  }

  const begin = (): Worker => {
    const started = start()
    started.on('message', ([id, result]: ResultMessage<Result>) => finish(id, result))
    // A thread that dies affects nothing else: its jobs have no result, and the next job starts another thread.
    started.on('error', () => {
      if (worker === started) void stop()
    })
    // Must come last: a listener for messages would otherwise keep the process alive.
    started.unref()
    return started
  }

  return {
    run: (job) => {
      if (waiting.size >= queue) return Promise.resolve(undefined)
      clearTimeout(idle)
      worker ??= begin()
      const thread = worker
      return new Promise((resolve) => {
        last += 1
        const id = last
        // A job that hangs blocks all others, so the thread is ended with it.
        const timer = setTimeout(() => void stop(), timeoutMs)
        waiting.set(id, { resolve, timer })
        const message: JobMessage<Job> = [id, job]
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
        thread.postMessage(message)
      })
    },
    close: async () => {
      await stop()
    },
  }
}
