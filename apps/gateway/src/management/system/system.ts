import * as routes from '@sluice/contract/routes/system'
import type { SystemStatus } from '@sluice/contract/status'
import { OPTION_DEFINITIONS } from '@sluice/store/option-definitions'
import { changeOption, isOptionKey, type Options, optionText } from '@sluice/store/options'
import { setOption } from '@sluice/store/queries/options'
import { type Binding, bind } from '../bind.ts'
import { invalidField } from '../issue-text.ts'
import type { ManagementDeps } from '../ports.ts'

/** What the gateway keeps for itself: nobody sets it by hand. */
const OWN_OPTIONS: readonly string[] = ['LogClearedBefore']

/** Public settings and pages, and the settings themselves for root. */
export function systemRoutes(deps: ManagementDeps): readonly Binding[] {
  return [
    bind(routes.status, async () => ({ data: systemStatus(deps) })),
    bind(routes.notice, async () => ({ data: deps.options().Notice })),
    bind(routes.about, async () => ({ data: deps.options().About })),
    bind(routes.homePageContent, async () => ({ data: deps.options().HomePageContent })),

    bind(routes.listOptions, async () => ({ data: shownOptions(deps.options()) })),
    bind(routes.updateOption, async ({ body }) => {
      if (OWN_OPTIONS.includes(body.key)) return invalidField('key', `${body.key} is not set by hand`)
      const change = changeOption(body.key, body.value, deps.options())
      if (change.outcome === 'refused') return { code: 'refused', params: { reason: change.problem }, field: 'value' }
      if (change.outcome === 'keep') return {}
      const value = change.secret ? deps.vault.seal('option', change.text) : change.text
      await setOption(deps.database.kysely, change.key, value)
      return {}
    }),
  ]
}

/** Every option but the secrets, with its present or default value. */
function shownOptions(options: Options): { key: string; value: string }[] {
  return Object.keys(OPTION_DEFINITIONS).flatMap((key) => {
    const value = isOptionKey(key) && !OWN_OPTIONS.includes(key) ? optionText(key, options) : undefined
    return value === undefined ? [] : [{ key, value }]
  })
}

function systemStatus(deps: ManagementDeps): SystemStatus {
  const options = deps.options()
  return {
    version: deps.version,
    start_time: deps.startTime,
    system_name: options.SystemName,
    logo: options.Logo,
    footer_html: options.Footer,
    server_address: options.ServerAddress,
    top_up_link: options.TopUpLink,
    chat_link: options.ChatLink,
    quota_per_unit: options.QuotaPerUnit,
    display_in_currency: options.DisplayInCurrencyEnabled,
    email_verification: options.EmailVerificationEnabled,
    password_login: options.PasswordLoginEnabled,
    password_register: options.PasswordRegisterEnabled,
    register_enabled: options.RegisterEnabled,
    github_oauth: options.GitHubOAuthEnabled,
    github_client_id: options.GitHubClientId,
    lark_client_id: options.LarkClientId,
    oidc: options.OidcEnabled,
    wechat_login: options.WeChatAuthEnabled,
    turnstile_check: options.TurnstileCheckEnabled,
    turnstile_site_key: options.TurnstileSiteKey,
  }
}
