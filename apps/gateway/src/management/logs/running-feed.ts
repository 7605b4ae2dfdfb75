import type { Timers } from '@sluice/ledger/timers'
import type { RunningCall, RunningCalls } from '@sluice/observe/running-call'

/** Events for those who watch the running calls. */
export interface RunningFeed {
  /** A stream of events for this listener; undefined when too many listen. */
  listen(listener: Listener): ReadableStream<Uint8Array> | undefined
  /** Ends all streams. */
  close(): void
}

export interface Listener {
  /** Who listens. */
  readonly userId: number
  /** Whose calls; undefined: everyone's. */
  readonly scope: number | undefined
  /** What the event shows. */
  readonly show: (calls: readonly RunningCall[]) => unknown
  /** Whether the listener may still look. */
  readonly isWelcome: () => Promise<boolean>
}

export interface RunningFeedDeps {
  readonly calls: Pick<RunningCalls, 'list'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly timers: Pick<Timers, 'every'>
  readonly onError: (error: unknown) => void
}

/** Tabs of one user, and listeners of this process. */
const LISTENERS = { perUser: 5, all: 100 } as const
const TICK_MS = 1_000
/** Ticks between two looks whether a listener is still signed in. */
const WELCOME_TICKS = 2
/** Ticks between two signs of life. */
const PING_TICKS = 15
/** Events that may wait for a listener. One that takes none for a minute is cut. */
const WAITING = 4
const STALLED_TICKS = 60

interface Open extends Listener {
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  last: string
  quiet: number
  stalled: number
}

const encoder = new TextEncoder()

/** One timer for all of them, which runs only while someone listens. A list is made once a second, whoever looks at it. */
export function openRunningFeed({ calls, now, timers, onError }: RunningFeedDeps): RunningFeed {
  const open = new Set<Open>()
  let stop: (() => void) | undefined
  let ticks = 0
  let isBusy = false
  let isClosed = false

  const leave = (each: Open): void => {
    open.delete(each)
    if (open.size > 0) return
    stop?.()
    stop = undefined
  }
  const end = (each: Open, text = ''): void => {
    leave(each)
    if (text !== '') each.controller.enqueue(encoder.encode(text))
    each.controller.close()
  }
  const tell = (each: Open, list: readonly RunningCall[]): void => {
    if (!open.has(each)) return
    if ((each.controller.desiredSize ?? 0) <= 0) {
      each.stalled += 1
      if (each.stalled > STALLED_TICKS) end(each)
      return
    }
    each.stalled = 0
    const text = JSON.stringify(each.show(list))
    each.quiet = text === each.last ? each.quiet + 1 : 0
    if (each.quiet === 0) each.controller.enqueue(encoder.encode(`data: {"data":${text},"now":${now()}}\n\n`))
    else if (each.quiet % PING_TICKS === 0) each.controller.enqueue(encoder.encode(': \n\n'))
    each.last = text
  }
  const tick = async (): Promise<void> => {
    ticks += 1
    if (ticks % WELCOME_TICKS === 0) {
      const looked = [...open].map(async (each) => {
        if (!(await each.isWelcome()) && open.has(each)) end(each, 'event: end\ndata: {"code":"not_logged_in"}\n\n')
      })
      await Promise.all(looked)
    }
    const scopes = new Set([...open].map(({ scope }) => scope))
    const told = [...scopes].map(async (scope) => {
      const list = await calls.list(scope)
      for (const each of open) if (each.scope === scope) tell(each, list)
    })
    await Promise.all(told)
  }
  const run = (): void => {
    if (isBusy) return
    isBusy = true
    tick()
      .catch(onError)
      .finally(() => {
        isBusy = false
      })
  }

  return {
    listen: (listener) => {
      const own = [...open].filter(({ userId }) => userId === listener.userId).length
      if (isClosed || open.size >= LISTENERS.all || own >= LISTENERS.perUser) return undefined
      let entry: Open | undefined
      return new ReadableStream<Uint8Array>(
        {
          start: (controller) => {
            entry = { ...listener, controller, last: '', quiet: 0, stalled: 0 }
            open.add(entry)
            stop ??= timers.every(TICK_MS, run)
            run()
          },
          cancel: () => {
            if (entry !== undefined) leave(entry)
          },
        },
        new CountQueuingStrategy({ highWaterMark: WAITING }),
      )
    },
    close: () => {
      isClosed = true
      for (const each of open) end(each)
    },
  }
}
