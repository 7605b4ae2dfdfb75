import type { Options } from '@sluice/store/options'
import type { WaysIn } from '@sluice/store/queries/ways-in'
import { type Provider, PROVIDERS } from '../../sign-in-providers/provider.ts'

/** Lark has no switch in the family: it is on when it is set up. */
export function isEnabled(options: Options, provider: Provider | 'wechat'): boolean {
  const on = {
    github: options.GitHubOAuthEnabled,
    lark: options.LarkClientId !== '',
    oidc: options.OidcEnabled,
    wechat: options.WeChatAuthEnabled,
  }
  return on[provider]
}

/** What signs in now, besides passkeys. */
export function waysIn(options: Options): WaysIn {
  const providers = ([...PROVIDERS, 'wechat'] as const).filter((each) => isEnabled(options, each))
  return { passwords: options.PasswordLoginEnabled, providers }
}
