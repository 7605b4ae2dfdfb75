import type { Effort, ThinkingStyle } from '@sluice/dialects/canon/codec'

/** What models of one family accept. */
export interface CapabilityRule {
  /** Matched against the bare name in lower case; the first rule that matches decides. */
  readonly models: RegExp
  /** yes → always · off → only while the model does not think · no → never */
  readonly sampling: 'yes' | 'off' | 'no'
  readonly topK?: boolean
  readonly penalties?: 'both' | 'presence' | 'off'
  readonly stop?: boolean
  readonly efforts?: readonly Effort[]
  readonly thinking?: ThinkingStyle
  readonly vision?: boolean
  /** False where the length of an answer cannot be limited. */
  readonly maxTokens?: boolean
}

const LOW_TO_HIGH = ['low', 'medium', 'high'] as const
const LOW_TO_XHIGH = [...LOW_TO_HIGH, 'xhigh'] as const
const LOW_TO_MAX = [...LOW_TO_XHIGH, 'max'] as const
const GPT = { sampling: 'no', vision: true, thinking: 'effort' } as const
const PLAIN = { sampling: 'yes', penalties: 'both', stop: true } as const

/** From vendors' documents of late 2026. Media models and those that search refuse what others of their family accept. */
export const CAPABILITY_RULES: readonly CapabilityRule[] = [
  // OpenAI
  { models: /^gpt-3\.5/, ...PLAIN },
  { models: /^(gpt-4o.*audio|gpt-audio)/, ...PLAIN },
  { models: /^gpt-4o.*search/, sampling: 'no' },
  { models: /^(gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-4\.5|chatgpt-4o)/, ...PLAIN, vision: true },
  { models: /^gpt-4/, ...PLAIN },
  { models: /^o1-(mini|preview)/, sampling: 'no', thinking: 'forced' },
  { models: /^o1/, ...GPT, stop: true, efforts: LOW_TO_HIGH },
  { models: /^o3-mini/, sampling: 'no', thinking: 'effort', efforts: LOW_TO_HIGH },
  { models: /^(o3|o4)/, ...GPT, efforts: LOW_TO_HIGH },
  { models: /^(gpt-5.*chat|chat-latest)/, ...PLAIN, vision: true },
  { models: /^gpt-5-pro/, ...GPT, efforts: ['high'] },
  { models: /^gpt-5(-mini|-nano|-codex)?($|-20)/, ...GPT, efforts: ['minimal', ...LOW_TO_HIGH] },
  { models: /^gpt-[56].*-pro($|-20)/, ...GPT, efforts: ['medium', 'high', 'xhigh'] },
  { models: /^gpt-5\.1/, ...GPT, sampling: 'off', efforts: ['none', ...LOW_TO_HIGH] },
  { models: /^gpt-5\.[2345]/, ...GPT, sampling: 'off', efforts: ['none', ...LOW_TO_XHIGH] },
  { models: /^(gpt-5\.6-cyber|gpt-6-astra|gpt-6\.1-sol)/, ...GPT, efforts: LOW_TO_MAX },
  { models: /^gpt-(5\.6|6)/, ...GPT, sampling: 'off', efforts: ['none', ...LOW_TO_MAX] },
  { models: /^gpt-oss/, ...PLAIN, topK: true, thinking: 'effort', efforts: LOW_TO_HIGH },
  // Anthropic
  { models: /^claude-(2|instant)/, sampling: 'yes', topK: true, stop: true },
  {
    models: /^claude-opus-4-5/,
    sampling: 'yes',
    topK: true,
    stop: true,
    thinking: 'budget',
    efforts: LOW_TO_HIGH,
    vision: true,
  },
  {
    models: /^claude-(3-7|(opus|sonnet|haiku)-4(@|-0|-1|-5|-20|$))/,
    sampling: 'yes',
    topK: true,
    stop: true,
    thinking: 'budget',
    vision: true,
  },
  { models: /^claude-3/, sampling: 'yes', topK: true, stop: true, vision: true },
  {
    models: /^claude-(opus|sonnet)-4-6/,
    sampling: 'yes',
    topK: true,
    stop: true,
    thinking: 'adaptive',
    efforts: [...LOW_TO_HIGH, 'max'],
    vision: true,
  },
  { models: /^claude-/, sampling: 'no', stop: true, thinking: 'adaptive', efforts: LOW_TO_MAX, vision: true },
  // Google
  { models: /^gemini-.*-image/, sampling: 'yes', topK: true, vision: true },
  { models: /^gemini-.*tts/, sampling: 'yes', topK: true },
  { models: /^gemini-2\.5/, sampling: 'yes', topK: true, stop: true, thinking: 'budget', vision: true },
  {
    models: /^gemini-(3\.[78]|3\.6)/,
    sampling: 'no',
    stop: true,
    thinking: 'level',
    efforts: LOW_TO_HIGH,
    vision: true,
  },
  {
    models: /^gemini-(3\.5-flash-lite|flash-latest|flash-lite-latest)/,
    sampling: 'no',
    stop: true,
    thinking: 'level',
    efforts: ['minimal', ...LOW_TO_HIGH],
    vision: true,
  },
  {
    models: /^gemini-(3-flash|3\.1-flash-lite|3\.5-flash)/,
    sampling: 'yes',
    topK: true,
    stop: true,
    thinking: 'level',
    efforts: ['minimal', ...LOW_TO_HIGH],
    vision: true,
  },
  {
    models: /^gemini-[34]/,
    sampling: 'yes',
    topK: true,
    stop: true,
    thinking: 'level',
    efforts: LOW_TO_HIGH,
    vision: true,
  },
  { models: /^gemini-(1|2\.0)/, ...PLAIN, topK: true, vision: true },
  { models: /^gemma-[34]/, sampling: 'yes', topK: true, stop: true, vision: true },
  { models: /^gemma/, sampling: 'yes', topK: true, stop: true },
  // DeepSeek
  { models: /^deepseek-chat/, ...PLAIN },
  { models: /^deepseek-(reasoner|r1)/, sampling: 'no', stop: true, thinking: 'forced' },
  {
    models: /^deepseek-flash/,
    sampling: 'off',
    penalties: 'off',
    stop: true,
    thinking: 'switch',
    efforts: ['none', 'low', 'high', 'max'],
    vision: true,
  },
  {
    models: /^deepseek-(v4|v3)/,
    sampling: 'off',
    penalties: 'off',
    stop: true,
    thinking: 'switch',
    efforts: ['none', 'high', 'max'],
  },
  // Alibaba
  {
    models: /^(qwen3\.8|qwen4)/,
    sampling: 'yes',
    topK: true,
    penalties: 'presence',
    stop: true,
    thinking: 'switch',
    efforts: ['none', 'low', 'medium', 'xhigh'],
    vision: true,
  },
  {
    models: /^(qwen3.*thinking|qwq|qvq)/,
    sampling: 'yes',
    topK: true,
    penalties: 'presence',
    stop: true,
    thinking: 'forced',
  },
  { models: /^qwen.*(vl|omni)/, sampling: 'yes', topK: true, penalties: 'presence', stop: true, vision: true },
  {
    models: /^(qwen3|qwen-(max|plus|turbo|flash))/,
    sampling: 'yes',
    topK: true,
    penalties: 'presence',
    stop: true,
    thinking: 'switch',
  },
  { models: /^qwen/, sampling: 'yes', topK: true, penalties: 'presence', stop: true },
  // xAI
  { models: /^grok-4\.[67]/, sampling: 'yes', thinking: 'effort', efforts: LOW_TO_XHIGH, vision: true },
  { models: /^grok-4\.5/, sampling: 'yes', thinking: 'effort', efforts: LOW_TO_HIGH, vision: true },
  { models: /^grok-4\.3/, sampling: 'yes', thinking: 'effort', efforts: ['none', ...LOW_TO_HIGH], vision: true },
  { models: /^grok-3-mini/, sampling: 'yes', thinking: 'effort', efforts: ['low', 'high'] },
  { models: /^grok-4/, sampling: 'yes', thinking: 'forced', vision: true },
  { models: /^grok-code/, sampling: 'yes', thinking: 'forced' },
  { models: /^grok-2-vision/, ...PLAIN, vision: true },
  { models: /^grok-[23]/, ...PLAIN },
  // Meta
  { models: /llama-?4|llama-3\.2-(11|90)/, ...PLAIN, topK: true, vision: true },
  { models: /llama/, ...PLAIN, topK: true },
  {
    models: /^muse/,
    sampling: 'yes',
    stop: true,
    thinking: 'effort',
    efforts: ['minimal', ...LOW_TO_MAX],
    vision: true,
  },
  // Mistral
  { models: /^magistral/, ...PLAIN, thinking: 'forced', vision: true },
  { models: /^mistral-large-4/, ...PLAIN, thinking: 'effort', efforts: ['none', ...LOW_TO_HIGH], vision: true },
  {
    models: /^mistral-(medium-(3\.5|2604|latest)|small-(2603|latest))/,
    ...PLAIN,
    thinking: 'effort',
    efforts: ['none', 'high'],
    vision: true,
  },
  { models: /^(pixtral|mistral-(medium|small)|ministral)/, ...PLAIN, vision: true },
  { models: /^(mistral|open-mi|codestral|devstral)/, ...PLAIN },
  // Zhipu
  { models: /^glm-.*v/, sampling: 'yes', stop: true, thinking: 'switch', vision: true },
  {
    models: /^glm-5\.3/,
    sampling: 'yes',
    stop: true,
    thinking: 'switch',
    efforts: ['none', 'low', 'high', 'max'],
    vision: true,
  },
  { models: /^glm-5\.2/, sampling: 'yes', stop: true, thinking: 'switch', efforts: ['none', 'high', 'max'] },
  { models: /^glm-(4\.[5-9]|5)/, sampling: 'yes', stop: true, thinking: 'switch' },
  { models: /^(glm|chatglm)/, sampling: 'yes', stop: true },
  // Moonshot
  {
    models: /^kimi-k3/,
    sampling: 'no',
    stop: true,
    thinking: 'effort',
    efforts: ['low', 'high', 'max'],
    vision: true,
  },
  { models: /^kimi-k2\.[5-9]/, sampling: 'yes', stop: true, thinking: 'switch', vision: true },
  { models: /^kimi-k2.*thinking/, sampling: 'yes', stop: true, thinking: 'forced' },
  { models: /^(kimi|moonshot).*vision/, ...PLAIN, vision: true },
  { models: /^(kimi|moonshot)/, ...PLAIN },
  // others in China
  { models: /^minimax-m3/, sampling: 'yes', thinking: 'forced', vision: true },
  { models: /^minimax-m2/, sampling: 'yes', thinking: 'forced' },
  { models: /^doubao-seed/, ...PLAIN, thinking: 'switch', efforts: ['minimal', ...LOW_TO_HIGH], vision: true },
  { models: /^doubao.*vision/, ...PLAIN, vision: true },
  { models: /^doubao/, ...PLAIN },
  { models: /^ernie-(4\.5-.*vl|5)/, sampling: 'yes', stop: true, thinking: 'switch', vision: true },
  { models: /^ernie-x1/, sampling: 'yes', stop: true, thinking: 'forced' },
  { models: /^ernie/, sampling: 'yes', stop: true },
  { models: /^hy[34]/, sampling: 'yes', stop: true, thinking: 'effort', efforts: ['none', 'low', 'high'] },
  { models: /^hunyuan.*vision/, sampling: 'yes', stop: true, vision: true },
  { models: /^hunyuan-(t1|a13b)/, sampling: 'yes', stop: true, thinking: 'forced' },
  { models: /^hunyuan/, sampling: 'yes', stop: true },
  { models: /^(x1\.5|x2|spark-x)/, sampling: 'yes', topK: true, thinking: 'switch' },
  { models: /^(spark|x1|4\.0ultra|lite$|generalv3|pro-128k|max-32k)/, sampling: 'yes', topK: true },
  { models: /^step-[35]/, sampling: 'yes', stop: true, thinking: 'effort', efforts: ['low', 'high'], vision: true },
  // Cohere, Amazon
  { models: /^command-a-(reasoning|plus)/, ...PLAIN, topK: true, thinking: 'budget' },
  { models: /^(command|c4ai|aya).*vision/, ...PLAIN, topK: true, vision: true },
  { models: /^(command|c4ai|aya)/, ...PLAIN, topK: true },
  {
    models: /^(amazon\.)?nova-2/,
    sampling: 'yes',
    topK: true,
    stop: true,
    thinking: 'effort',
    efforts: LOW_TO_HIGH,
    vision: true,
  },
  { models: /^(amazon\.)?nova-(lite|pro|premier)/, sampling: 'yes', topK: true, stop: true, vision: true },
  { models: /^(amazon\.)?nova/, sampling: 'yes', topK: true, stop: true },
  { models: /^deepl-/, sampling: 'no', maxTokens: false },
]
