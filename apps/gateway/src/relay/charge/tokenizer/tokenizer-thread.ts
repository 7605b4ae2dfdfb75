import { parentPort } from 'node:worker_threads'
import type { JobMessage, ResultMessage } from '../../../process/on-demand-thread.ts'
import { count, type Counted, type CountJob, type Encoder } from './count.ts'

// The tokenizer's own thread: encodings are loaded on first use and stay until the thread ends.

/** Cached merges make repeated words quick, but would otherwise grow without bound. */
const MERGE_CACHE = 20_000
/** Texts are untrusted: names of special tokens in them are treated as plain text. */
const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

const encoders = new Map<string, Encoder>()

async function encoder(name: string): Promise<Encoder> {
  const known = encoders.get(name)
  if (known !== undefined) return known
  const encoding = await load(name)
  encoding.setMergeCacheSize(MERGE_CACHE)
  const loaded: Encoder = (text) => encoding.countTokens(text, PLAIN)
  encoders.set(name, loaded)
  return loaded
}

function load(name: string) {
  switch (name) {
    case 'cl100k_base':
      return import('gpt-tokenizer/encoding/cl100k_base')
    case 'o200k_harmony':
      return import('gpt-tokenizer/encoding/o200k_harmony')
    default:
      return import('gpt-tokenizer/encoding/o200k_base')
  }
}

async function answer([id, job]: JobMessage<CountJob>): Promise<ResultMessage<Counted>> {
  try {
    return [id, await count(job, encoder)]
  } catch {
    return [id, undefined]
  }
}

const port = parentPort
port?.on('message', (message: JobMessage<CountJob>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  void answer(message).then((counted) => port.postMessage(counted))
})
