import { describe, expect, it } from 'vitest'
import { pageFromSettings } from '~/lib/session/provider-page.ts'
import { offeredProviders, pageWithTarget, targetOfState } from './providers.ts'

const page = 'https://provider.example/authorize?client_id=c1&state=abc&nonce=n'
const stateOf = (address: string | undefined) => new URL(address ?? '').searchParams.get('state')

describe('page of a provider', () => {
  it('has the return path appended to its state, and is otherwise unchanged', () => {
    const address = pageWithTarget(page, '/tokens?size=20')
    expect(stateOf(address)).toBe('abc|redirect_to=/tokens?size=20')
    expect(new URL(address ?? '').searchParams.get('nonce')).toBe('n')
    expect(targetOfState(stateOf(address) ?? '')).toBe('/tokens?size=20')
  })

  it.each(['//evil.example', 'https://evil.example', '', undefined])(
    'does not return to %j',
    { tags: 'S34' },
    (target) => {
      expect(stateOf(pageWithTarget(page, target))).toBe('abc')
    },
  )

  it.each(['javascript:alert(1)', 'data:text/html,x', '', '/login'])('is never %j', { tags: 'S34' }, (address) => {
    expect(pageWithTarget(address, '/tokens')).toBeUndefined()
  })

  it('is built from the settings when a server names none, even without a state', { tags: 'A4.17' }, () => {
    const status = { github_client_id: 'Iv1.abc', lark_client_id: 'cli_1', server_address: 'https://gateway.example/' }
    const made = (provider: 'github' | 'lark' | 'oidc', state: string) =>
      pageFromSettings(provider, status, state, 'http://unused.example')
    const gitHub = new URL(made('github', '') ?? '')
    expect(gitHub.origin + gitHub.pathname).toBe('https://github.com/login/oauth/authorize')
    expect(Object.fromEntries(gitHub.searchParams)).toEqual({
      client_id: 'Iv1.abc',
      state: '',
      scope: 'user:email',
      redirect_uri: 'https://gateway.example/oauth/github',
    })
    const lark = new URL(made('lark', 'abc') ?? '')
    expect(lark.host).toBe('accounts.feishu.cn')
    expect(Object.fromEntries(lark.searchParams)).toMatchObject({
      client_id: 'cli_1',
      state: 'abc',
      redirect_uri: 'https://gateway.example/oauth/lark',
    })
    expect(made('oidc', 'abc')).toBeUndefined()
  })
})

it('only what is set up is offered; Lark has no switch', () => {
  expect(offeredProviders({ github_oauth: false, lark_client_id: '', oidc: false })).toEqual([])
  expect(offeredProviders({ github_oauth: true, lark_client_id: 'cli_1', oidc: true })).toEqual([
    'github',
    'lark',
    'oidc',
  ])
})

describe('the return path in a state', { tags: ['S34', 'A4.12'] }, () => {
  it.each([
    ['abc|redirect_to=/tokens?p=1', '/tokens?p=1'],
    ['abcredirect_to=/logs', '/logs'],
    ['abc', '/'],
    ['abc|redirect_to=', '/'],
    ['abc|redirect_to=//evil.example', '/'],
    ['abc|redirect_to=/\\evil.example', '/'],
    ['abc|redirect_to=https://evil.example', '/'],
    ['abc|redirect_to=tokens', '/'],
  ])('of %j leads to %j', (state, target) => {
    expect(targetOfState(state)).toBe(target)
  })
})
