import { LOW_TO_HIGH, LOW_TO_MAX, LOW_TO_XHIGH, PLAIN, type VendorRules } from './capability-rule.ts'

const GPT = { sampling: 'no', bias: false, vision: true, thinking: 'effort' } as const

export const OPENAI_RULES: VendorRules = {
  vendor: 'OpenAI',
  sources: 'OpenAI: Models, reasoning guide, latest model guides; Microsoft: Azure OpenAI reasoning models',
  rules: [
    { models: /^gpt-3\.5/, ...PLAIN },
    { models: /^(gpt-4o.*audio|gpt-audio)/, ...PLAIN },
    { models: /^gpt-4o.*search/, sampling: 'no' },
    { models: /^(gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-4\.5|chatgpt-4o)/, ...PLAIN, vision: true },
    { models: /^gpt-4/, ...PLAIN },
    { models: /^o1-(mini|preview)/, sampling: 'no', bias: false, thinking: 'forced' },
    { models: /^o1/, ...GPT, stop: true, efforts: LOW_TO_HIGH },
    { models: /^o3-mini/, sampling: 'no', bias: false, thinking: 'effort', efforts: LOW_TO_HIGH },
    { models: /^(o3|o4)/, ...GPT, efforts: LOW_TO_HIGH },
    { models: /^(gpt-5.*chat|chat-latest)/, ...PLAIN, vision: true },
    { models: /^gpt-5-pro/, ...GPT, efforts: ['high'] },
    { models: /^gpt-5(-mini|-nano|-codex)?($|-20)/, ...GPT, efforts: ['minimal', ...LOW_TO_HIGH] },
    { models: /^gpt-[56].*-pro($|-20)/, ...GPT, efforts: ['medium', 'high', 'xhigh'] },
    { models: /^gpt-5\.1/, ...GPT, sampling: 'off', efforts: ['none', ...LOW_TO_HIGH] },
    { models: /^gpt-5\.[2345]/, ...GPT, sampling: 'off', efforts: ['none', ...LOW_TO_XHIGH] },
    { models: /^(gpt-5\.6-cyber|gpt-6-astra|gpt-6\.1-sol)/, ...GPT, thinksUnasked: true, efforts: LOW_TO_MAX },
    {
      models: /^gpt-(5\.[6-9]|[6-9])/,
      ...GPT,
      sampling: 'off',
      thinksUnasked: true,
      efforts: ['none', ...LOW_TO_MAX],
      source: 'Vane #1173: a temperature is refused unless thinking is switched off',
    },
    { models: /^gpt-oss/, ...PLAIN, topK: true, thinking: 'effort', efforts: LOW_TO_HIGH },
  ],
}
