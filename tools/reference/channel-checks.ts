/** What it rests on that a channel type is called rightly. */
export interface ChannelCheck {
  /** Folders under `tests/recorded` with its replies. */
  readonly recorded?: readonly string[]
  /** Folder under `tests/recorded/answers` with answers that were written after the description, for want of recorded ones. */
  readonly written?: string
  /** Published descriptions, and vectors for credentials. */
  readonly described: string
  /** What an administrator should know before they make such a channel. */
  readonly state?: string
}

const RESELLER: ChannelCheck = {
  described: 'as type 1',
  state: 'a reseller: nobody checked that it still answers',
}
const ALIBABA: ChannelCheck = {
  recorded: ['alibaba'],
  described: 'Alibaba Model Studio: OpenAI compatibility, Anthropic compatibility',
}
const SPARK: ChannelCheck = { described: 'iFlytek: Spark HTTP API' }
const QIANFAN: ChannelCheck = { described: 'Baidu Qianfan: v2 API' }

/** By type code. */
export const CHANNEL_CHECKS: Readonly<Record<number, ChannelCheck>> = {
  1: {
    recorded: ['openai', 'answers/openai-chat', 'answers/openai-responses'],
    described: 'OpenAI API reference',
  },
  2: RESELLER,
  3: { described: 'Microsoft: Azure OpenAI REST reference, Claude in Foundry; replies as types 1 and 14' },
  4: RESELLER,
  5: RESELLER,
  6: RESELLER,
  7: RESELLER,
  8: { described: 'as type 50', state: 'older name of type 50' },
  9: RESELLER,
  10: RESELLER,
  11: { described: 'as type 24', state: 'PaLM was closed in 2024: served by Gemini' },
  12: RESELLER,
  13: RESELLER,
  14: {
    recorded: ['anthropic', 'answers/anthropic-messages'],
    described: 'Anthropic: Messages API',
    state:
      'keys `sk-ant-oat…` work too: tokens of a Claude subscription. Anthropic means them for ordinary use of its own applications and lets nobody ' +
      'pass on requests of others with them (code.claude.com/docs/en/legal-and-compliance, November 2026): for a service, take a key of the API',
  },
  15: {
    ...QIANFAN,
    state: 'keys of Qianfan are served as type 47; pairs open Wenxin’s older interface, which Baidu replaces by it',
  },
  16: {
    recorded: ['zhipu'],
    described: 'Zhipu: chat completions, Anthropic compatibility; a token of its own clients',
  },
  17: { ...ALIBABA, state: 'served as type 49' },
  18: { ...SPARK, state: 'served over HTTP, as type 48; older keys are taken' },
  19: { described: '360: chat completions' },
  20: { recorded: ['openrouter'], described: 'OpenRouter: API reference' },
  21: {
    written: 'library-ask',
    described: 'how this family of gateways has always asked',
    state: 'not known to answer any more',
  },
  22: { described: 'FastGPT: open API' },
  23: {
    described: 'Tencent: TokenHub; Hunyuan API 3.0 and the vectors of its signature',
    state: 'keys of three parts open Hunyuan’s own interface, whose end Tencent announced for September 2026',
  },
  24: { recorded: ['google', 'answers/gemini'], described: 'Google: Gemini API reference' },
  25: { recorded: ['moonshot'], described: 'Moonshot: chat, Anthropic compatibility' },
  26: { described: 'Baichuan: chat completions' },
  27: { described: 'MiniMax: OpenAI and Anthropic compatibility' },
  28: { recorded: ['mistral'], described: 'Mistral: API reference' },
  29: { recorded: ['groq'], described: 'Groq: OpenAI compatibility' },
  30: { described: 'Ollama: OpenAI and Anthropic compatibility' },
  31: { described: '01.AI: chat completions' },
  32: { described: 'StepFun: API reference' },
  33: {
    recorded: ['bedrock', 'answers/bedrock-converse'],
    described: 'AWS: Bedrock API reference, event stream encoding; vectors of Signature Version 4',
  },
  34: { written: 'coze', described: 'Coze: chat v3, OAuth with JWT' },
  35: { recorded: ['cohere', 'answers/cohere'], described: 'Cohere: API v2' },
  36: { recorded: ['deepseek'], described: 'DeepSeek: API reference' },
  37: { described: 'Cloudflare: Workers AI, OpenAI compatibility' },
  38: { written: 'deepl', described: 'DeepL: translate text' },
  39: { described: 'together.ai: API reference' },
  40: { described: 'Volcano Ark: chat, embeddings, pictures' },
  41: { described: 'Novita: OpenAI and Anthropic compatibility' },
  42: { described: 'Google: Vertex AI reference, Claude on Vertex AI; vector of RFC 7515; replies as types 24 and 14' },
  43: { described: 'our own: whatever the caller sends', state: 'called through `/v1/oneapi/proxy/{channel}/…`' },
  44: { described: 'SiliconFlow: API reference' },
  45: { recorded: ['xai'], described: 'xAI: API reference' },
  46: { written: 'replicate', described: 'Replicate: HTTP API' },
  47: QIANFAN,
  48: SPARK,
  49: ALIBABA,
  50: { recorded: ['perplexity', 'voyage'], described: 'OpenAI API reference; the emulator of our tests' },
  51: { described: 'Google: OpenAI compatibility' },
}
