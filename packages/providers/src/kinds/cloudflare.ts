import { addressAt, type BaseUrl } from '../adapters/base-url.ts'
import { type AddressOf, openAiAdapters } from '../adapters/openai-adapters.ts'
import { problem } from '../channel-fields/field-problem.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { at, SPEAKS_OPENAI, VENDOR_QUIRKS } from './defaults.ts'
import type { ConfigDraft, ProviderKind } from './kind.ts'

/** Account ids are part of a path. */
const ACCOUNT = /^[\w-]{1,64}$/

/** Workers AI has the account in the path, an AI gateway in its base URL. */
function addresses({ config }: ChannelSetup, base: BaseUrl): AddressOf | SetupProblem {
  const account = config['user_id']
  if (base.path.endsWith('/workers-ai')) return (path) => addressAt(base, base.path + path)
  const room = base.path.replace(/(?:\/ai)?(?:\/v1)?$/, '')
  if (room.includes('/accounts/')) return (path) => addressAt(base, `${room}/ai${path}`)
  if (typeof account !== 'string' || !ACCOUNT.test(account)) {
    return { problem: 'config.user_id is required: the id of the Cloudflare account' }
  }
  return (path) => addressAt(base, `${base.path.replace(/\/client\/v4$/, '')}/client/v4/accounts/${account}/ai${path}`)
}

/** Cloudflare's gateway, or an address that contains the account, needs no separate account id. */
function missingConfig({ config, baseUrl }: ConfigDraft) {
  const namesAccount = baseUrl !== '' && !/^https:\/\/api\.cloudflare\.com\/?$/i.test(baseUrl)
  if (config['user_id'] !== undefined || namesAccount) return undefined
  return problem('config.user_id', 'is required: the id of the Cloudflare account')
}

export const cloudflare: ProviderKind = {
  ...SPEAKS_OPENAI,
  code: 37,
  name: 'Cloudflare',
  quirks: VENDOR_QUIRKS,
  address: at('https://api.cloudflare.com'),
  also: { 'openai-responses': '' },
  endpoints: ['chat_completions', 'embeddings'],
  adapters: (setup) => openAiAdapters(setup, { addresses }),
  takesTopK: true,
  // Its models are listed by a search call of its own.
  modelList: false,
  config: ['user_id'],
  configRules: { user_id: { accepts: ACCOUNT, rule: 'must be the id of a Cloudflare account' } },
  missingConfig,
  evidence: { described: 'Cloudflare: Workers AI, OpenAI compatibility' },
  prices: [{ seller: 'reseller', pi: 'cloudflare-workers-ai', genai: 'cloudflare' }],
}
