import { type BaseUrl, withoutVersion } from '../adapters/base-url.ts'
import { type AddressOf, openAiAdapters, underBase } from '../adapters/openai-adapters.ts'
import type { ChannelSetup } from '../channel-setup.ts'
import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ProviderKind } from './kind.ts'

/** Agents of Ark are next to its models. */
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
