import { type Provider, webPage } from '~/lib/session/provider-page.ts'
import { safeRedirectTarget } from '~/lib/session/redirect-target.ts'
import type { ConsoleStatus } from '~/lib/status/system-status.ts'

export const PROVIDER_NAMES: Readonly<Record<Provider, string>> = {
  github: 'GitHub',
  lark: 'Lark',
  oidc: 'OpenID Connect',
}

/** Separates the state from the path to go to afterwards; the gateway recognises it and does not trust it. */
const TARGET_MARK = 'redirect_to='

/** Lark has no switch: it is on when it is set up. */
export function offeredProviders(status: Pick<ConsoleStatus, 'github_oauth' | 'lark_client_id' | 'oidc'>): Provider[] {
  const on = { github: status.github_oauth, lark: status.lark_client_id !== '', oidc: status.oidc }
  return (['github', 'lark', 'oidc'] as const).filter((provider) => on[provider])
}

/** Puts the return path into the state of the provider's page. `undefined` unless it is a web page: a script must not run here. */
export function pageWithTarget(authorizationUrl: string | undefined, redirectTo: unknown): string | undefined {
  const url = webPage(authorizationUrl)
  if (url === undefined) return undefined
  const target = safeRedirectTarget(redirectTo)
  const state = url.searchParams.get('state') ?? ''
  if (target !== undefined && state !== '') url.searchParams.set('state', `${state}|${TARGET_MARK}${target}`)
  return url.href
}

/** The path in the state if it is one of ours, otherwise home. */
export function targetOfState(state: string): string {
  const at = state.indexOf(TARGET_MARK)
  return (at < 0 ? undefined : safeRedirectTarget(state.slice(at + TARGET_MARK.length))) ?? '/'
}
