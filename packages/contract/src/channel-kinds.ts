// Written by `node tools/reference/write.ts` from packages/providers/src/kinds. Change the kinds, not this file.

/** Codes of all channel types. */
export const CHANNEL_KIND_CODES: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 54, 55, 56, 57, 59, 61]

/** Fields of a channel's `config` that its form shows. */
export const CONFIG_FIELDS = ['region', 'ak', 'sk', 'user_id', 'vertex_ai_project_id', 'vertex_ai_adc', 'auth_type', 'api_format', 'credentials', 'caller_ratio'] as const
export type ConfigField = (typeof CONFIG_FIELDS)[number]

/** Credentials in `config`: the gateway accepts them and never returns them. */
export const SECRET_CONFIG_FIELDS: readonly ConfigField[] = ['ak', 'sk', 'vertex_ai_adc']

/** Parts of a key that have their own field in the form but are sent within the key. */
export const PART_FIELDS = ['tenant_id', 'client_id', 'client_secret', 'app_id', 'api_key', 'api_secret', 'session_token'] as const
export type PartField = (typeof PART_FIELDS)[number]

export type KeyField = 'key' | ConfigField | PartField

/** Choices for members of `config`; the first is the default. */
export const CONFIG_CHOICES = { auth_type: ['personal_access_token', 'oauth_jwt'], api_format: ['chat_completion', 'response'], credentials: ['own', 'caller', 'caller_or_own'] } as const

/** A way to write a key: fields joined by `|`, in this order. */
export interface KeyForm {
  readonly id: 'plain' | 'azureKey' | 'entra' | 'baiduPair' | 'qianfanKey' | 'sparkTriple' | 'sparkPassword' | 'tencentSignature' | 'tokenHubKey' | 'awsAccessKey' | 'bedrockKey' | 'vertex'
  readonly parts: readonly [KeyField, ...KeyField[]]
  /** Appended to the others when present. */
  readonly optionalPart?: KeyField
  /** Fields of `config` required in addition to the key. */
  readonly config?: readonly ConfigField[]
}

/** What the form of a channel needs to know about its type. */
export interface ChannelKind {
  readonly code: number
  readonly name: string
  /** `none` where the address follows from the region. */
  readonly baseUrl: 'optional' | 'required' | 'none'
  /** The first is the usual one. */
  readonly keys: readonly [KeyForm, ...KeyForm[]]
  /** A key is one word in any format, so it may stay when the type changes to another such type. */
  readonly plainKey?: true
  /** Format of a key that has one field but is not one word. */
  readonly written?: string
  /** The column `other`: its meaning, the value stored when it is empty, its choices. */
  readonly other?: {
    readonly meaning: 'apiVersion' | 'geminiVersion' | 'plugin' | 'sparkVersion' | 'library'
    readonly fallback?: string
    readonly choices?: readonly string[]
  }
  /** Fields of `config` that do not belong to a key. */
  readonly config: readonly ConfigField[]
  /** A model can be called by the ARN of an inference profile. */
  readonly arnMap?: true
  /** The provider reports the account's balance. */
  readonly balance?: true
  /** The provider lists its models. */
  readonly modelList?: true
  /**
   * Status of a provider that is not current. `reseller`: not known to work still · `older`: superseded by another type ·
   * `closed`: the service has ended. `instead` is the type to choose.
   */
  readonly standing?: { readonly state: 'reseller' | 'older' | 'closed'; readonly instead: number }
}

const PLAIN: KeyForm = { id: 'plain', parts: ['key'] }
const BASE = { baseUrl: 'optional', keys: [PLAIN], config: [] } as const
const NO_LIST = { ...BASE, plainKey: true } as const
/** A default address, a one-word key, and a model list. */
const USUAL = { ...NO_LIST, modelList: true } as const

