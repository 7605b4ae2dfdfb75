import { StrictMode } from 'react'
import './styles.css'
import { createRoot } from 'react-dom/client'
import * as v from 'valibot'
import { createCommandRegistry } from '../lib/commands.ts'
import { diagnostics } from '../lib/diagnostics.ts'
import { createClient } from '../lib/http/client.ts'
import { createI18n } from '../lib/i18n/i18n.ts'
import { BASE_PATH } from '../lib/navigation/base-path.ts'
import { createQueries } from '../lib/query/queries.ts'
import { createSession } from '../lib/session/session.ts'
import { createSystemStatus } from '../lib/status/system-status.ts'
import { STORAGE_KEYS } from '../lib/storage/keys.ts'
import { browserStorage, storedRecord } from '../lib/storage/stored-record.ts'
import { createStore } from '../lib/store.ts'
import { createTheme } from '../lib/theme.ts'
import { createToasts } from '../ui/toast/toasts.ts'
import { App, type ConsoleParts } from './app.tsx'
import { createConsoleRouter } from './router.ts'

function assemble(): ConsoleParts {
  const storage = browserStorage()
  const session = createSession(storage, { tab: browserStorage('sessionStorage'), databases: window.indexedDB })
  const queries = createQueries(async () => (await import('../lib/query/query-client.ts')).createQueryClient())
  const i18n = createI18n(storage, document.documentElement, navigator.languages)
  const call = createClient({
    fetch: (url, init) => window.fetch(BASE_PATH + url, init),
    now: () => Date.now(),
    locale: () => i18n.locale.get(),
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
    onSessionLost: () => leaveToSignIn(),
    onBrokenReply: (text) => diagnostics.error(text),
  })
  const router = createConsoleRouter({ call, queries, session })

  // The first of several parallel calls navigates to sign-in; the others find no user signed in.
  const leaveToSignIn = () => {
    if (session.get() === undefined) return
    session.signOut()
    const search = { redirect_to: router.state.location.href }
    void router.navigate({ to: '/login', search, state: { ended: true }, replace: true })
  }
  // One user's data must not stay in memory for the next. It is cleared once the page that shows it is gone, because that page
  // would fetch it again, without a session.
  let shownTo = session.get()?.id
  router.subscribe('onResolved', () => {
    const user = session.get()?.id
    if (shownTo !== undefined && user === undefined) queries.clear()
    shownTo = user
  })
  // Signing in or out in one tab does so in the others.
  window.addEventListener('storage', (event) => {
    if (event.key !== STORAGE_KEYS.session) return
    const before = session.get()?.id
    session.reload()
    const after = session.get()?.id
    if (after !== undefined && after !== before) queries.clear()
    void router.invalidate()
  })

  const status = createSystemStatus(call, storage)
  void status.refresh()

  return {
    call,
    session,
    router,
    status,
    i18n,
    theme: createTheme(storage, document.documentElement),
    commands: createCommandRegistry(),
    shortcutsEnabled: storedSwitch(storage),
    toasts: createToasts(),
  }
}

function storedSwitch(storage: ReturnType<typeof browserStorage>): ConsoleParts['shortcutsEnabled'] {
  const record = storedRecord(storage, STORAGE_KEYS.shortcuts, v.boolean())
  const store = createStore(record.read() ?? true)
  return {
    ...store,
    set(enabled) {
      record.write(enabled)
      store.set(enabled)
    },
  }
}

const root = document.querySelector('#root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App parts={assemble()} />
    </StrictMode>,
  )
}
