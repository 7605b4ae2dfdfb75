import { Worker } from 'node:worker_threads'
import type { CallMessage, ErrorMessage, ReplyMessage, ThreadStart } from './program.ts'

/** The main side of one database thread. */
export interface ProgramHost {
  /** Runs a method of the program. Rejects with `SqliteError`, even when the thread died or the call took too long. */
  call(method: string, args: readonly unknown[]): Promise<unknown>
  /** Changes as soon as the thread, and with it the connection and its open transaction, is lost. */
  readonly generation: number
  /** Waits for calls already made, then closes the connection and ends the thread. Later calls reject. */
  close(): Promise<void>
  /** Rejects all calls, now and later. The thread ends with its running statement; nothing waits for it. */
  abandon(): void
}

/** A failure in the database thread. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  /** SQLite's extended result code; undefined if SQLite did not fail. */
  readonly errcode: number | undefined
  /** Node's code (`EACCES`) when the system refused; otherwise undefined. */
  readonly code: string | undefined

  constructor(message: string, errcode?: number, stack?: string, code?: string) {
    super(message)
    this.errcode = errcode
    this.code = code
    if (stack !== undefined) this.stack = `${this.stack ?? message}\nin the database thread: ${stack}`
  }
}

interface PendingCall {
  readonly id: number
  readonly since: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

interface Thread {
  readonly worker: Worker
  /** Ordered by id, and answered in about that order. Not a `Map`, because one whose entries keep changing retains old entries. */
  readonly pending: PendingCall[]
  /** The earliest time at which a call is abandoned: a call's own time-out counts only once the program is open. */
  notBefore: number
  /** Called when the last pending call was answered. */
  drained: () => void
}

const START_TIMEOUT_MS = 30_000
/** Objects in a thread live for one call, so a tiny young generation serves as well as the default, which grows to 48 MB. */
const YOUNG_GENERATION_MB = 1
const OPENED = 0
const CLOSE = 0

interface ProgramOptions {
  readonly file: string
  readonly program: URL
  readonly timeoutMs: number
  /** `own` unless given; see `ThreadStart`. */
  readonly access?: ThreadStart['access']
}

/**
 * Starts a thread with its own connection and program. A call that exceeds `timeoutMs` rejects together with everything
 * queued behind it, the thread is told to stop (SQLite cannot be interrupted from outside: the thread ends when the running
 * statement does), and the next call starts a fresh one. The same happens when a thread dies.
 */
export async function startProgram(options: ProgramOptions): Promise<ProgramHost> {
  const host = new ThreadHost(options)
  await host.opened
  return host
}

class ThreadHost implements ProgramHost {
  readonly #options: ProgramOptions
  /** Resolves when the first thread has opened its program. */
  readonly opened: Promise<void>
  #current: Thread | undefined
  #generation = 0
  #lastCall = 0
  #closed = false
  #watching = false

  constructor(options: ProgramOptions) {
    this.#options = options
    this.opened = this.#start().opened
  }

  get generation(): number {
    return this.#generation
  }

  call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#closed) return Promise.reject(new SqliteError('the database is closed'))
    const thread = this.#current ?? this.#restart()
    return new Promise((resolve, reject) => {
      this.#lastCall += 1
      thread.pending.push({ id: this.#lastCall, since: performance.now(), resolve, reject })
      if (!this.#watching) this.#watch(this.#options.timeoutMs)
      send(thread, [this.#lastCall, method, args])
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const thread = this.#current
    if (thread === undefined) return
    if (thread.pending.length > 0) await new Promise<void>((resolve) => (thread.drained = resolve))
    if (thread !== this.#current) return
    const ended = new Promise((resolve) => thread.worker.once('exit', resolve))
    send(thread, [CLOSE, '', []])
    await ended
  }

  abandon(): void {
    this.#closed = true
    const thread = this.#current
    if (thread === undefined) return
    this.#giveUp(thread, new SqliteError('the database was given up'))
    void thread.worker.terminate()
  }

  #start(): { readonly thread: Thread; readonly opened: Promise<void> } {
    const { file, program, timeoutMs, access = 'own' } = this.#options
    const thread: Thread = {
      worker: startWorker({ file, program: program.href, access }),
      pending: [],
      notBefore: performance.now() + START_TIMEOUT_MS,
      drained: () => {},
    }
    this.#current = thread
    const opened = new Promise<void>((resolve, reject) => {
      const fail = (failure: SqliteError): void => {
        reject(failure)
        this.#giveUp(thread, failure)
      }
      thread.worker.on('message', ([id, result, error]: ReplyMessage) => {
        if (id !== OPENED) return answer(thread, id, result, error)
        if (error !== undefined) return fail(revive(error))
        thread.notBefore = performance.now() + timeoutMs
        resolve()
      })
      thread.worker.on('error', (error: unknown) =>
        fail(new SqliteError(`the database thread failed: ${String(error)}`)),
      )
      thread.worker.on('exit', () => fail(new SqliteError('the database thread ended')))
    })
    return { thread, opened }
  }

  /** Callers learn of a failure to open from their pending calls. */
  #restart(): Thread {
    const { thread, opened } = this.#start()
    opened.catch(() => {})
    return thread
  }

  #giveUp(thread: Thread, reason: SqliteError): void {
    if (thread === this.#current) {
      this.#current = undefined
      this.#generation += 1
    }
    for (const call of thread.pending.splice(0)) call.reject(reason)
    thread.drained()
  }

  /** Runs while calls are pending; looks at the oldest one only, since the thread answers in order. */
  #watch(delay: number): void {
    const { timeoutMs } = this.#options
    this.#watching = true
    setTimeout(() => {
      this.#watching = false
      const thread = this.#current
      const oldest = thread?.pending[0]
      if (thread === undefined || oldest === undefined) return
      const left = Math.max(oldest.since + timeoutMs, thread.notBefore) - performance.now()
      if (left > 0) return this.#watch(left)
      this.#giveUp(thread, new SqliteError(`the database took longer than ${timeoutMs} ms`))
      void thread.worker.terminate()
    }, delay).unref()
  }
}

function startWorker(workerData: ThreadStart): Worker {
  return new Worker(new URL('./thread.ts', import.meta.url), {
    workerData,
    name: 'sluice-database',
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  })
}

function send(thread: Thread, message: CallMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  thread.worker.postMessage(message)
}

function answer(thread: Thread, id: number, result: unknown, error: ErrorMessage | undefined): void {
  const at = thread.pending.findIndex((call) => call.id === id)
  const [call] = at === -1 ? [] : thread.pending.splice(at, 1)
  if (call === undefined) return
  if (error === undefined) call.resolve(result)
  else call.reject(revive(error))
  if (thread.pending.length === 0) thread.drained()
}

function revive(error: ErrorMessage): SqliteError {
  return new SqliteError(error.message, error.errcode, error.stack, error.code)
}
