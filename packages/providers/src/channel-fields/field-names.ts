/** Fields of a channel's `config` that the console offers. */
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

/** Fields of `config` that are credentials. They become part of the sealed key and are not stored anywhere else. */
export const SECRET_CONFIG_FIELDS = ['ak', 'sk', 'vertex_ai_adc'] as const satisfies readonly ConfigField[]

/** Parts of keys that are fields of the console's form only; each is sent as a part of the key. */
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

/** Choices for members of `config`; the first is the default. */
export const CONFIG_CHOICES = {
  auth_type: ['personal_access_token', 'oauth_jwt'],
  api_format: ['chat_completion', 'response'],
  credentials: ['own', 'caller', 'caller_or_own'],
} as const satisfies Readonly<Partial<Record<ConfigField, readonly string[]>>>
