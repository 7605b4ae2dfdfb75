/** Work that outlives the request that started it. */
export interface Background {
  readonly run: (work: (signal: AbortSignal) => Promise<void>) => void
  /** Asks running work to stop and waits for it. */
  close(): Promise<void>
}

export function openBackground(onError: (error: unknown) => void): Background {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  return {
    run: (work) => {
      const task: Promise<void> = work(stop.signal)
        .catch(onError)
        .finally(() => running.delete(task))
      running.add(task)
    },
    close: async () => {
      stop.abort()
      await Promise.all(running)
    },
  }
}
