import { Worker } from 'node:worker_threads'
import type { CallMessage, ErrorMessage, ReplyMessage, ThreadStart } from './program.ts'

/** The main side of one database thread. */
export interface ProgramHost {
  /** Runs a method of the program. Rejects with `SqliteError`, also when the thread died or the call took too long. */
  call(method: string, args: readonly unknown[]): Promise<unknown>
  /** Changes whenever a new thread (and so a new connection) took over; open transactions do not survive that. */
  readonly generation: number
  /** Waits for calls already made, then closes the connection and ends the thread. Later calls reject. */
  close(): Promise<void>
}

/** A failure in the database thread. `errcode` is SQLite's extended result code; undefined when it was not SQLite that failed. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  readonly errcode: number | undefined

  constructor(message: string, errcode?: number, stack?: string) {
    super(message)
    this.errcode = errcode
    if (stack !== undefined) this.stack = `${this.stack ?? message}\nin the database thread: ${stack}`
  }
}

interface PendingCall {
  readonly since: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Starts a thread with its own connection and program. A call that exceeds `timeoutMs` rejects together with everything
 * queued behind it, the thread is told to stop (SQLite itself cannot be interrupted from outside: the thread ends when the
 * running statement does), and the next call starts a fresh one. The same happens when a thread dies.
 */
export async function startProgram(options: {
  readonly file: string
  readonly program: URL
  readonly timeoutMs: number
}): Promise<ProgramHost> {
  const { file, program, timeoutMs } = options
  const pending = new Map<number, PendingCall>()
  let generation = 0
  let lastId = 0
  let closing = false
  let timer: NodeJS.Timeout | undefined
  let worker: Worker | undefined
  let drained: (() => void) | undefined

  const abandon = (thread: Worker, reason: SqliteError): void => {
    if (thread !== worker) return
    worker = undefined
    for (const call of pending.values()) call.reject(reason)
    pending.clear()
    drained?.()
  }

  const start = (): Promise<void> => {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: { file, program: program.href } satisfies ThreadStart,
    })
    worker = thread
    generation += 1
    return new Promise((resolve, reject) => {
      thread.on('message', ([id, result, error]: ReplyMessage) => {
        if (id === 0) {
          if (error === undefined) return resolve()
          const failure = revive(error)
          reject(failure)
          return abandon(thread, failure)
        }
        const call = pending.get(id)
        if (call === undefined) return
        pending.delete(id)
        if (error === undefined) call.resolve(result)
        else call.reject(revive(error))
        if (pending.size === 0) drained?.()
      })
      thread.on('error', (error: unknown) => {
        const failure = new SqliteError(
          `the database thread failed: ${error instanceof Error ? error.message : String(error)}`,
        )
        reject(failure)
        abandon(thread, failure)
      })
      thread.on('exit', () => {
        const failure = new SqliteError('the database thread ended')
        reject(failure)
        abandon(thread, failure)
      })
    })
  }

  /** Armed while calls are pending; looks at the oldest one only, since the thread answers in order. */
  const watch = (delay: number): void => {
    timer = setTimeout(() => {
      timer = undefined
      const [oldest] = pending.values()
      if (oldest === undefined || worker === undefined) return
      const left = oldest.since + timeoutMs - performance.now()
      if (left > 0) return watch(left)
      const thread = worker
      abandon(thread, new SqliteError(`the database took longer than ${timeoutMs} ms`))
      void thread.terminate()
    }, delay)
    timer.unref()
  }

  await start()
  return {
    get generation() {
      return generation
    },
    call: (method, args) => {
      if (closing) return Promise.reject(new SqliteError('the database is closed'))
      // Failures of a restart reach this call through `abandon`.
      if (worker === undefined) start().catch(() => {})
      const thread = worker
      return new Promise((resolve, reject) => {
        lastId += 1
        pending.set(lastId, { since: performance.now(), resolve, reject })
        timer ?? watch(timeoutMs)
        thread?.postMessage([lastId, method, args] satisfies CallMessage)
      })
    },
    close: async () => {
      closing = true
      if (pending.size > 0) await new Promise<void>((resolve) => (drained = resolve))
      clearTimeout(timer)
      const thread = worker
      if (thread === undefined) return
      const ended = new Promise((resolve) => thread.once('exit', resolve))
      worker = undefined
      thread.postMessage([0, 'close', []] satisfies CallMessage)
      await ended
    },
  }
}

function revive(error: ErrorMessage): SqliteError {
  return new SqliteError(error.message, error.errcode, error.stack)
}
