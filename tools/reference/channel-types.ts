import { hasBalance } from '../../packages/providers/src/balances.ts'
import { writtenKeyForms } from '../../packages/providers/src/channel-fields/key-forms.ts'
import { defaultEndpoints } from '../../packages/providers/src/endpoints.ts'
import { CHANNEL_KINDS } from '../../packages/providers/src/kind-rows.ts'
import type { ChannelKind } from '../../packages/providers/src/kinds.ts'
import { defaultModels } from '../../packages/providers/src/model-lists.ts'
import type { WayCall } from '../../packages/providers/src/ways/faces.ts'
import { waysOf } from '../../packages/providers/src/ways/ways.ts'
import { CHANNEL_CHECKS } from './channel-checks.ts'
import { code, page } from './markdown-page.ts'

/** Every client format of conversations. */
const FORMATS: Readonly<Record<string, WayCall>> = {
  chat: { endpoint: 'chat_completions', path: '/v1/chat/completions', dialect: 'openai-chat' },
  responses: { endpoint: 'response_api', path: '/v1/responses', dialect: 'openai-responses' },
  messages: { endpoint: 'claude_messages', path: '/v1/messages', dialect: 'anthropic-messages' },
  gemini: { endpoint: 'chat_completions', path: '/v1beta/models/m:generateContent', dialect: 'gemini' },
}
/** What the page shows beside conversations, which every type that chats answers in all formats. */
const CONVERSATIONS = ['chat_completions', 'completions', 'response_api', 'claude_messages']
const KEYS: Readonly<Record<number, string>> = { 33: 'AK|SK|us-east-1', 42: 'global|p|{}' }
/** Models that no list of a type holds, but whose kind it serves. */
const MORE_MODELS: Readonly<Record<number, readonly string[]>> = { 3: ['claude-opus-5'], 42: ['deepseek-v4-maas'] }
const BASES: Readonly<Record<number, readonly string[]>> = {
  3: ['https://r.openai.azure.com', 'https://r.services.ai.azure.com'],
}

/** The table of channel types. */
export function channelTypesPage(today: number): string {
  return page(
    'Channel types',
    'Providers by the code that a channel is stored with. A type that chats answers clients of every format; "as it came" names those whose ' +
      'requests and answers pass without being retold, for some models at least. "Checked by" says what it rests on that it is called ' +
      'rightly: recorded replies of the vendor under `tests/recorded` (each with its source), and published descriptions of its API. No vendor was ' +
      'called with a key of ours. "Balance" says whether the account can be asked what is left of it.',
    [
      'Type',
      'Name',
      'Speaks',
      'As it came',
      'Beside conversations',
      'Base URL',
      'Key',
      'Checked by',
      'Remarks',
      'Balance',
    ],
    CHANNEL_KINDS.map((kind) => [
      String(kind.code),
      kind.name,
      kind.dialect,
      passedOn(kind, today).join(', '),
      defaultEndpoints(kind.code)
        .filter((name) => !CONVERSATIONS.includes(name))
        .join(', '),
      baseUrlText(kind.address),
      keyText(kind),
      checkText(kind.code),
      CHANNEL_CHECKS[kind.code]?.state ?? '',
      hasBalance(kind.code) ? 'yes' : '',
    ]),
  )
}

function passedOn(kind: ChannelKind, today: number): readonly string[] {
  const models = ['m', ...defaultModels(kind.code, today), ...(MORE_MODELS[kind.code] ?? [])]
  const all = (BASES[kind.code] ?? [kind.address.baseUrlRequired ? 'https://x.example' : '']).flatMap((baseUrl) => {
    const ways = waysOf({
      kind,
      baseUrl,
      key: KEYS[kind.code] ?? 'k',
      config: { user_id: 'a' },
      other: '',
      inferenceProfileArnMap: null,
    })
    return 'problem' in ways ? [] : [ways]
  })
  return Object.entries(FORMATS).flatMap(([name, call]) => {
    const isPassed = all.some((ways) => models.some((model) => ways.way(call, model)?.form.kind === 'pass'))
    return isPassed ? [name] : []
  })
}

function keyText({ code: type }: ChannelKind): string {
  const forms = writtenKeyForms(type)
  return forms.map((form) => (form.includes(' ') ? form : code(form))).join(' or ')
}

function checkText(type: number): string {
  const { recorded = [], written, described = '' } = CHANNEL_CHECKS[type] ?? {}
  const replies = recorded.length === 0 ? [] : [`recorded replies (${recorded.map(code).join(', ')})`]
  const samples = written === undefined ? [] : [`samples written after its description (${code(`answers/${written}`)})`]
  return [...replies, ...samples, described].join('; ')
}

function baseUrlText({ defaultBaseUrl, baseUrlRequired }: ChannelKind['address']): string {
  if (defaultBaseUrl !== '') return code(defaultBaseUrl)
  return baseUrlRequired ? 'required' : 'follows from the region'
}
