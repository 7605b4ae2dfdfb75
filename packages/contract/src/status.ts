import * as v from 'valibot'

/** Public settings every visitor may read; the console caches them. */
export const systemStatus = v.object({
  version: v.string(),
  start_time: v.number(),
  system_name: v.string(),
  logo: v.string(),
  footer_html: v.string(),
  /** Changes with the notice text, so that a browser asks for it once; empty when there is no notice. */
  notice_id: v.string(),
  server_address: v.string(),
  top_up_link: v.string(),
  chat_link: v.string(),
  quota_per_unit: v.number(),
  display_in_currency: v.boolean(),
  email_verification: v.boolean(),
  password_login: v.boolean(),
  password_register: v.boolean(),
  register_enabled: v.boolean(),
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
  /** Name of the look that the operator chose; this console has one look and reads it nowhere. */
  theme: v.string(),
  /** Card payments are not taken; `top_up_link` leads to the operator's own shop. */
  stripe_enabled: v.boolean(),
  min_topup_usd: v.number(),
})
export type SystemStatus = v.InferOutput<typeof systemStatus>
