import { type BaseUrl, withoutVersion } from '../adapters/base-url.ts'
import { type AddressOf, openAiAdapters, underBase } from '../adapters/openai-adapters.ts'
import type { ChannelSetup } from '../channel-setup.ts'
import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

export const zhinao: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 19,
  name: '360',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'no-json-schema'],
  address: at('https://api.360.cn/v1'),
  endpoints: ['chat_completions', 'embeddings'],
  evidence: { described: '360: chat completions' },
  prices: [{ seller: 'vendor', currency: 'CNY', overlay: 'ZHINAO_PRICES' }],
}

export const fastGpt: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 22,
  name: 'FastGPT',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'string-content', 'no-null-content', 'no-json-schema'],
  address: at('https://cloud.fastgpt.io/api'),
  // Its applications are not models.
  modelList: false,
  evidence: { described: 'FastGPT: open API' },
}

export const moonshot: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 25,
  name: 'Moonshot',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'thinking-type', 'needs-reasoning', 'fixed-sampling'],
  address: at('https://api.moonshot.cn'),
  failures: [
    { fault: 'account', words: ['access_terminated_error'] },
    { fault: 'unknown_model', statuses: [404], text: /^Not found the model [\w.:/-]{1,200} or Permission denied$/ },
  ],
  also: { 'openai-responses': '', 'anthropic-messages': '/anthropic' },
  evidence: { recorded: ['moonshot'], described: 'Moonshot: chat, Anthropic compatibility' },
  prices: [{ seller: 'vendor', pi: 'moonshotai', genai: 'moonshotai', overlay: 'MOONSHOT_PRICES' }],
}

export const baichuan: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 26,
  name: 'Baichuan',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'no-json-schema'],
  address: at('https://api.baichuan-ai.com'),
  endpoints: ['chat_completions', 'embeddings'],
  evidence: { described: 'Baichuan: chat completions' },
  prices: [{ seller: 'vendor', currency: 'CNY', overlay: 'BAICHUAN_PRICES' }],
}

export const miniMax: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 27,
  name: 'MiniMax',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'reasoning-split', 'takes-reasoning', 'think-tags'],
  address: at('https://api.minimaxi.com/v1'),
  failures: [
    { fault: 'account', words: ['1008'], text: /^insufficient balance(?: \(1008\))?$/ },
    { fault: 'key', words: ['2049'], text: /^invalid api key(?: \(2049\))?$/ },
  ],
  also: { 'openai-responses': '', 'anthropic-messages': '/anthropic' },
  evidence: { described: 'MiniMax: OpenAI and Anthropic compatibility' },
  prices: [{ seller: 'vendor', pi: 'minimax', genai: 'minimax', overlay: 'MINIMAX_PRICES' }],
}

export const zeroOneAi: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 31,
  name: '01.AI',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'no-json-schema'],
  address: at('https://api.lingyiwanwu.com'),
  evidence: { described: '01.AI: chat completions' },
  prices: [{ seller: 'vendor', currency: 'CNY', overlay: 'YI_PRICES' }],
}

export const stepFun: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 32,
  name: 'StepFun',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only'],
  address: at('https://api.stepfun.com'),
  also: { 'anthropic-messages': '' },
  endpoints: [
    'chat_completions',
    'audio_speech',
    'audio_transcription',
    'images_generations',
    'images_edits',
    'realtime',
  ],
  evidence: { described: 'StepFun: API reference' },
  prices: [{ seller: 'vendor', currency: 'CNY', overlay: 'STEPFUN_PRICES' }],
}

/** Ark's agents have a path next to its models. */
function addresses({ kind }: ChannelSetup, base: BaseUrl): AddressOf {
  const addressOf = underBase(kind, base)
  return (path, model) => addressOf(model.startsWith('bot-') ? `/bots${withoutVersion(path)}` : path, model)
}

export const volcano: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 40,
  name: 'ByteDance Volcano',
  quirks: [...VENDOR_QUIRKS, 'thinking-type'],
  address: at('https://ark.cn-beijing.volces.com', '/api/v3'),
  also: { 'openai-responses': '' },
  endpoints: ['chat_completions', 'embeddings', 'images_generations'],
  adapters: (setup) => openAiAdapters(setup, { addresses }),
  evidence: { described: 'Volcano Ark: chat, embeddings, pictures' },
  prices: [
    { seller: 'reseller', currency: 'CNY', overlay: 'VOLCANO_DEEPSEEK_PRICES' },
    { seller: 'vendor', currency: 'CNY', overlay: 'VOLCANO_PRICES' },
  ],
}

export const zhipu: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 16,
  name: 'Zhipu',
  credentials: 'zhipu',
  quirks: [...VENDOR_QUIRKS, 'max-tokens-only', 'clamp-sampling', 'thinking-type', 'takes-reasoning', 'tool-stream'],
  address: at('https://open.bigmodel.cn', '/api/paas/v4'),
  also: { 'anthropic-messages': '/api/anthropic' },
  endpoints: ['chat_completions', 'embeddings', 'images_generations', 'audio_speech', 'audio_transcription'],
  keyForms: [{ id: 'plain', written: 'id.secret', accepts: /^[\w-]+\.[\w-]+$/, parts: ['key'] }],
  failures: [
    {
      fault: 'account',
      words: ['1113'],
      text: /^(?:Insufficient balance or no resource package\. Please recharge\.|余额不足或无可用资源包,请充值。)$/,
    },
    { fault: 'unknown_model', words: ['1211'] },
  ],
  keyPlaceholder: 'id.secret',
  config: ['auth_type'],
  evidence: {
    recorded: ['zhipu'],
    described: 'Zhipu: chat completions, Anthropic compatibility; a token of its own clients',
  },
  prices: [{ seller: 'vendor', pi: 'zai', genai: 'zai', overlay: 'ZHIPU_PRICES' }],
}
