import { describe, expect, it } from 'vitest'
import { webPage } from '~/lib/session/provider-page.ts'
import { linkedAccounts } from './linked-account-section.tsx'

const nothing = { github_oauth: false, lark_client_id: '', oidc: false, wechat_login: false }
const nobody = { github_id: '', lark_id: '', oidc_id: '', wechat_id: '' }

describe('linked accounts', () => {
  it('are those of providers that are set up', () => {
    expect(linkedAccounts(nothing, nobody)).toEqual([])
    const all = { github_oauth: true, lark_client_id: 'app', oidc: true, wechat_login: true }
    expect(linkedAccounts(all, nobody).map(({ provider }) => provider)).toEqual(['github', 'lark', 'oidc', 'wechat'])
  })

  it('can still be unlinked after their provider was switched off', () => {
    expect(linkedAccounts(nothing, { ...nobody, oidc_id: 'ann@example.org' })).toEqual([
      { provider: 'oidc', name: 'ann@example.org', offered: false },
    ])
  })

  it('link to web pages only', { tags: 'S34' }, () => {
    expect(webPage('https://github.com/login?state=1')?.href).toBe('https://github.com/login?state=1')
    for (const address of ['', '/login', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd']) {
      expect(webPage(address)).toBeUndefined()
    }
  })
})
