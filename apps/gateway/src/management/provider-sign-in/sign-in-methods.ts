import type { Options } from '@sluice/store/options/options'
import type { SignInMethods } from '@sluice/store/queries/accounts/sign-in-methods'
import { type Provider, PROVIDERS } from '../../sign-in-providers/provider.ts'

/** The family has no switch for Lark: it is on once it is configured. */
export function isEnabled(options: Options, provider: Provider | 'wechat'): boolean {
  const on = {
    github: options.GitHubOAuthEnabled,
    lark: options.LarkClientId !== '',
    oidc: options.OidcEnabled,
    wechat: options.WeChatAuthEnabled,
  }
  return on[provider]
}

export function signInMethods(options: Options): SignInMethods {
  const providers = ([...PROVIDERS, 'wechat'] as const).filter((each) => isEnabled(options, each))
  return { passwords: options.PasswordLoginEnabled, providers }
}
