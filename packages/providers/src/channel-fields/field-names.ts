export const CONFIG_FIELDS = [
  'region',
  'ak',
  'sk',
  'user_id',
  'vertex_ai_project_id',
  'vertex_ai_adc',
  'auth_type',
  'api_format',
  'credentials',
  'caller_ratio',
] as const
export type ConfigField = (typeof CONFIG_FIELDS)[number]

/** Credentials in `config`. They become part of the sealed key and are not stored anywhere else. */
export const SECRET_CONFIG_FIELDS = ['ak', 'sk', 'vertex_ai_adc'] as const satisfies readonly ConfigField[]

/** Key parts that exist only as fields of the console's form; each is sent as a part of the key. */
export const PART_FIELDS = [
  'tenant_id',
  'client_id',
  'client_secret',
  'app_id',
  'api_key',
  'api_secret',
  'session_token',
] as const
export type PartField = (typeof PART_FIELDS)[number]

export type KeyField = 'key' | ConfigField | PartField

/** The first choice is the default. */
export const CONFIG_CHOICES = {
  auth_type: ['personal_access_token', 'oauth_jwt'],
  api_format: ['chat_completion', 'response'],
  credentials: ['own', 'caller', 'caller_or_own'],
} as const satisfies Readonly<Partial<Record<ConfigField, readonly string[]>>>
