import * as v from 'valibot'

/** Public settings every visitor may read; the console caches them. */
export const systemStatus = v.object({
  version: v.string(),
  start_time: v.number(),
  system_name: v.string(),
  logo: v.string(),
  footer_html: v.string(),
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
  wechat_login: v.boolean(),
  turnstile_check: v.boolean(),
  turnstile_site_key: v.string(),
})
export type SystemStatus = v.InferOutput<typeof systemStatus>
