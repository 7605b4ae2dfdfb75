/** Wire formats that upstreams speak. */
export type DialectName =
  | 'openai-chat'
  | 'anthropic-messages'
  | 'gemini'
  | 'bedrock-converse'
  | 'cohere'
  | 'coze'
  | 'replicate'
  | 'deepl'
  | 'library-ask'
  | 'raw'

export type FramingName = 'sse' | 'aws-event-stream' | 'raw'

export type CredentialScheme =
  | 'bearer'
  /** Bearer, or nothing when the key is empty. */
  | 'bearer-optional'
  | 'azure-key'
  | 'x-api-key'
  | 'goog-api-key'
  | 'google-service-account'
  | 'sigv4'
  | 'deepl-key'
  | 'coze'
  /** The key is the whole Authorization header. */
  | 'verbatim'

/** Where a kind differs from its dialect. One word per difference; what each means in bytes is the dialect's matter. */
export type Quirk =
  /** Knows `max_tokens` only, not `max_completion_tokens`. */
  | 'max-tokens-only'
  /** No `developer` role. */
  | 'no-developer'
  /** Refuses `store`, `metadata` and other account features of OpenAI. */
  | 'no-store'
  /** Refuses `stream_options`; sends usage unasked. */
  | 'no-stream-options'
  /** Message content must be a string, not a list of parts. */
  | 'string-content'
  /** Temperature and top_p stay inside (0, 1). */
  | 'clamp-sampling'
  /** Tool call ids are nine letters or digits. */
  | 'short-tool-ids'
  /** Knows `json_object` only, not `json_schema`. */
  | 'no-json-schema'
  /** Reports errors inside of HTTP 200 bodies by a code of its own. */
  | 'error-in-200'
  /** Thinking is switched by a vendor's field. */
  | 'own-thinking'
  /** Wants headers that name the calling site. */
  | 'site-headers'
  /** The account id is part of the path. */
  | 'account-path'
  /** Deployment and api-version are part of the address. */
  | 'azure-paths'

/** How a channel's base URL becomes an address; see `upstreamAddress`. */
export interface KindAddress {
  /** Empty when the administrator must give one, or when the address follows from the region. */
  readonly defaultBaseUrl: string
  readonly baseUrlEditable: boolean
  readonly baseUrlRequired: boolean
  /** Stands for `/v1` in upstream paths. */
  readonly prefix?: string
}

/** A channel kind: everything the core knows of a provider. */
export interface ChannelKind {
  /** The family's channel type code. */
  readonly code: number
  readonly name: string
  readonly dialect: DialectName
  readonly framing: FramingName
  readonly credentials: CredentialScheme
  readonly address: KindAddress
  readonly quirks: readonly Quirk[]
}

/** Undefined for an unknown code. */
export function kindOf(code: number): ChannelKind | undefined {
  return BY_CODE.get(code)
}

/**
 * Whether the relay can serve the kind: its dialect, framing and credentials are here and it has no quirk, since none
 * is handled yet. The console lists the others, the relay refuses them.
 */
export function isServable(kind: ChannelKind): boolean {
  const { dialect, framing, credentials, quirks } = kind
  const isBearer = credentials === 'bearer' || credentials === 'bearer-optional'
  return dialect === 'openai-chat' && framing === 'sse' && isBearer && quirks.length === 0
}

const OPENAI = { dialect: 'openai-chat', framing: 'sse', credentials: 'bearer', quirks: [] } as const
const GEMINI = { dialect: 'gemini', framing: 'sse', credentials: 'goog-api-key', quirks: [] } as const
/** What nearly every vendor beside OpenAI and Azure has in common. */
const VENDOR = ['no-developer', 'no-store'] as const
const OWN_PLACE = { defaultBaseUrl: '', baseUrlEditable: true, baseUrlRequired: true } as const
/** The address follows from the region. */
const REGIONAL = { defaultBaseUrl: '', baseUrlEditable: false, baseUrlRequired: false } as const

function at(defaultBaseUrl: string, prefix?: string): KindAddress {
  const address = { defaultBaseUrl, baseUrlEditable: true, baseUrlRequired: false }
  return prefix === undefined ? address : { ...address, prefix }
}

