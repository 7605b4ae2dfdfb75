import { parentPort } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'
import type { JobMessage, ResultMessage } from '../../process/on-demand-thread.ts'
import type { BcryptJob } from './bcrypt.ts'

// Checks passwords against bcrypt hashes, which takes a tenth of a second of processor time each.

function answer([id, { password, hash }]: JobMessage<BcryptJob>): ResultMessage<boolean> {
  try {
    return [id, compareSync(password, hash)]
  } catch {
    return [id, undefined]
  }
}

const port = parentPort
port?.on('message', (message: JobMessage<BcryptJob>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  port.postMessage(answer(message))
})
