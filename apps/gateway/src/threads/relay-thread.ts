import { parentPort, workerData } from 'node:worker_threads'
import { openRelayThread, type RelayThreadStart } from './open-relay-thread.ts'

if (parentPort === null) throw new Error('this module runs in a thread')
openRelayThread(parentPort, workerData as RelayThreadStart)
