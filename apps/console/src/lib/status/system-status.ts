import { status as statusRoute } from '@sluice/contract/routes/system'
import { type SystemStatus, systemStatus } from '@sluice/contract/status'
import { createContext, useContext } from 'react'
import type { Call } from '../http/call.ts'
import { readReply } from '../http/read-reply.ts'
import { STORAGE_KEYS } from '../storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '../storage/stored-record.ts'
import { createStore, type Store, useStore } from '../store.ts'

export type ConsoleStatus = SystemStatus

/** What the absence of each setting means. Used until the first reply, and whenever the settings cannot be loaded. */
function defaultStatus(): ConsoleStatus {
  const read = readReply(systemStatus, {})
  if (read === undefined) throw new Error('a public setting has no default')
  return read.value
}

export interface SystemStatusStore extends Pick<Store<ConsoleStatus>, 'get' | 'subscribe'> {
  /** A failure keeps the current settings. */
  refresh(): Promise<void>
}

export function createSystemStatus(call: Call, storage: KeyValueStorage): SystemStatusStore {
  const record = storedRecord(storage, STORAGE_KEYS.status, systemStatus)
  const store = createStore(record.read() ?? defaultStatus())
  return {
    get: store.get,
    subscribe: store.subscribe,
    async refresh() {
      const reply = await call(statusRoute, {})
      if (!reply.ok) return
      record.write(reply.data)
      store.set(reply.data)
    },
  }
}

export const SystemStatusContext = createContext<SystemStatusStore | undefined>(undefined)

/** Never suspends and never fails, because every setting has a default. */
export function useSystemStatus(): ConsoleStatus {
  const store = useContext(SystemStatusContext)
  if (store === undefined) throw new Error('useSystemStatus needs a SystemStatusContext above it')
  return useStore(store)
}
