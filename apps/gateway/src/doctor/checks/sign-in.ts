import type { Found } from '@sluice/contract/findings/catalogue'
import type { Options } from '@sluice/store/options/options'
import { type Check, orWell } from '../check.ts'

export interface SignInFacts {
  readonly options: () => Options
  /** Reads the provider's discovery document; returns its fault, or an empty text. */
  readonly discover: (options: Options, signal: AbortSignal) => Promise<string>
}

/** Finds sign-in methods that are switched on but incomplete, and an OpenID Connect provider that does not answer. */
export function signInCheck({ options, discover }: SignInFacts): Check {
  return {
    name: 'sign_in',
    examine: async (signal) => {
      const now = options()
      const found = [...gitHubOf(now), ...larkOf(now), ...weChatOf(now), ...(await oidcOf(now, discover, signal))]
      const isOn = now.PasswordLoginEnabled || now.GitHubOAuthEnabled || now.OidcEnabled || now.WeChatAuthEnabled
      const none: readonly Found[] = isOn || now.LarkClientId !== '' ? [] : [{ id: 'sign_in.none' }]
      return orWell([...none, ...found], { id: 'sign_in.ok' })
    },
  }
}

function half(subject: string, option: string, needed: Readonly<Record<string, string>>): readonly Found[] {
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === '' ? [name] : []))
  if (missing.length === 0) return []
  return [{ id: 'sign_in.half', subject, params: { missing: missing.join(', '), option } }]
}

function gitHubOf({ GitHubOAuthEnabled, GitHubClientId, GitHubClientSecret }: Options): readonly Found[] {
  if (!GitHubOAuthEnabled) return []
  return half('GitHub', 'GitHub', { GitHubClientId, GitHubClientSecret })
}

/** Lark has no switch: setting its id switches it on. */
function larkOf({ LarkClientId, LarkClientSecret }: Options): readonly Found[] {
  if (LarkClientId === '' && LarkClientSecret === '') return []
  return half('Lark', 'Lark', { LarkClientId, LarkClientSecret })
}

function weChatOf({ WeChatAuthEnabled, WeChatServerAddress, WeChatServerToken }: Options): readonly Found[] {
  if (!WeChatAuthEnabled) return []
  return half('WeChat', 'WeChat', { WeChatServerAddress, WeChatServerToken })
}

async function oidcOf(
  options: Options,
  discover: SignInFacts['discover'],
  signal: AbortSignal,
): Promise<readonly Found[]> {
  if (!options.OidcEnabled) return []
  const { OidcClientId, OidcWellKnown, OidcAuthorizationEndpoint, OidcTokenEndpoint, OidcUserinfoEndpoint } = options
  const byHand = { OidcAuthorizationEndpoint, OidcTokenEndpoint, OidcUserinfoEndpoint }
  const isByHand = Object.values(byHand).some((value) => value !== '')
  const where = OidcWellKnown !== '' || !isByHand ? { OidcWellKnown } : byHand
  const incomplete = half('OpenID Connect', 'Oidc', { OidcClientId, ...where })
  if (incomplete.length > 0 || OidcWellKnown === '') return incomplete
  const reason = await discover(options, signal)
  return reason === '' ? [] : [{ id: 'sign_in.unreachable', subject: 'OpenID Connect', params: { reason } }]
}
