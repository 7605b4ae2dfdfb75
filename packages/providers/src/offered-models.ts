import type { ChatDialect } from '@sluice/dialects/canon/parts'
import type { UpstreamAddress } from './adapters/adapter.ts'
import { addressAt, type BaseUrl, openAiAddress, readBaseUrl, rootAddress } from './adapters/base-url.ts'
import { type FieldProblem, problem } from './channel-fields/field-problem.ts'
import { isObject, type JsonObject } from './channel-fields/json-object.ts'
import { type ChannelSetup, isSetupProblem, type SetupProblem } from './channel-setup.ts'
import { credentialsOf } from './credentials/credentials-of.ts'
import type { HeaderList } from './credentials/credentials.ts'
import { kindOf } from './kinds/all.ts'
import type { ProviderKind } from './kinds/kind.ts'

export interface ModelListStep {
  readonly url: string
  /** Headers that any server may read. */
  readonly headers: Readonly<Record<string, string>>
  /** Sent only to the origin of `url`. */
  readonly secretHeaders: Readonly<Record<string, string>>
  /** Names in the provider's order; undefined when the reply's JSON contains no list. */
  readonly read: (reply: unknown) => readonly string[] | undefined
}

interface ListCall {
  readonly place: (base: BaseUrl, setup: Pick<ChannelSetup, 'kind' | 'other'>) => UpstreamAddress
  readonly headers?: Readonly<Record<string, string>>
  /** The reply's list member, and the name member of each entry. */
  readonly list: string
  readonly name: string
}

/** Entries per page, the most that vendors return at once. */
const PAGE = 1_000

/** OpenAI: models/list · Anthropic: List Models · Gemini: models.list · Cohere: List Models. */
const CALLS: Readonly<Partial<Record<ChatDialect | 'raw', ListCall>>> = {
  'openai-chat': {
    place: (base, { kind }) => openAiAddress(base, kind.address.prefix ?? '/v1', '/v1/models'),
    list: 'data',
    name: 'id',
  },
  'anthropic-messages': {
    place: (base) => withQuery(openAiAddress(base, '/v1', '/v1/models'), `limit=${PAGE}`),
    headers: { 'anthropic-version': '2023-06-01' },
    list: 'data',
    name: 'id',
  },
  gemini: {
    place: (base, { other }) => {
      const room = /\/v\d[a-z0-9]*$/.test(base.path) ? base.path : `${base.path}/${other.trim() || 'v1beta'}`
      return withQuery(addressAt(base, `${room}/models`), `pageSize=${PAGE}`)
    },
    list: 'models',
    name: 'name',
  },
  cohere: {
    place: (base) => withQuery(rootAddress(base, '/v1/models'), `page_size=${PAGE}`),
    list: 'models',
    name: 'name',
  },
}

export function hasModelList(code: number): boolean {
  return kindOf(code)?.modelList === true
}

/** Undefined if the type has no list, or its key must be signed with or exchanged. */
export function modelListStep(
  code: number,
  account: Pick<ChannelSetup, 'baseUrl' | 'other' | 'config' | 'key'>,
): ModelListStep | FieldProblem | undefined {
  const kind = kindOf(code)
  const call = kind && CALLS[kind.dialect]
  if (kind === undefined || call === undefined || !kind.modelList) return undefined
  const found = atBase(kind, call, { ...account, kind, inferenceProfileArnMap: null })
  return found !== undefined && isSetupProblem(found) ? problem('key', found.problem) : found
}

function atBase(kind: ProviderKind, call: ListCall, setup: ChannelSetup): ModelListStep | SetupProblem | undefined {
  const base = readBaseUrl(setup.baseUrl, kind.address.defaultBaseUrl)
  if (isSetupProblem(base)) return base
  const credentials = credentialsOf(setup)
  if (isSetupProblem(credentials)) return credentials
  if (credentials.kind !== 'fixed') return undefined
  const { origin, path } = call.place(base, setup)
  return {
    url: origin + path,
    headers: { accept: 'application/json', ...call.headers },
    secretHeaders: recordOf(credentials.headers),
    read: (reply) => namesIn(isObject(reply) ? reply : {}, call),
  }
}

function namesIn(reply: JsonObject, { list, name }: ListCall): readonly string[] | undefined {
  const entries = reply[list]
  if (!Array.isArray(entries)) return undefined
  return entries.flatMap((entry) => {
    const text = isObject(entry) ? entry[name] : undefined
    // Google's names include the collection `models/`.
    return typeof text === 'string' ? [text.replace(/^models\//, '')] : []
  })
}

function withQuery({ origin, path }: UpstreamAddress, query: string): UpstreamAddress {
  return { origin, path: `${path}${path.includes('?') ? '&' : '?'}${query}` }
}

function recordOf(list: HeaderList): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ''] as const] : [])),
  )
}

/** Name parts of models that produce something other than text. */
const NO_CHAT = /embed|rerank|whisper|tts|dall-e|image|video|moderation|transcri|speech|flux|sora|veo|realtime|ocr/i

/** Whether a model can be asked a question, judging by its name. */
export function isChatModel(model: string): boolean {
  return !NO_CHAT.test(model)
}
