import { UNKNOWN } from '../../../lib/format/unknown.ts'

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

/** Parts of keys that are fields of the form only; each is sent as a part of the key. */
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

/** One way to write a key: fields joined by `|`, in this order. */
export interface KeyForm {
  readonly id: KeyFormId
  readonly parts: readonly [KeyField, ...KeyField[]]
  /** Stands after the others when it is given. */
  readonly optionalPart?: KeyField
  /** Fields of `config` that this way needs beside the key. */
  readonly config?: readonly ConfigField[]
}
export type KeyFormId =
  | 'plain'
  | 'azureKey'
  | 'entra'
  | 'qianfanKey'
  | 'baiduPair'
  | 'sparkPassword'
  | 'sparkTriple'
  | 'tokenHubKey'
  | 'tencentSignature'
  | 'awsAccessKey'
  | 'bedrockKey'
  | 'vertex'

/** What the column `other` holds. */
export type OtherMeaning = 'apiVersion' | 'geminiVersion' | 'sparkVersion' | 'plugin' | 'library'

/**
 * What became of a provider. `reseller`: nobody knows whether it still answers · `older`: its successor is another type ·
 * `closed`: its service has ended.
 */
export interface Standing {
  readonly state: 'reseller' | 'older' | 'closed'
  /** The type to choose instead. */
  readonly instead: number
}

/** Everything the form knows of one channel type. `tools/channel-form.test.ts` compares it with what the relay reads. */
export interface Provider {
  readonly code: number
  /** After section 3 of the specification. */
  readonly name: string
  /** `none` where the address follows from the region. */
  readonly baseUrl: 'optional' | 'required' | 'none'
  /** Ways to write the key; the first is the usual one. */
  readonly keys: readonly [KeyForm, ...KeyForm[]]
  /** How a key of one field is written, where that is not one word. */
  readonly written?: string
  readonly other?: OtherMeaning
  /** Fields of the config beside those of a key. */
  readonly config: readonly ConfigField[]
  /** Models may be reached by the ARN of an inference profile. */
  readonly arnMap?: true
  /** What is left of the account can be asked for. */
  readonly balance?: true
  /** The provider can be asked for the names of its models. */
  readonly modelList?: true
  readonly standing?: Standing
}

const PLAIN: KeyForm = { id: 'plain', parts: ['key'] }

/** A provider with an address of its own and a key of one word, whose models can be listed. */
const USUAL = { baseUrl: 'optional', keys: [PLAIN], config: [], modelList: true } as const
const NO_LIST = { baseUrl: 'optional', keys: [PLAIN], config: [] } as const
const RESELLER = { ...USUAL, standing: { state: 'reseller', instead: 50 } } as const

const older = (instead: number): { readonly standing: Standing } => ({ standing: { state: 'older', instead } })

