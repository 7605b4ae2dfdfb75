import { Worker } from 'node:worker_threads'
import { type OnDemandThread, openOnDemandThread } from '../../process/on-demand-thread.ts'

export interface BcryptJob {
  readonly password: string
  /** With a cost that `importedCost` allows. */
  readonly hash: string
}

/** The most expensive hash takes about a second, and the thread gets one job at a time. */
const LIMITS = { idleMs: 10_000, timeoutMs: 30_000, queue: 1 } as const

/** A thread that checks passwords against bcrypt hashes. It starts with the first such hash, because most gateways have none. */
export function openBcryptThread(): OnDemandThread<BcryptJob, boolean> {
  return openOnDemandThread(
    () => new Worker(new URL('./bcrypt-thread.ts', import.meta.url), { name: 'sluice-bcrypt' }),
    LIMITS,
  )
}
