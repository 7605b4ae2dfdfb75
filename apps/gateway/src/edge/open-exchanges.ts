import { type Leave, LiveSet } from '../process/live-set.ts'

export interface OpenExchange {
  abort(reason: Error): void
}

export interface OpenExchanges {
  readonly count: number
  readonly draining: boolean
  /** Call the returned function when the request ends. */
  add(exchange: OpenExchange): Leave
  /** Stops admitting, waits up to `timeoutMs`, aborts the rest and awaits their end. Resolves with the number aborted. */
  drain(timeoutMs: number): Promise<number>
}

export function createOpenExchanges(): OpenExchanges {
  const open = new LiveSet<OpenExchange>()
  let draining = false
  let onEmpty: (() => void) | undefined

  const emptied = () => (open.size === 0 ? Promise.resolve() : new Promise<void>((resolve) => (onEmpty = resolve)))

  return {
    get count() {
      return open.size
    },
    get draining() {
      return draining
    },
    add: (exchange) => {
      const leave = open.add(exchange)
      return () => {
        leave()
        if (open.size === 0) onEmpty?.()
      }
    },
    drain: async (timeoutMs) => {
      draining = true
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs)
      })
      await Promise.race([emptied(), patience])
      clearTimeout(timer)
      const late = open.size
      open.forEach((exchange) => exchange.abort(new Error('The gateway is stopping.')))
      await emptied()
      return late
    },
  }
}