/** All channel types, by code. */
export const CHANNEL_KINDS: readonly ChannelKind[] = [
  { code: 1, name: 'OpenAI', ...USUAL, config: ['credentials', 'caller_ratio'], balance: true },
  { code: 2, name: 'API2D proxy', ...USUAL, standing: { state: 'reseller', instead: 50 } },
  { code: 3, name: 'Azure', ...BASE, baseUrl: 'required', keys: [{ id: 'azureKey', parts: ['key'] }, { id: 'entra', parts: ['tenant_id', 'client_id', 'client_secret'] }], other: { meaning: 'apiVersion', fallback: '2024-03-01-preview' } },
  { code: 4, name: 'CloseAI proxy', ...USUAL, balance: true, standing: { state: 'reseller', instead: 50 } },
  { code: 5, name: 'OpenAI-SB proxy', ...USUAL, balance: true, standing: { state: 'reseller', instead: 50 } },
  { code: 6, name: 'OpenAI Max proxy', ...USUAL, standing: { state: 'reseller', instead: 50 } },
  { code: 7, name: 'OhMyGPT proxy', ...USUAL, standing: { state: 'reseller', instead: 50 } },
  { code: 8, name: 'Custom', ...USUAL, baseUrl: 'required', config: ['api_format'], balance: true, standing: { state: 'older', instead: 50 } },
  { code: 9, name: 'AI.LS proxy', ...USUAL, standing: { state: 'reseller', instead: 50 } },
  { code: 10, name: 'AI Proxy', ...USUAL, balance: true, standing: { state: 'reseller', instead: 50 } },
  { code: 11, name: 'PaLM2', ...USUAL, other: { meaning: 'geminiVersion' }, standing: { state: 'closed', instead: 24 } },
  { code: 12, name: 'API2GPT proxy', ...USUAL, balance: true, standing: { state: 'reseller', instead: 50 } },
  { code: 13, name: 'AIGC2D proxy', ...USUAL, balance: true, standing: { state: 'reseller', instead: 50 } },
  { code: 14, name: 'Anthropic', ...USUAL, config: ['credentials', 'caller_ratio'] },
  { code: 15, name: 'Baidu Wenxin', ...BASE, keys: [{ id: 'qianfanKey', parts: ['key'] }, { id: 'baiduPair', parts: ['api_key', 'api_secret'] }], written: 'bce-v3/…', standing: { state: 'older', instead: 47 }, modelList: true },
  { code: 16, name: 'Zhipu', ...BASE, keys: [{ id: 'plain', parts: ['key'] }], config: ['auth_type', 'credentials', 'caller_ratio'], written: 'id.secret', modelList: true },
  { code: 17, name: 'Alibaba Qianwen', ...USUAL, other: { meaning: 'plugin' }, standing: { state: 'older', instead: 49 } },
  { code: 18, name: 'iFlytek Spark', ...BASE, keys: [{ id: 'sparkPassword', parts: ['key'] }, { id: 'sparkTriple', parts: ['app_id', 'api_secret', 'api_key'] }], other: { meaning: 'sparkVersion', choices: ['v1.1', 'v2.1', 'v3.1', 'v3.5'] }, standing: { state: 'older', instead: 48 } },
  { code: 19, name: '360', ...USUAL },
  { code: 20, name: 'OpenRouter', ...USUAL, config: ['credentials', 'caller_ratio'], balance: true },
  { code: 21, name: 'AI Proxy knowledge base', ...NO_LIST, other: { meaning: 'library' }, standing: { state: 'closed', instead: 22 } },
  { code: 22, name: 'FastGPT', ...NO_LIST },
  { code: 23, name: 'Tencent Hunyuan', ...BASE, keys: [{ id: 'tokenHubKey', parts: ['key'] }, { id: 'tencentSignature', parts: ['app_id', 'api_key', 'api_secret'], config: ['region'] }], written: 'sk-…', modelList: true },
  { code: 24, name: 'Gemini', ...USUAL, config: ['credentials', 'caller_ratio'], other: { meaning: 'geminiVersion' } },
  { code: 25, name: 'Moonshot', ...USUAL, config: ['credentials', 'caller_ratio'] },
  { code: 26, name: 'Baichuan', ...USUAL },
  { code: 27, name: 'MiniMax', ...USUAL, config: ['credentials', 'caller_ratio'] },
  { code: 28, name: 'Mistral', ...USUAL, config: ['credentials', 'caller_ratio'] },
  { code: 29, name: 'Groq', ...USUAL, config: ['credentials', 'caller_ratio'] },
  { code: 30, name: 'Ollama', ...USUAL },
  { code: 31, name: '01.AI', ...USUAL },
  { code: 32, name: 'StepFun', ...USUAL },
  { code: 33, name: 'AWS', ...BASE, baseUrl: 'none', keys: [{ id: 'awsAccessKey', parts: ['ak', 'sk', 'region'], optionalPart: 'session_token' }, { id: 'bedrockKey', parts: ['key'], config: ['region'] }], arnMap: true },
  { code: 34, name: 'Coze', ...BASE, keys: [{ id: 'plain', parts: ['key'] }], config: ['auth_type', 'user_id'] },
  { code: 35, name: 'Cohere', ...USUAL },
  { code: 36, name: 'DeepSeek', ...USUAL, config: ['credentials', 'caller_ratio'], balance: true },
  { code: 37, name: 'Cloudflare', ...NO_LIST, config: ['user_id'] },
  { code: 38, name: 'DeepL', ...NO_LIST },
  { code: 39, name: 'together.ai', ...USUAL },
  { code: 40, name: 'ByteDance Volcano', ...USUAL, config: ['credentials', 'caller_ratio'] },
  { code: 41, name: 'Novita', ...USUAL },
  { code: 42, name: 'VertexAI', ...BASE, baseUrl: 'none', keys: [{ id: 'vertex', parts: ['region', 'vertex_ai_project_id', 'vertex_ai_adc'] }] },
  { code: 43, name: 'Proxy', ...BASE, baseUrl: 'required', keys: [{ id: 'plain', parts: ['key'] }], written: 'Bearer …' },
  { code: 44, name: 'SiliconFlow', ...USUAL, balance: true },
  { code: 45, name: 'xAI', ...USUAL, config: ['credentials', 'caller_ratio'] },
  { code: 46, name: 'Replicate', ...NO_LIST },
  { code: 47, name: 'Baidu V2', ...USUAL, written: 'bce-v3/…' },
  { code: 48, name: 'Spark V2', ...NO_LIST, written: 'APIPassword' },
  { code: 49, name: 'Alibaba Bailian', ...USUAL, config: ['credentials', 'caller_ratio'] },
  { code: 50, name: 'OpenAI Compatible', ...USUAL, baseUrl: 'required', config: ['api_format'], balance: true },
  { code: 51, name: 'Gemini OpenAI format', ...USUAL, config: ['credentials', 'caller_ratio'] },
  { code: 54, name: 'Fireworks', ...USUAL },
  { code: 55, name: 'NVIDIA', ...USUAL },
  { code: 56, name: 'Cerebras', ...USUAL },
  { code: 57, name: 'DeepInfra', ...USUAL },
  { code: 59, name: 'Jina', ...USUAL },
  { code: 61, name: 'Perplexity', ...NO_LIST },
]
