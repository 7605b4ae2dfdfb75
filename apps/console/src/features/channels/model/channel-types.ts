/** Names of the channel types by their code, after section 3 of the specification. */
const CHANNEL_TYPES: Readonly<Record<number, string>> = {
  1: 'OpenAI',
  2: 'API2D proxy',
  3: 'Azure',
  4: 'CloseAI proxy',
  5: 'OpenAI-SB proxy',
  6: 'OpenAI Max proxy',
  7: 'OhMyGPT proxy',
  8: 'Custom',
  9: 'AI.LS proxy',
  10: 'AI Proxy',
  11: 'PaLM2',
  12: 'API2GPT proxy',
  13: 'AIGC2D proxy',
  14: 'Anthropic',
  15: 'Baidu Wenxin',
  16: 'Zhipu',
  17: 'Alibaba Qianwen',
  18: 'iFlytek Spark',
  19: '360',
  20: 'OpenRouter',
  21: 'AI Proxy knowledge base',
  22: 'FastGPT',
  23: 'Tencent Hunyuan',
  24: 'Gemini',
  25: 'Moonshot',
  26: 'Baichuan',
  27: 'MiniMax',
  28: 'Mistral',
  29: 'Groq',
  30: 'Ollama',
  31: '01.AI',
  32: 'StepFun',
  33: 'AWS',
  34: 'Coze',
  35: 'Cohere',
  36: 'DeepSeek',
  37: 'Cloudflare',
  38: 'DeepL',
  39: 'together.ai',
  40: 'ByteDance Volcano',
  41: 'Novita',
  42: 'VertexAI',
  43: 'Proxy',
  44: 'SiliconFlow',
  45: 'xAI',
  46: 'Replicate',
  47: 'Baidu V2',
  48: 'Spark V2',
  49: 'Alibaba Bailian',
  50: 'OpenAI Compatible',
  51: 'Gemini OpenAI format',
}

/** Name of a type; `#99` for a code that the specification does not know. */
export function channelTypeName(type: number): string {
  return CHANNEL_TYPES[type] ?? `#${type}`
}

/** Every type as a choice, by name, so that typing the first letters finds it. */
export const CHANNEL_TYPE_OPTIONS: ReadonlyArray<{ readonly value: string; readonly label: string }> = Object.entries(
  CHANNEL_TYPES,
)
  .map(([value, label]) => ({ value, label }))
  .toSorted((a, b) => a.label.localeCompare(b.label, 'en', { sensitivity: 'base' }))
