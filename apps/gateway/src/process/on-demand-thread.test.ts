import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { openOnDemandThread } from './on-demand-thread.ts'

const ECHO =
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m))"

it('a thread that waits for its next job does not keep the process alive', async () => {
  const limits = { idleMs: 60_000, timeoutMs: 30_000, queue: 1 }
  const thread = openOnDemandThread<string, string>(() => new Worker(ECHO, { eval: true }), limits)
  const before = process.getActiveResourcesInfo()
  expect(await thread.run('a job')).toBe('a job')
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort')).toEqual(
    before.filter((kind) => kind === 'MessagePort'),
  )
  await thread.close()
})
