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
