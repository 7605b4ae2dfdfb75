import * as v from 'valibot'
import { whenAbsent } from './absence.ts'

/** Public settings, cached by the console. A server that sends no registration settings is assumed to accept registrations. */
export const systemStatus = v.object({
  version: whenAbsent(v.string(), '1.0.0'),
  start_time: whenAbsent(v.number(), 0),
  system_name: whenAbsent(v.string(), 'One API'),
  logo: v.string(),
  footer_html: v.string(),
  /** Changes with the notice text, so that browsers request each text only once; empty for no notice. */
  notice_id: v.string(),
  server_address: v.string(),
  top_up_link: v.string(),
  chat_link: v.string(),
  quota_per_unit: whenAbsent(v.number(), 500_000),
  display_in_currency: whenAbsent(v.boolean(), true),
  /** For New API's programs, as are `oidc_enabled` and `setup`. */
  quota_display_type: v.optional(v.picklist(['USD', 'TOKENS'])),
  oidc_enabled: v.optional(v.boolean()),
  setup: v.optional(v.boolean()),
  email_verification: whenAbsent(v.boolean(), true),
  password_login: whenAbsent(v.boolean(), true),
  password_register: whenAbsent(v.boolean(), true),
  register_enabled: whenAbsent(v.boolean(), true),
  github_oauth: v.boolean(),
  github_client_id: v.string(),
  lark_client_id: v.string(),
  oidc: v.boolean(),
  oidc_client_id: v.string(),
  oidc_well_known: v.string(),
  oidc_authorization_endpoint: v.string(),
  oidc_token_endpoint: v.string(),
  oidc_userinfo_endpoint: v.string(),
  wechat_login: v.boolean(),
  wechat_qrcode: v.string(),
  turnstile_check: v.boolean(),
  turnstile_site_key: v.string(),
  /** The operator's theme for other consoles; this one has a single theme and ignores it. */
  theme: v.string(),
  /** Card payments are not supported; `top_up_link` leads to the operator's own shop. */
  stripe_enabled: v.boolean(),
  min_topup_usd: whenAbsent(v.number(), 0),
})
export type SystemStatus = v.InferOutput<typeof systemStatus>
