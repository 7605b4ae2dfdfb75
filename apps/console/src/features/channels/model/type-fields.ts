/** Fields of a channel's `config` that the form knows. */
export const CONFIG_FIELDS = [
  'region',
  'ak',
  'sk',
  'user_id',
  'vertex_ai_project_id',
  'vertex_ai_adc',
  'auth_type',
  'api_format',
] as const
export type ConfigField = (typeof CONFIG_FIELDS)[number]

/** Fields of `config` that are credentials: the gateway takes them and never shows them again. */
export const SECRET_CONFIG_FIELDS: readonly ConfigField[] = ['ak', 'sk', 'vertex_ai_adc']

/** What the column `other` holds. */
export type OtherMeaning = 'apiVersion' | 'sparkVersion' | 'plugin' | 'library'

/** Which fields a channel type shows, and how its key is made. */
export interface TypeFields {
  /** `none` where the address follows from the region. */
  readonly baseUrl: 'optional' | 'required' | 'none'
  /** The key is not typed in but joined by `|` from these fields of the config, in this order. */
  readonly joinedKey?: readonly [ConfigField, ConfigField, ConfigField]
  /** How a key of several parts is written. */
  readonly keyFormat?: string
  readonly other?: OtherMeaning
  /** Fields of the config beside those of a joined key. */
  readonly config: readonly ConfigField[]
  /** Models may be reached by the ARN of an inference profile. */
  readonly arnMap?: true
}

const PLAIN: TypeFields = { baseUrl: 'optional', config: [] }

/** What differs from a plain type with an address, a key and nothing else. */
const TYPE_FIELDS: Readonly<Record<number, TypeFields>> = {
  3: { ...PLAIN, baseUrl: 'required', other: 'apiVersion' },
  15: { ...PLAIN, keyFormat: 'client_id|client_secret' },
  16: { ...PLAIN, keyFormat: 'id.secret' },
  17: { ...PLAIN, other: 'plugin' },
  18: { ...PLAIN, keyFormat: 'APPID|APISecret|APIKey', other: 'sparkVersion' },
  21: { ...PLAIN, other: 'library' },
  23: { ...PLAIN, keyFormat: 'AppId|SecretId|SecretKey' },
  33: { baseUrl: 'none', joinedKey: ['ak', 'sk', 'region'], config: [], arnMap: true },
  34: { ...PLAIN, config: ['auth_type', 'user_id'] },
  37: { ...PLAIN, config: ['user_id'] },
  42: { baseUrl: 'none', joinedKey: ['region', 'vertex_ai_project_id', 'vertex_ai_adc'], config: [] },
  50: { ...PLAIN, baseUrl: 'required', config: ['api_format'] },
}

export function fieldsOfType(type: number): TypeFields {
  return TYPE_FIELDS[type] ?? PLAIN
}

/** Every field of the config that a type shows. */
export function configFieldsOf(type: number): readonly ConfigField[] {
  const { joinedKey = [], config } = fieldsOfType(type)
  return [...joinedKey, ...config]
}

export const TYPE = { openAi: 1, azure: 3, coze: 34, cloudflare: 37, openAiCompatible: 50 } as const

/** Stored for an Azure channel whose API version is left empty. */
export const AZURE_API_VERSION = '2024-03-01-preview'
export const SPARK_VERSIONS = ['v1.1', 'v2.1', 'v3.1', 'v3.5'] as const
export const AUTH_TYPES = ['personal_access_token', 'oauth_jwt'] as const
/** What a channel of type 50 is spoken to in; the first is the default. */
export const API_FORMATS = ['chat_completion', 'response'] as const
