import { createHash } from 'node:crypto'
import * as routes from '@sluice/contract/routes/system'
import type { SystemStatus } from '@sluice/contract/status'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'

export interface SystemDeps extends Pick<SharedPorts, 'options'> {
  readonly version: string
  /** Unix seconds. */
  readonly startTime: number
}

export function systemRoutes(deps: SystemDeps): readonly Binding[] {
  return [
    bind(routes.status, async () => ({ data: systemStatus(deps) })),
    bind(routes.notice, async () => ({ data: deps.options().Notice })),
    bind(routes.about, async () => ({ data: deps.options().About })),
    bind(routes.homePageContent, async () => ({ data: deps.options().HomePageContent })),
  ]
}

function systemStatus(deps: SystemDeps): SystemStatus {
  const options = deps.options()
  return {
    version: deps.version,
    start_time: deps.startTime,
    system_name: options.SystemName,
    logo: options.Logo,
    footer_html: options.Footer,
    notice_id: options.Notice === '' ? '' : createHash('sha256').update(options.Notice).digest('hex').slice(0, 16),
    server_address: options.ServerAddress,
    top_up_link: options.TopUpLink,
    chat_link: options.ChatLink,
    quota_per_unit: options.QuotaPerUnit,
    display_in_currency: options.DisplayInCurrencyEnabled,
    quota_display_type: options.DisplayInCurrencyEnabled ? 'USD' : 'TOKENS',
    oidc_enabled: options.OidcEnabled,
    setup: true,
    email_verification: options.EmailVerificationEnabled,
    password_login: options.PasswordLoginEnabled,
    password_register: options.PasswordRegisterEnabled,
    register_enabled: options.RegisterEnabled,
    github_oauth: options.GitHubOAuthEnabled,
    github_client_id: options.GitHubClientId,
    lark_client_id: options.LarkClientId,
    oidc: options.OidcEnabled,
    oidc_client_id: options.OidcClientId,
    oidc_well_known: options.OidcWellKnown,
    oidc_authorization_endpoint: options.OidcAuthorizationEndpoint,
    oidc_token_endpoint: options.OidcTokenEndpoint,
    oidc_userinfo_endpoint: options.OidcUserinfoEndpoint,
    wechat_login: options.WeChatAuthEnabled,
    wechat_qrcode: options.WeChatAccountQRCodeImageURL,
    turnstile_check: options.TurnstileCheckEnabled,
    turnstile_site_key: options.TurnstileSiteKey,
    theme: options.Theme,
    stripe_enabled: false,
    min_topup_usd: 0,
  }
}
