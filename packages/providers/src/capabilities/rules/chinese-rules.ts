import { LOW_TO_HIGH, PLAIN, type VendorRules } from './capability-rule.ts'

const FORCED_DEEPSEEK =
  'the refusal “Thinking mode does not support this tool_choice” (DeepSeek-V3 #1376, litellm #37470)'
const FORCED_QWEN =
  'the refusal “The tool_choice parameter does not support being set to required or object in thinking mode” (eino #994)'

export const DEEPSEEK_RULES: VendorRules = {
  vendor: 'DeepSeek',
  sources: 'DeepSeek: thinking mode, chat completions',
  rules: [
    { models: /^deepseek-chat/, ...PLAIN },
    {
      models: /^deepseek-(reasoner|r1)/,
      sampling: 'no',
      stop: true,
      thinking: 'forced',
      forcedCalls: 'refused',
      source: FORCED_DEEPSEEK,
    },
    {
      models: /^deepseek-flash/,
      forcedCalls: 'unless-thinking',
      source: FORCED_DEEPSEEK,
      sampling: 'off',
      penalties: 'off',
      stop: true,
      thinking: 'switch',
      efforts: ['none', 'low', 'high', 'max'],
      vision: true,
    },
    {
      models: /^deepseek-(v4|v3)/,
      forcedCalls: 'unless-thinking',
      source: FORCED_DEEPSEEK,
      sampling: 'off',
      penalties: 'off',
      stop: true,
      thinking: 'switch',
      efforts: ['none', 'high', 'max'],
    },
  ],
}

export const ALIBABA_RULES: VendorRules = {
  vendor: 'Alibaba',
  sources: 'Alibaba Model Studio: deep thinking, OpenAI compatibility',
  rules: [
    {
      models: /^(qwen3\.8|qwen4)/,
      forcedCalls: 'unless-thinking',
      source: FORCED_QWEN,
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
      forcedCalls: 'refused',
      source: FORCED_QWEN,
      sampling: 'yes',
      topK: true,
      penalties: 'presence',
      stop: true,
      thinking: 'forced',
    },
    { models: /^qwen.*(vl|omni)/, sampling: 'yes', topK: true, penalties: 'presence', stop: true, vision: true },
    {
      models: /^(qwen3|qwen-(max|plus|turbo|flash))/,
      forcedCalls: 'unless-thinking',
      source: FORCED_QWEN,
      sampling: 'yes',
      topK: true,
      penalties: 'presence',
      stop: true,
      thinking: 'switch',
    },
    { models: /^qwen/, sampling: 'yes', topK: true, penalties: 'presence', stop: true },
  ],
}

export const ZHIPU_RULES: VendorRules = {
  vendor: 'Zhipu',
  sources: 'Zhipu: chat completions, thinking',
  rules: [
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
  ],
}

export const MOONSHOT_RULES: VendorRules = {
  vendor: 'Moonshot',
  sources: 'Moonshot: models overview, chat',
  rules: [
    {
      models: /^kimi-k3/,
      sampling: 'no',
      stop: true,
      thinking: 'effort',
      efforts: ['low', 'high', 'max'],
      vision: true,
    },
    {
      models: /^kimi-(k2\.[5-9]|for-coding)/,
      sampling: 'no',
      stop: true,
      thinking: 'switch',
      forcedCalls: 'unless-thinking',
      vision: true,
      source:
        'the refusals “invalid temperature: only 1 is allowed for this model” (lobehub #14122) and “tool_choice specified is incompatible with thinking enabled” (oh-my-pi #1077)',
    },
    { models: /^kimi-k2.*thinking/, sampling: 'yes', stop: true, thinking: 'forced' },
    { models: /^(kimi|moonshot).*vision/, ...PLAIN, vision: true },
    { models: /^(kimi|moonshot)/, ...PLAIN },
  ],
}

export const OTHER_CHINESE_RULES: VendorRules = {
  vendor: 'other vendors in China',
  sources: 'MiniMax, Volcano Ark, Baidu Qianfan, Tencent, iFlytek, StepFun: chat completions',
  rules: [
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
  ],
}
