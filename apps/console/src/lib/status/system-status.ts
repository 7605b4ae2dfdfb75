import { status as statusRoute } from '@sluice/contract/routes/system'
import { systemStatus } from '@sluice/contract/status'
import { createContext, useContext } from 'react'
import * as v from 'valibot'
import type { Call } from '../http/call.ts'
import { STORAGE_KEYS } from '../storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '../storage/stored-record.ts'
import { createStore, type Store } from '../store/store.ts'
import { useStore } from '../store/use-store.ts'

/** What the console needs of the public settings; kept locally between visits. */
const cachedStatus = v.pick(systemStatus, [
  'version',
  'system_name',
  'logo',
  'footer_html',
  'notice_id',
  'server_address',
  'top_up_link',
  'chat_link',
  'quota_per_unit',
  'display_in_currency',
  'register_enabled',
  'password_login',
  'password_register',
  'email_verification',
  'github_oauth',
  'github_client_id',
  'lark_client_id',
  'oidc',
  'wechat_login',
  'turnstile_check',
  'turnstile_site_key',
])
export type ConsoleStatus = v.InferOutput<typeof cachedStatus>

/** Used until the first answer and whenever the settings cannot be loaded. */
const DEFAULT_STATUS: ConsoleStatus = {
  version: '1.0.0',
  system_name: 'One API',
  logo: '',
  footer_html: '',
  notice_id: '',
  server_address: '',
  top_up_link: '',
  chat_link: '',
  quota_per_unit: 500_000,
  display_in_currency: true,
  register_enabled: true,
  password_login: true,
  password_register: true,
  email_verification: true,
  github_oauth: false,
  github_client_id: '',
  lark_client_id: '',
  oidc: false,
  wechat_login: false,
  turnstile_check: false,
  turnstile_site_key: '',
}

/** The public settings: at once from local storage or the defaults, refreshed when the console starts. */
export interface SystemStatusStore extends Pick<Store<ConsoleStatus>, 'get' | 'subscribe'> {
  /** Asks the gateway. A failure keeps what is there. */
  refresh(): Promise<void>
}

export function createSystemStatus(call: Call, storage: KeyValueStorage): SystemStatusStore {
  const record = storedRecord(storage, STORAGE_KEYS.status, cachedStatus)
  const store = createStore(record.read() ?? DEFAULT_STATUS)
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

/** The public settings, or their defaults. Never suspends and never fails. */
export function useSystemStatus(): ConsoleStatus {
  const store = useContext(SystemStatusContext)
  if (store === undefined) throw new Error('useSystemStatus needs a SystemStatusContext above it')
  return useStore(store)
}
