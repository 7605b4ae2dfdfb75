import type { SystemStatus } from '@sluice/contract/status'
import { describe, expect, it } from 'vitest'
import { createClient } from '../http/client.ts'
import { STORAGE_KEYS } from '../storage/keys.ts'
import { memoryStorage } from '../storage/stored-record.ts'
import { createSystemStatus } from './system-status.ts'

const ANSWER: SystemStatus = {
  version: '9.9.9',
  start_time: 1,
  system_name: 'House of Models',
  logo: '/logo.svg',
  footer_html: '<p>foot</p>',
  notice_id: '',
  server_address: 'https://gateway.example',
  top_up_link: '',
  chat_link: 'https://chat.example',
  quota_per_unit: 1_000,
  display_in_currency: false,
  email_verification: true,
  password_login: true,
  password_register: true,
  register_enabled: true,
  github_oauth: true,
  github_client_id: 'Iv1.abc',
  lark_client_id: 'cli_1',
  oidc: false,
  oidc_client_id: '',
  oidc_well_known: '',
  oidc_authorization_endpoint: '',
  oidc_token_endpoint: '',
  oidc_userinfo_endpoint: '',
  wechat_login: true,
  wechat_qrcode: '',
  turnstile_check: true,
  turnstile_site_key: 'site-key',
  theme: 'default',
  stripe_enabled: false,
  min_topup_usd: 0,
}

/** The network gives one reply, or none. */
function clientFor(answer: SystemStatus | undefined, requested: string[] = []) {
  return createClient({
    fetch: (url) => {
      requested.push(url)
      if (answer === undefined) return Promise.reject(new TypeError('no network'))
      return Promise.resolve(Response.json({ success: true, message: '', data: answer }))
    },
    now: () => 7,
    locale: () => 'en',
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
    onSessionLost: () => {},
    onBrokenReply: () => {},
  })
}

describe('public settings', () => {
  it('are requested, used, and available at once at the next visit', { tags: ['A3.3', 'A3.4', 'A7.3'] }, async () => {
    const storage = memoryStorage()
    const requested: string[] = []
    const first = createSystemStatus(clientFor(ANSWER, requested), storage)
    await first.refresh()
    expect(requested).toEqual(['/api/status?_t=7'])
    const wanted = {
      system_name: 'House of Models',
      logo: '/logo.svg',
      footer_html: '<p>foot</p>',
      quota_per_unit: 1_000,
      display_in_currency: false,
      github_oauth: true,
      github_client_id: 'Iv1.abc',
      lark_client_id: 'cli_1',
      wechat_login: true,
      turnstile_check: true,
      turnstile_site_key: 'site-key',
      chat_link: 'https://chat.example',
    }
    expect(first.get()).toMatchObject(wanted)
    expect(createSystemStatus(clientFor(undefined), storage).get()).toMatchObject(wanted)
  })

  it(
    'are the defaults until there is a reply, and unchanged when there is none',
    { tags: ['A3.3', 'C8.15'] },
    async () => {
      const storage = memoryStorage()
      const store = createSystemStatus(clientFor(undefined), storage)
      await store.refresh()
      expect(store.get()).toMatchObject({ system_name: 'One API', quota_per_unit: 500_000, turnstile_check: false })
      expect(storage.getItem(STORAGE_KEYS.status)).toBeNull()
    },
  )

  it('from an older version of the console are ignored', () => {
    const storage = memoryStorage()
    storage.setItem(STORAGE_KEYS.status, JSON.stringify({ system_name: 'Old', quota_per_unit: 1 }))
    expect(createSystemStatus(clientFor(undefined), storage).get()).toMatchObject({ system_name: 'One API' })
  })
})
