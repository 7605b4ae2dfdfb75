import { Worker } from 'node:worker_threads'
import { type OnDemandLimits, openOnDemandThread } from '../../../process/on-demand-thread.ts'
import { type Counted, type CountJob, estimateTokens } from './count.ts'

/** Counts the tokens of requests whose provider reported none. */
export interface Tokenizer {
  /** Never rejects: when counting fails or takes too long, the tokens are estimated by size. */
  count(job: CountJob): Promise<Counted>
  close(): Promise<void>
}

/** The thread has about 100 MB of tables. Most gateways never need it, because providers report usage. */
const LIMITS: OnDemandLimits = { idleMs: 60_000, timeoutMs: 10_000, queue: 256 }

export function openTokenizer(limits: Partial<OnDemandLimits> = {}): Tokenizer {
  const thread = openOnDemandThread<CountJob, Counted>(
    () => new Worker(new URL('./tokenizer-thread.ts', import.meta.url), { name: 'sluice-tokenizer' }),
    { ...LIMITS, ...limits },
  )
  return {
    count: async (job) => (await thread.run(job)) ?? bySize(job),
    close: () => thread.close(),
  }
}

function bySize({ prompt, text, beyondBytes }: CountJob): Counted {
  const promptBytes = typeof prompt === 'number' ? prompt : prompt.length
  return { prompt: estimateTokens(promptBytes), output: estimateTokens(Buffer.byteLength(text) + beyondBytes) }
}
