/** A vendor that accepts its customers' keys from anywhere. Callers' own keys are sent only to such vendors. */
export interface Vendor {
  readonly name: string
  readonly kinds: readonly number[]
  readonly origins: readonly string[]
  /** Key prefixes that no other vendor uses. */
  readonly keys: readonly string[]
}

/**
 * An origin belongs here only if the vendor itself documents it for its customers' keys: a reseller, a gateway or a compatible
 * server would get a key that is not meant for it. ChatGPT's own address is not here: it accepts no keys, and its sign-ins are for
 * its own applications.
 */
export const VENDORS: readonly Vendor[] = [
  {
    name: 'OpenAI',
    kinds: [1],
    origins: ['https://api.openai.com', 'https://us.api.openai.com', 'https://eu.api.openai.com'],
    keys: ['sk-proj-', 'sk-svcacct-'],
  },
  { name: 'Anthropic', kinds: [14], origins: ['https://api.anthropic.com'], keys: ['sk-ant-'] },
  { name: 'Google', kinds: [24, 51], origins: ['https://generativelanguage.googleapis.com'], keys: ['AIza'] },
  { name: 'OpenRouter', kinds: [20], origins: ['https://openrouter.ai'], keys: ['sk-or-'] },
  { name: 'Groq', kinds: [29], origins: ['https://api.groq.com'], keys: ['gsk_'] },
  { name: 'xAI', kinds: [45], origins: ['https://api.x.ai'], keys: ['xai-'] },
  { name: 'Mistral', kinds: [28], origins: ['https://api.mistral.ai'], keys: [] },
  { name: 'DeepSeek', kinds: [36], origins: ['https://api.deepseek.com'], keys: [] },
  {
    name: 'Moonshot',
    kinds: [25],
    origins: ['https://api.moonshot.cn', 'https://api.moonshot.ai', 'https://api.kimi.com'],
    keys: ['sk-kimi-'],
  },
  { name: 'Zhipu', kinds: [16], origins: ['https://open.bigmodel.cn', 'https://api.z.ai'], keys: [] },
  { name: 'ByteDance', kinds: [40], origins: ['https://ark.cn-beijing.volces.com'], keys: [] },
  {
    name: 'Alibaba',
    kinds: [49],
    origins: ['https://dashscope.aliyuncs.com', 'https://dashscope-intl.aliyuncs.com'],
    keys: [],
  },
  { name: 'MiniMax', kinds: [27], origins: ['https://api.minimaxi.com', 'https://api.minimax.io'], keys: [] },
]

/** Undefined for kinds to which callers' own keys are never sent. */
export function vendorOf(code: number): Vendor | undefined {
  return VENDORS.find(({ kinds }) => kinds.includes(code))
}

export function vendorOfKey(key: string): Vendor | undefined {
  return VENDORS.find(({ keys }) => keys.some((start) => key.startsWith(start)))
}
