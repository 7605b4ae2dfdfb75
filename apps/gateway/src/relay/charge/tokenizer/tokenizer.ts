import { Worker } from 'node:worker_threads'
import { type Counted, type CountJob, estimateTokens } from './count.ts'
import type { CountedMessage, CountMessage } from './tokenizer-thread.ts'

/** Counts the tokens of requests whose provider reported none. */
export interface Tokenizer {
  /** Never rejects: when counting fails or takes too long, the tokens are estimated by size. */
  count(job: CountJob): Promise<Counted>
  close(): Promise<void>
}

export interface TokenizerOptions {
  /** The thread, with about 100 MB of tables, ends after this much idle time. */
  readonly idleMs?: number
  readonly timeoutMs?: number
  /** Jobs that can wait; further jobs are estimated by size at once. */
  readonly queue?: number
}

interface Waiting {
  readonly job: CountJob
  readonly resolve: (counted: Counted) => void
  readonly timer: NodeJS.Timeout
}

/** The thread starts with the first job: most gateways never need it, because providers report usage. */
export function openTokenizer({ idleMs = 60_000, timeoutMs = 10_000, queue = 256 }: TokenizerOptions = {}): Tokenizer {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last = 0

  const finish = (id: number, counted: Counted | undefined) => {
    const entry = waiting.get(id)
    if (entry === undefined) return
    waiting.delete(id)
    clearTimeout(entry.timer)
    entry.resolve(counted ?? bySize(entry.job))
    if (waiting.size === 0) idle = setTimeout(() => void stop(), idleMs).unref()
  }

  /** Ends the thread; jobs that still wait are estimated by size. */
  const stop = () => {
    const ended = worker
    worker = undefined
    clearTimeout(idle)
    for (const id of waiting.keys()) finish(id, undefined)
    clearTimeout(idle)
    return ended?.terminate()
  }

  const start = (): Worker => {
    const started = new Worker(new URL('./tokenizer-thread.ts', import.meta.url), { name: 'sluice-tokenizer' })
    started.unref()
    started.on('message', ([id, prompt, output]: CountedMessage) => {
      finish(id, prompt === undefined || output === undefined ? undefined : { prompt, output })
    })
    // A thread that dies takes nothing with it: its jobs are estimated by size, and the next job starts another.
    started.on('error', () => {
      if (worker === started) void stop()
    })
    return started
  }

  return {
    count: (job) => {
      if (waiting.size >= queue) return Promise.resolve(bySize(job))
      clearTimeout(idle)
      worker ??= start()
      const thread = worker
      return new Promise((resolve) => {
        last += 1
        const id = last
        // A job that hangs holds up all others, so the thread is ended with it.
        const timer = setTimeout(() => void stop(), timeoutMs)
        waiting.set(id, { job, resolve, timer })
        const message: CountMessage = [id, job]
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
        thread.postMessage(message)
      })
    },
    close: async () => {
      await stop()
    },
  }
}

function bySize({ prompt, text, beyondBytes }: CountJob): Counted {
  const promptBytes = typeof prompt === 'number' ? prompt : prompt.length
  return { prompt: estimateTokens(promptBytes), output: estimateTokens(Buffer.byteLength(text) + beyondBytes) }
}
