import { adaptersOf } from '../../packages/providers/src/adapters/adapters.ts'
import type { AdapterCall } from '../../packages/providers/src/adapters/dialect-endpoints.ts'
import { hasBalance } from '../../packages/providers/src/balances.ts'
import { writtenKeyForms } from '../../packages/providers/src/channel-fields/key-forms.ts'
import { defaultEndpoints } from '../../packages/providers/src/endpoints.ts'
import { KINDS } from '../../packages/providers/src/kinds/all.ts'
import type { CredentialScheme, ProviderKind } from '../../packages/providers/src/kinds/kind.ts'
import { defaultModels } from '../../packages/providers/src/model-lists.ts'
import { code, page } from './markdown-page.ts'

const FORMATS: Readonly<Record<string, AdapterCall>> = {
  chat: { endpoint: 'chat_completions', path: '/v1/chat/completions', dialect: 'openai-chat' },
  responses: { endpoint: 'response_api', path: '/v1/responses', dialect: 'openai-responses' },
  messages: { endpoint: 'claude_messages', path: '/v1/messages', dialect: 'anthropic-messages' },
  gemini: { endpoint: 'chat_completions', path: '/v1beta/models/m:generateContent', dialect: 'gemini' },
}
/** Every type with chat serves conversations in all formats, so the page omits them here. */
const CONVERSATIONS = ['chat_completions', 'completions', 'response_api', 'claude_messages']
const KEYS: Readonly<Partial<Record<CredentialScheme, string>>> = {
  sigv4: 'AK|SK|us-east-1',
  'google-service-account': 'global|p|{}',
}
/** Models that are not on a type's list but whose kind it serves. */
const MORE_MODELS: Readonly<Partial<Record<CredentialScheme, readonly string[]>>> = {
  'azure-key': ['claude-opus-5'],
  'google-service-account': ['deepseek-v4-maas'],
}
const BASES: Readonly<Partial<Record<CredentialScheme, readonly string[]>>> = {
  'azure-key': ['https://r.openai.azure.com', 'https://r.services.ai.azure.com'],
}

export function channelTypesPage(today: number): string {
  return page(
    'Channel types',
    'Providers by the code that a channel is stored with. A type with conversations serves clients of every format; "Passed on" names the ' +
      'formats whose requests and answers pass without translation, at least for some models. "Checked by" names the evidence for each ' +
      'implementation: recorded replies of the vendor under `tests/recorded` (each with its source), and published descriptions of its API. We ' +
      'called no vendor with a key of our own. "Balance" says whether the gateway can look up the balance of the account.',
    ['Type', 'Name', 'Speaks', 'Passed on', 'Other calls', 'Base URL', 'Key', 'Checked by', 'Remarks', 'Balance'],
    KINDS.map((kind) => [
      String(kind.code),
      kind.name,
      kind.dialect,
      passedOn(kind, today).join(', '),
      defaultEndpoints(kind.code)
        .filter((name) => !CONVERSATIONS.includes(name))
        .join(', '),
      baseUrlText(kind.address),
      keyText(kind),
      evidenceText(kind),
      kind.evidence.remark ?? '',
      hasBalance(kind.code) ? 'yes' : '',
    ]),
  )
}

function passedOn(kind: ProviderKind, today: number): readonly string[] {
  const models = ['m', ...defaultModels(kind.code, today), ...(MORE_MODELS[kind.credentials] ?? [])]
  const all = (BASES[kind.credentials] ?? [kind.address.baseUrlRequired ? 'https://x.example' : '']).flatMap(
    (baseUrl) => {
      const adapters = adaptersOf({
        kind,
        baseUrl,
        key: KEYS[kind.credentials] ?? 'k',
        config: { user_id: 'a' },
        other: '',
        inferenceProfileArnMap: null,
      })
      return 'problem' in adapters ? [] : [adapters]
    },
  )
  return Object.entries(FORMATS).flatMap(([name, call]) => {
    const isPassed = all.some((adapters) => models.some((model) => adapters.adapter(call, model)?.form.kind === 'pass'))
    return isPassed ? [name] : []
  })
}

function keyText({ code: type }: ProviderKind): string {
  const forms = writtenKeyForms(type)
  return forms.map((form) => (form.includes(' ') ? form : code(form))).join(' or ')
}

function evidenceText({ evidence: { recorded = [], written, described } }: ProviderKind): string {
  const replies = recorded.length === 0 ? [] : [`recorded replies (${recorded.map(code).join(', ')})`]
  const samples = written === undefined ? [] : [`samples written after its description (${code(`answers/${written}`)})`]
  return [...replies, ...samples, described].join('; ')
}

function baseUrlText({ defaultBaseUrl, baseUrlRequired }: ProviderKind['address']): string {
  if (defaultBaseUrl !== '') return code(defaultBaseUrl)
  return baseUrlRequired ? 'required' : 'follows from the region'
}