/** All 51 types, by code. */
export const PROVIDERS: readonly Provider[] = [
  { code: 1, name: 'OpenAI', ...USUAL, balance: true },
  { code: 2, name: 'API2D proxy', ...RESELLER },
  {
    code: 3,
    name: 'Azure',
    ...NO_LIST,
    baseUrl: 'required',
    keys: [
      { id: 'azureKey', parts: ['key'] },
      { id: 'entra', parts: ['tenant_id', 'client_id', 'client_secret'] },
    ],
    other: 'apiVersion',
  },
  { code: 4, name: 'CloseAI proxy', ...RESELLER, balance: true },
  { code: 5, name: 'OpenAI-SB proxy', ...RESELLER, balance: true },
  { code: 6, name: 'OpenAI Max proxy', ...RESELLER },
  { code: 7, name: 'OhMyGPT proxy', ...RESELLER },
  {
    code: 8,
    name: 'Custom',
    ...USUAL,
    baseUrl: 'required',
    config: ['api_format'],
    balance: true,
    ...older(50),
  },
  { code: 9, name: 'AI.LS proxy', ...RESELLER },
  { code: 10, name: 'AI Proxy', ...RESELLER, balance: true },
  {
    code: 11,
    name: 'PaLM2',
    ...USUAL,
    other: 'geminiVersion',
    standing: { state: 'closed', instead: 24 },
  },
  { code: 12, name: 'API2GPT proxy', ...RESELLER, balance: true },
  { code: 13, name: 'AIGC2D proxy', ...RESELLER, balance: true },
  { code: 14, name: 'Anthropic', ...USUAL },
  {
    code: 15,
    name: 'Baidu Wenxin',
    ...USUAL,
    keys: [
      { id: 'qianfanKey', parts: ['key'] },
      { id: 'baiduPair', parts: ['api_key', 'api_secret'] },
    ],
    written: 'bce-v3/…',
    ...older(47),
  },
  { code: 16, name: 'Zhipu', ...USUAL, written: 'id.secret', config: ['auth_type'] },
  { code: 17, name: 'Alibaba Qianwen', ...USUAL, other: 'plugin', ...older(49) },
  {
    code: 18,
    name: 'iFlytek Spark',
    ...NO_LIST,
    keys: [
      { id: 'sparkPassword', parts: ['key'] },
      { id: 'sparkTriple', parts: ['app_id', 'api_secret', 'api_key'] },
    ],
    other: 'sparkVersion',
    ...older(48),
  },
  { code: 19, name: '360', ...USUAL },
  { code: 20, name: 'OpenRouter', ...USUAL, balance: true },
  {
    code: 21,
    name: 'AI Proxy knowledge base',
    ...NO_LIST,
    other: 'library',
    standing: { state: 'closed', instead: 22 },
  },
  { code: 22, name: 'FastGPT', ...NO_LIST },
  {
    code: 23,
    name: 'Tencent Hunyuan',
    ...USUAL,
    keys: [
      { id: 'tokenHubKey', parts: ['key'] },
      { id: 'tencentSignature', parts: ['app_id', 'api_key', 'api_secret'], config: ['region'] },
    ],
    written: 'sk-…',
  },
  { code: 24, name: 'Gemini', ...USUAL, other: 'geminiVersion' },
  { code: 25, name: 'Moonshot', ...USUAL },
  { code: 26, name: 'Baichuan', ...USUAL },
  { code: 27, name: 'MiniMax', ...USUAL },
  { code: 28, name: 'Mistral', ...USUAL },
  { code: 29, name: 'Groq', ...USUAL },
  { code: 30, name: 'Ollama', ...USUAL },
  { code: 31, name: '01.AI', ...USUAL },
  { code: 32, name: 'StepFun', ...USUAL },
  {
    code: 33,
    name: 'AWS',
    baseUrl: 'none',
    keys: [
      { id: 'awsAccessKey', parts: ['ak', 'sk', 'region'], optionalPart: 'session_token' },
      { id: 'bedrockKey', parts: ['key'], config: ['region'] },
    ],
    config: [],
    arnMap: true,
  },
  { code: 34, name: 'Coze', ...NO_LIST, config: ['auth_type', 'user_id'] },
  { code: 35, name: 'Cohere', ...USUAL },
  { code: 36, name: 'DeepSeek', ...USUAL, balance: true },
  { code: 37, name: 'Cloudflare', ...NO_LIST, config: ['user_id'] },
  { code: 38, name: 'DeepL', ...NO_LIST },
  { code: 39, name: 'together.ai', ...USUAL },
  { code: 40, name: 'ByteDance Volcano', ...USUAL },
  { code: 41, name: 'Novita', ...USUAL },
  {
    code: 42,
    name: 'VertexAI',
    baseUrl: 'none',
    keys: [{ id: 'vertex', parts: ['region', 'vertex_ai_project_id', 'vertex_ai_adc'] }],
    config: [],
  },
  { code: 43, name: 'Proxy', ...NO_LIST, baseUrl: 'required', written: 'Bearer …' },
  { code: 44, name: 'SiliconFlow', ...USUAL, balance: true },
  { code: 45, name: 'xAI', ...USUAL },
  { code: 46, name: 'Replicate', ...NO_LIST },
  { code: 47, name: 'Baidu V2', ...USUAL, written: 'bce-v3/…' },
  { code: 48, name: 'Spark V2', ...NO_LIST, written: 'APIPassword' },
  { code: 49, name: 'Alibaba Bailian', ...USUAL },
  {
    code: 50,
    name: 'OpenAI Compatible',
    ...USUAL,
    baseUrl: 'required',
    config: ['api_format'],
    balance: true,
  },
  { code: 51, name: 'Gemini OpenAI format', ...USUAL },
]

/** The row of a type; a plain one under `#99` for a code that the specification does not know. */
export function providerOf(code: number): Provider {
  return PROVIDERS[code - 1] ?? { code, name: Number.isNaN(code) ? UNKNOWN : `#${code}`, ...NO_LIST }
}

/** The chosen way to write the key, as far as the type has it; else its usual one. */
export function keyFormOf(code: number, chosen: string): KeyForm {
  const { keys } = providerOf(code)
  return keys.find(({ id }) => id === chosen) ?? keys[0]
}

/**
 * Every field of the config that belongs to a type: the credentials of the chosen way to write its key, and what is no
 * credential of all ways, since nobody can tell in which one a stored key is written.
 */
export function configFieldsOf(code: number, chosen: string): readonly ConfigField[] {
  const { keys, config } = providerOf(code)
  const ofKeys = keys.flatMap((form) => [...form.parts.filter(isConfigField), ...(form.config ?? [])])
  const credentials = keyFormOf(code, chosen).parts
  return [...new Set([...ofKeys, ...config])].filter(
    (name) => !SECRET_CONFIG_FIELDS.includes(name) || credentials.includes(name),
  )
}

/** Whether a key of one type may stay when the channel changes to the other: both write it as one plain word. */
export function hasSameKeyForm(code: number, other: number): boolean {
  return code === other || (isBare(code) && isBare(other))
}

/** Types whose keys mean something in their form. */
const SHAPED: readonly number[] = [3, 15, 16, 18, 23, 33, 34, 42, 43]
const isBare = (code: number) => !SHAPED.includes(code)

function isConfigField(name: string): name is ConfigField {
  return CONFIG_FIELDS.some((known) => known === name)
}

export const TYPE = { openAi: 1, azure: 3, zhipu: 16, aws: 33, coze: 34, cloudflare: 37, openAiCompatible: 50 } as const

/** Stored for an Azure channel whose API version is left empty. */
export const AZURE_API_VERSION = '2024-03-01-preview'
export const SPARK_VERSIONS = ['v1.1', 'v2.1', 'v3.1', 'v3.5'] as const
export const AUTH_TYPES = ['personal_access_token', 'oauth_jwt'] as const
/** What a channel of type 50 is spoken to in; the first is the default. */
export const API_FORMATS = ['chat_completion', 'response'] as const
