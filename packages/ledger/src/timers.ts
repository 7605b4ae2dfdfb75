/** The timers of this package, so that tests can advance them by hand. Each function returns a function that stops it. */
export interface Timers {
  /** Calls `task` every `ms`; never keeps the process alive on its own. */
  every(ms: number, task: () => void): () => void
  after(ms: number, task: () => void): () => void
  /** Calls `task` as soon as all input that is ready now has been handled. */
  turn(task: () => void): void
}

export const systemTimers: Timers = {
  every: (ms, task) => {
    const timer = setInterval(task, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
  after: (ms, task) => {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
  turn: (task) => {
    setImmediate(task)
  },
}
