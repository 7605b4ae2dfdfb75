import type { Timers } from '@sluice/ledger/timers'
import type { RunningCall, RunningCalls } from '@sluice/observe/running-call'

export interface RunningFeed {
  /** Undefined when there are too many listeners. */
  listen(listener: Listener): ReadableStream<Uint8Array> | undefined
  close(): void
}

export interface Listener {
  readonly userId: number
  /** The user whose calls are shown; undefined for all users. */
  readonly scope: number | undefined
  readonly show: (calls: readonly RunningCall[]) => unknown
  readonly isWelcome: () => Promise<boolean>
}

export interface RunningFeedDeps {
  readonly calls: Pick<RunningCalls, 'list'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly timers: Pick<Timers, 'every'>
  readonly onError: (error: unknown) => void
}

/** Most tabs of one user, and most listeners of this process. */
const LISTENERS = { perUser: 5, all: 100 } as const
const TICK_MS = 1_000
/** Ticks between two checks that a listener is still signed in. */
const WELCOME_TICKS = 2
/** Ticks between two keep-alive messages. */
const PING_TICKS = 15
/** Events that may wait for a listener. A listener that reads none for a minute is disconnected. */
const WAITING = 4
const STALLED_TICKS = 60

interface Open extends Listener {
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  last: string
  quiet: number
  stalled: number
}

const encoder = new TextEncoder()

export function openRunningFeed(deps: RunningFeedDeps): RunningFeed {
  return new EventFeed(deps)
}

/** One timer serves all listeners and runs only while there are any. Each list is created once a second for all its listeners. */
class EventFeed implements RunningFeed {
  readonly #deps: RunningFeedDeps
  readonly #open = new Set<Open>()
  #stop: (() => void) | undefined
  #ticks = 0
  #isBusy = false
  #isClosed = false

  constructor(deps: RunningFeedDeps) {
    this.#deps = deps
  }

  listen(listener: Listener): ReadableStream<Uint8Array> | undefined {
    const own = [...this.#open].filter(({ userId }) => userId === listener.userId).length
    if (this.#isClosed || this.#open.size >= LISTENERS.all || own >= LISTENERS.perUser) return undefined
    let entry: Open | undefined
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          entry = { ...listener, controller, last: '', quiet: 0, stalled: 0 }
          this.#open.add(entry)
          this.#stop ??= this.#deps.timers.every(TICK_MS, () => this.#run())
          this.#run()
        },
        cancel: () => {
          if (entry !== undefined) this.#leave(entry)
        },
      },
      new CountQueuingStrategy({ highWaterMark: WAITING }),
    )
  }

  #run(): void {
    if (this.#isBusy) return
    this.#isBusy = true
    this.#tick()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#isBusy = false
      })
  }

  async #tick(): Promise<void> {
    this.#ticks += 1
    if (this.#ticks % WELCOME_TICKS === 0) {
      const looked = [...this.#open].map(async (each) => {
        if (!(await each.isWelcome()) && this.#open.has(each))
          this.#end(each, 'event: end\ndata: {"code":"not_logged_in"}\n\n')
      })
      await Promise.all(looked)
    }
    const scopes = new Set([...this.#open].map(({ scope }) => scope))
    const told = [...scopes].map(async (scope) => {
      const list = await this.#deps.calls.list(scope)
      for (const each of this.#open) if (each.scope === scope) this.#tell(each, list)
    })
    await Promise.all(told)
  }

  #tell(each: Open, list: readonly RunningCall[]): void {
    if (!this.#open.has(each)) return
    if ((each.controller.desiredSize ?? 0) <= 0) {
      each.stalled += 1
      if (each.stalled > STALLED_TICKS) this.#end(each)
      return
    }
    each.stalled = 0
    const text = JSON.stringify(each.show(list))
    each.quiet = text === each.last ? each.quiet + 1 : 0
    if (each.quiet === 0)
      each.controller.enqueue(encoder.encode(`data: {"data":${text},"now":${this.#deps.now()}}\n\n`))
    else if (each.quiet % PING_TICKS === 0) each.controller.enqueue(encoder.encode(': \n\n'))
    each.last = text
  }

  #end(each: Open, text = ''): void {
    this.#leave(each)
    if (text !== '') each.controller.enqueue(encoder.encode(text))
    each.controller.close()
  }

  #leave(each: Open): void {
    this.#open.delete(each)
    if (this.#open.size > 0) return
    this.#stop?.()
    this.#stop = undefined
  }

  close(): void {
    this.#isClosed = true
    for (const each of this.#open) this.#end(each)
  }
}
