import { BASE_PATH } from '../navigation/base-path.ts'
import type { KeyValueStorage } from './stored-record.ts'

/** Consoles under different paths of one host share its storage but not their users. */
const NAME = `sluice${BASE_PATH}`

export const STORAGE_KEYS = {
  session: `${NAME}.session`,
  status: `${NAME}.status`,
  /** The specification fixes this name; `public/theme.js` reads it before the first paint. */
  theme: 'one-api-theme',
  locale: `${NAME}.locale`,
  rail: `${NAME}.rail`,
  shortcuts: `${NAME}.shortcuts`,
  /** Set once a user has signed in here with a passkey; sign-in then offers passkeys automatically. */
  passkey: `${NAME}.passkey`,
  density: `${NAME}.density`,
  recent: `${NAME}.recent`,
  firstSteps: `${NAME}.first-steps`,
  autoRefresh: `${NAME}.auto-refresh`,
  home: `${NAME}.home`,
  notice: `${NAME}.notice`,
  noticeDismissed: `${NAME}.notice-dismissed`,
  columns: (table: string) => `${NAME}.columns.${table}`,
  views: (list: string, userId: number) => `${NAME}.views.${list}.${userId}`,
} as const

/** Prefix of the playground's keys: conversation, model, parameters and token. */
export const PLAYGROUND_KEY_PREFIX = `${NAME}.playground.`

/** None of these keys outlive the session, because they contain prompts. */
export const PLAYGROUND_KEYS = {
  token: `${PLAYGROUND_KEY_PREFIX}token`,
  /** One per column. */
  models: `${PLAYGROUND_KEY_PREFIX}models`,
  parameters: `${PLAYGROUND_KEY_PREFIX}parameters`,
  presets: `${PLAYGROUND_KEY_PREFIX}presets`,
  conversation: `${PLAYGROUND_KEY_PREFIX}conversation`,
  titles: `${PLAYGROUND_KEY_PREFIX}titles`,
  /** The draft, and whether the settings were shown next to it. */
  draft: `${PLAYGROUND_KEY_PREFIX}draft`,
  sidebar: `${PLAYGROUND_KEY_PREFIX}sidebar`,
  /** What could no longer be stored in the database when a tab was closed. */
  left: (conversation: string) => `${PLAYGROUND_KEY_PREFIX}left.${conversation}`,
} as const

export const PLAYGROUND_DATABASE = `${NAME}.playground`

export function clearPlaygroundKeys(storage: KeyValueStorage): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  for (const key of keys) {
    if (key?.startsWith(PLAYGROUND_KEY_PREFIX) === true) storage.removeItem(key)
  }
}

/** Keys that sign-out removes besides the session: the playground's, the cached settings, and the names of what was opened. */
export function clearSignedInKeys(storage: KeyValueStorage): void {
  clearPlaygroundKeys(storage)
  storage.removeItem(STORAGE_KEYS.status)
  storage.removeItem(STORAGE_KEYS.recent)
}