/** All kinds by code. Names as the console shows them; base URLs as the vendors advise late in 2026. */
export const CHANNEL_KINDS: readonly ChannelKind[] = [
  { code: 1, name: 'OpenAI', ...OPENAI, address: at('https://api.openai.com') },
  { code: 2, name: 'API2D proxy', ...OPENAI, address: at('https://oa.api2d.net') },
  { code: 3, name: 'Azure', ...OPENAI, credentials: 'azure-key', quirks: ['azure-paths'], address: OWN_PLACE },
  { code: 4, name: 'CloseAI proxy', ...OPENAI, address: at('https://api.openai-proxy.org') },
  { code: 5, name: 'OpenAI-SB proxy', ...OPENAI, address: at('https://api.openai-sb.com') },
  { code: 6, name: 'OpenAI Max proxy', ...OPENAI, address: at('https://api.openaimax.com') },
  { code: 7, name: 'OhMyGPT proxy', ...OPENAI, address: at('https://api.ohmygpt.com') },
  // An older type for what is now 50.
  { code: 8, name: 'Custom', ...OPENAI, credentials: 'bearer-optional', address: OWN_PLACE },
  { code: 9, name: 'AI.LS proxy', ...OPENAI, address: at('https://api.caipacity.com') },
  { code: 10, name: 'AI Proxy', ...OPENAI, address: at('https://api.aiproxy.io') },
  { code: 11, name: 'PaLM2', ...GEMINI, address: at('https://generativelanguage.googleapis.com') },
  { code: 12, name: 'API2GPT proxy', ...OPENAI, address: at('https://api.api2gpt.com') },
  { code: 13, name: 'AIGC2D proxy', ...OPENAI, address: at('https://api.aigc2d.com') },
  {
    code: 14,
    name: 'Anthropic',
    dialect: 'anthropic-messages',
    framing: 'sse',
    credentials: 'x-api-key',
    quirks: [],
    address: at('https://api.anthropic.com'),
  },
  {
    code: 15,
    name: 'Baidu Wenxin',
    ...OPENAI,
    quirks: [...VENDOR, 'clamp-sampling', 'error-in-200'],
    address: at('https://qianfan.baidubce.com/v2'),
  },
  {
    code: 16,
    name: 'Zhipu',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'clamp-sampling', 'own-thinking'],
    address: at('https://open.bigmodel.cn', '/api/paas/v4'),
  },
  {
    code: 17,
    name: 'Alibaba Qianwen',
    ...OPENAI,
    quirks: [...VENDOR, 'clamp-sampling', 'own-thinking'],
    address: at('https://dashscope.aliyuncs.com', '/compatible-mode/v1'),
  },
  {
    code: 18,
    name: 'iFlytek Spark',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'string-content', 'clamp-sampling', 'no-json-schema', 'error-in-200'],
    address: at('https://spark-api-open.xf-yun.com/v1'),
  },
  {
    code: 19,
    name: '360',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'no-json-schema'],
    address: at('https://api.360.cn/v1'),
  },
  {
    code: 20,
    name: 'OpenRouter',
    ...OPENAI,
    quirks: ['no-store', 'own-thinking', 'site-headers'],
    address: at('https://openrouter.ai/api'),
  },
  {
    code: 21,
    name: 'AI Proxy knowledge base',
    dialect: 'library-ask',
    framing: 'sse',
    credentials: 'bearer',
    quirks: [],
    address: at('https://api.aiproxy.io'),
  },
  {
    code: 22,
    name: 'FastGPT',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'string-content', 'no-json-schema'],
    address: at('https://cloud.fastgpt.io/api'),
  },
  {
    code: 23,
    name: 'Tencent Hunyuan',
    ...OPENAI,
    quirks: [...VENDOR],
    address: at('https://tokenhub.tencentmaas.com/v1'),
  },
  { code: 24, name: 'Gemini', ...GEMINI, address: at('https://generativelanguage.googleapis.com') },
  {
    code: 25,
    name: 'Moonshot',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'own-thinking'],
    address: at('https://api.moonshot.cn'),
  },
  {
    code: 26,
    name: 'Baichuan',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'no-json-schema'],
    address: at('https://api.baichuan-ai.com'),
  },
  {
    code: 27,
    name: 'MiniMax',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'own-thinking', 'error-in-200'],
    address: at('https://api.minimaxi.com/v1'),
  },
  {
    code: 28,
    name: 'Mistral',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'no-stream-options', 'short-tool-ids'],
    address: at('https://api.mistral.ai'),
  },
  { code: 29, name: 'Groq', ...OPENAI, quirks: [...VENDOR], address: at('https://api.groq.com/openai') },
  {
    code: 30,
    name: 'Ollama',
    ...OPENAI,
    credentials: 'bearer-optional',
    quirks: [...VENDOR],
    address: at('http://localhost:11434'),
  },
  {
    code: 31,
    name: '01.AI',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'no-json-schema'],
    address: at('https://api.lingyiwanwu.com'),
  },
  {
    code: 32,
    name: 'StepFun',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only'],
    address: at('https://api.stepfun.com'),
  },
  {
    code: 33,
    name: 'AWS',
    dialect: 'bedrock-converse',
    framing: 'aws-event-stream',
    credentials: 'sigv4',
    quirks: [],
    address: REGIONAL,
  },
  {
    code: 34,
    name: 'Coze',
    dialect: 'coze',
    framing: 'sse',
    credentials: 'coze',
    quirks: [],
    address: at('https://api.coze.com'),
  },
  {
    code: 35,
    name: 'Cohere',
    dialect: 'cohere',
    framing: 'sse',
    credentials: 'bearer',
    quirks: [],
    address: at('https://api.cohere.com'),
  },
  {
    code: 36,
    name: 'DeepSeek',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'no-json-schema', 'own-thinking'],
    address: at('https://api.deepseek.com'),
  },
  {
    code: 37,
    name: 'Cloudflare',
    ...OPENAI,
    quirks: [...VENDOR, 'account-path'],
    address: at('https://api.cloudflare.com'),
  },
  {
    code: 38,
    name: 'DeepL',
    dialect: 'deepl',
    framing: 'raw',
    credentials: 'deepl-key',
    quirks: [],
    address: at('https://api-free.deepl.com'),
  },
  {
    code: 39,
    name: 'together.ai',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'own-thinking'],
    address: at('https://api.together.ai'),
  },
  {
    code: 40,
    name: 'ByteDance Volcano',
    ...OPENAI,
    quirks: [...VENDOR, 'own-thinking'],
    address: at('https://ark.cn-beijing.volces.com', '/api/v3'),
  },
  { code: 41, name: 'Novita', ...OPENAI, quirks: [...VENDOR], address: at('https://api.novita.ai/openai') },
  { code: 42, name: 'VertexAI', ...GEMINI, credentials: 'google-service-account', address: REGIONAL },
  {
    code: 43,
    name: 'Proxy',
    dialect: 'raw',
    framing: 'raw',
    credentials: 'verbatim',
    quirks: [],
    address: OWN_PLACE,
  },
  {
    code: 44,
    name: 'SiliconFlow',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'own-thinking'],
    address: at('https://api.siliconflow.cn'),
  },
  { code: 45, name: 'xAI', ...OPENAI, quirks: [...VENDOR], address: at('https://api.x.ai') },
  {
    code: 46,
    name: 'Replicate',
    dialect: 'replicate',
    framing: 'sse',
    credentials: 'bearer',
    quirks: [],
    address: at('https://api.replicate.com/v1/models/'),
  },
  {
    code: 47,
    name: 'Baidu V2',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'own-thinking'],
    address: at('https://qianfan.baidubce.com', '/v2'),
  },
  {
    code: 48,
    name: 'Spark V2',
    ...OPENAI,
    quirks: [...VENDOR, 'max-tokens-only', 'string-content', 'no-json-schema', 'error-in-200'],
    address: at('https://spark-api-open.xf-yun.com'),
  },
  {
    code: 49,
    name: 'Alibaba Bailian',
    ...OPENAI,
    quirks: [...VENDOR, 'own-thinking'],
    address: at('https://dashscope.aliyuncs.com', '/compatible-mode/v1'),
  },
  { code: 50, name: 'OpenAI Compatible', ...OPENAI, credentials: 'bearer-optional', address: OWN_PLACE },
  {
    code: 51,
    name: 'Gemini OpenAI format',
    ...OPENAI,
    quirks: [...VENDOR],
    address: at('https://generativelanguage.googleapis.com/v1beta/openai/'),
  },
]

const BY_CODE: ReadonlyMap<number, ChannelKind> = new Map(CHANNEL_KINDS.map((kind) => [kind.code, kind]))
