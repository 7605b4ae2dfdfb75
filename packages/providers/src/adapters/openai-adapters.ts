import type { ChatDialect } from '@sluice/dialects/canon/parts'
import type { JsonObject } from '@sluice/dialects/json-value'
import { isResponsesOnly, refusedInChat } from '../capabilities/responses-rules.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import type { ConvertedCall, ProviderKind } from '../kinds/kind.ts'
import type { Adapter, UpstreamAddress } from './adapter.ts'
import { type BaseUrl, openAiAddress, readBaseUrl, rootAddress } from './base-url.ts'
import {
  type AdapterCall,
  type ChannelAdapters,
  conversationAdapter,
  convertedAdapter,
  type DialectEndpoint,
} from './dialect-endpoints.ts'

const REALTIME_PATH = '/v1/realtime'

export type AddressOf = (path: string, model: string) => UpstreamAddress
/** A dialect and where its paths begin, relative to the root; '' is next to the main one. */
type Spoken = readonly (readonly [ChatDialect, string])[]

/** How a kind differs from others whose main dialect is OpenAI's chat, beyond what its data states. */
export interface OpenAiVariant {
  /** By default under the base URL, with the kind's prefix. */
  readonly addresses?: (setup: ChannelSetup, base: BaseUrl) => AddressOf | SetupProblem
  /** Final changes to a chat body, for model names that only this family of gateways knows. */
  readonly adapt?: (setup: ChannelSetup, model: string) => ((body: JsonObject) => JsonObject) | undefined
  readonly headers?: readonly string[]
  readonly converted?: Readonly<Partial<Record<string, ConvertedCall>>>
}

export function openAiAdapters(setup: ChannelSetup, variant: OpenAiVariant = {}): ChannelAdapters | SetupProblem {
  const { kind, baseUrl } = setup
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base
  const addressOf = variant.addresses?.(setup, base) ?? underBase(kind, base)
  if ('problem' in addressOf) return addressOf
  const spoken = spokenBy(setup)
  const endpoints = (model: string): readonly DialectEndpoint[] =>
    inOrder(spoken, kind, model).map(([dialect, root]) => ({
      dialect,
      framing: 'sse',
      ...differences(setup, variant, dialect, model),
      address: (path) => (root === '' ? addressOf(path, model) : rootAddress(base, root + path)),
    }))
  const offered: ReadonlySet<string> = new Set(kind.endpoints)
  return {
    adapter: (call, model) => {
      const { endpoint, dialect } = call
      // Older text completions are a call of their own if the provider has it, otherwise a conversation.
      const isConversation = dialect !== undefined && !(endpoint === 'completions' && offered.has(endpoint))
      if (!offered.has(isConversation ? 'chat_completions' : endpoint)) return undefined
      if (isConversation) return conversationAdapter(endpoints(model), call)
      return callAdapter({ kind, base, addressOf }, variant.converted?.[endpoint], call, model)
    },
  }
}

export function underBase({ address: { prefix = '/v1' } }: ProviderKind, base: BaseUrl): AddressOf {
  return (path) => openAiAddress(base, prefix, path)
}

function spokenBy({ kind, config }: ChannelSetup): Spoken {
  if (!kind.isAnyServer) return [['openai-chat', ''], ...(Object.entries(kind.also ?? {}) as Spoken)]
  return [[config['api_format'] === 'response' ? 'openai-responses' : 'openai-chat', '']]
}

/** Moves the dialect that serves clients of other dialects to the front. */
function inOrder(spoken: Spoken, { prefers }: ProviderKind, model: string): Spoken {
  const hasResponses = spoken.some(([dialect]) => dialect === 'openai-responses')
  if (hasResponses && isResponsesOnly(model)) return spoken.filter(([dialect]) => dialect !== 'openai-chat')
  return spoken.toSorted(([a], [b]) => Number(b === prefers) - Number(a === prefers))
}

function differences(
  setup: ChannelSetup,
  { adapt: adaptOf, headers }: OpenAiVariant,
  dialect: ChatDialect,
  model: string,
): Pick<DialectEndpoint, 'quirks' | 'adapt' | 'headers' | 'refuses'> {
  const isChat = dialect === 'openai-chat'
  const adapt = isChat ? adaptOf?.(setup, model) : undefined
  return {
    quirks: isChat ? setup.kind.quirks : [],
    ...(isChat && setup.kind.movesToolsToResponses === true ? { refuses: refusedInChat(model) } : {}),
    ...(adapt === undefined ? {} : { adapt }),
    ...(headers === undefined ? {} : { headers }),
  }
}

interface Server {
  readonly kind: ProviderKind
  readonly base: BaseUrl
  readonly addressOf: AddressOf
}

/** Calls that are not conversations stay in OpenAI's format, unless the provider has another one for them. */
function callAdapter(
  { kind, base, addressOf }: Server,
  converted: ConvertedCall | undefined,
  call: AdapterCall,
  model: string,
): Adapter | undefined {
  if (converted !== undefined) {
    const [translation, path] = converted
    const there = rootAddress(base, path)
    return convertedAdapter(translation, { framing: 'sse', quirks: [], address: () => there })
  }
  const elsewhere: Readonly<Partial<Record<string, string>>> = kind.elsewhere ?? {}
  const own = elsewhere[call.endpoint]
  const { origin, path } = own === undefined ? addressOf(call.path, model) : rootAddress(base, own)
  const query = call.path === REALTIME_PATH ? `${path.includes('?') ? '&' : '?'}model=${encodeURIComponent(model)}` : ''
  const address = { origin, path: path + query }
  return { address: () => address, form: { kind: 'pass' }, framing: 'sse', quirks: [] }
}
