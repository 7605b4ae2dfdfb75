import { LOW_TO_HIGH, LOW_TO_MAX, LOW_TO_XHIGH, PLAIN, type VendorRules } from './capability-rule.ts'

export const XAI_RULES: VendorRules = {
  vendor: 'xAI',
  sources: 'xAI: chat completions, reasoning, models',
  rules: [
    { models: /^grok-4\.[67]/, sampling: 'yes', thinking: 'effort', efforts: LOW_TO_XHIGH, vision: true },
    { models: /^grok-4\.5/, sampling: 'yes', thinking: 'effort', efforts: LOW_TO_HIGH, vision: true },
    { models: /^grok-4\.3/, sampling: 'yes', thinking: 'effort', efforts: ['none', ...LOW_TO_HIGH], vision: true },
    { models: /^grok-3-mini/, sampling: 'yes', thinking: 'effort', efforts: ['low', 'high'] },
    { models: /^grok-4/, sampling: 'yes', thinking: 'forced', vision: true },
    { models: /^grok-code/, sampling: 'yes', thinking: 'forced' },
    { models: /^grok-2-vision/, ...PLAIN, vision: true },
    { models: /^grok-[23]/, ...PLAIN },
  ],
}

export const META_RULES: VendorRules = {
  vendor: 'Meta',
  sources: 'Meta: Llama and Muse model cards',
  rules: [
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
  ],
}

export const MISTRAL_RULES: VendorRules = {
  vendor: 'Mistral',
  sources: 'Mistral: chat completions, reasoning, models',
  rules: [
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
  ],
}

export const COHERE_AMAZON_RULES: VendorRules = {
  vendor: 'Cohere, Amazon, DeepL',
  sources: 'Cohere: API v2, reasoning; AWS: Nova; DeepL: translate text',
  rules: [
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
  ],
}
