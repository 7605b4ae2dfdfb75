import { messagesCountCodec, messagesUpstreamCodec } from '@sluice/dialects/anthropic/codec'
import { converseUpstreamCodec } from '@sluice/dialects/bedrock-converse/codec'
import type { CallTranslation, UpstreamCodec } from '@sluice/dialects/canon/codec'
import type { ChatDialect } from '@sluice/dialects/canon/parts'
import type { CanonRequest } from '@sluice/dialects/canon/request'
import { cohereUpstreamCodec } from '@sluice/dialects/cohere/codec'
import { geminiUpstreamCodec } from '@sluice/dialects/gemini/codec'
import { chatUpstreamCodec, thinkTagsUpstreamCodec } from '@sluice/dialects/openai-chat/codec'
import { responsesUpstreamCodec } from '@sluice/dialects/openai-responses/codec'
import { cozeUpstreamCodec } from '@sluice/dialects/vendors/coze'
import { deeplUpstreamCodec } from '@sluice/dialects/vendors/deepl'
import { libraryUpstreamCodec } from '@sluice/dialects/vendors/library-ask'
import { replicateUpstreamCodec } from '@sluice/dialects/vendors/replicate'
import { wenxinUpstreamCodec } from '@sluice/dialects/vendors/wenxin'
import type { Adapter, UpstreamAddress } from './adapter.ts'

export interface AdapterCall {
  readonly endpoint: string
  /** The client's path, including the version. */
  readonly path: string
  readonly dialect: ChatDialect | undefined
}

/** How one channel's calls reach its models. Pure and without secrets. */
export interface ChannelAdapters {
  /** Undefined when the model does not offer this call. `model` is the provider's name for it. */
  adapter(call: AdapterCall, model: string): Adapter | undefined
}

export interface DialectEndpoint extends Omit<Adapter, 'form' | 'address' | 'instead'> {
  readonly dialect: ChatDialect
  /** For the conversation or a call next to it, such as `/v1/messages/count_tokens`. Undefined when that is not available. */
  readonly address: (path: string, stream: boolean) => UpstreamAddress | undefined
  /** Whether it refuses a conversation that the provider's next endpoint accepts. */
  readonly refuses?: ((request: CanonRequest) => boolean) | undefined
}

/** Conversation paths of dialects that have no parameter in the path. */
const OWN_PATHS: Readonly<Partial<Record<ChatDialect, string>>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
}
/** Older text completions are translated to chat, so they cannot be passed through. */
const TEXT_COMPLETIONS = '/v1/completions'
const GENERATE = /:(?:generateContent|streamGenerateContent)$/

/** Pass if the provider speaks the client's dialect, otherwise translate to its first endpoint. */
export function conversationAdapter(
  endpoints: readonly DialectEndpoint[],
  { path, dialect }: AdapterCall,
): Adapter | undefined {
  const own = path === TEXT_COMPLETIONS ? undefined : endpoints.find((endpoint) => endpoint.dialect === dialect)
  if (own !== undefined) {
    return withAlternative(adapterTo(own, path, { kind: 'pass', codec: codecOf(own) }), own, endpoints)
  }
  const [first] = endpoints
  if (first === undefined) return undefined
  if (path === INPUT_TOKENS) return countAdapter(first)
  if (!isConversation(path)) return undefined
  return withAlternative(translatingTo(first), first, endpoints)
}

function translatingTo(endpoint: DialectEndpoint): Adapter | undefined {
  return adapterTo(endpoint, OWN_PATHS[endpoint.dialect] ?? '', { kind: 'translate', codec: codecOf(endpoint) })
}

function withAlternative(
  adapter: Adapter | undefined,
  endpoint: DialectEndpoint,
  endpoints: readonly DialectEndpoint[],
): Adapter | undefined {
  const { refuses: isNeeded } = endpoint
  const next = isNeeded && endpoints.find(({ dialect }) => dialect !== endpoint.dialect)
  const alternative = next && translatingTo(next)
  if (adapter === undefined || alternative === undefined || isNeeded === undefined) return adapter
  return { ...adapter, instead: { isNeeded, adapter: alternative } }
}

/** Counts prompt tokens for Responses clients. */
const INPUT_TOKENS = '/v1/responses/input_tokens'

function countAdapter(endpoint: DialectEndpoint): Adapter | undefined {
  const found = countCodecOf(endpoint)
  return found && adapterTo(endpoint, found.path, { kind: 'translate', codec: found.codec })
}

/** Summarises a conversation, which every model can do. */
const COMPACT = '/v1/responses/compact'
const OTHERS: readonly string[] = [TEXT_COMPLETIONS, COMPACT]

/** Whether the path is that of a conversation, not of a call about one (counting its tokens, a stored answer). */
export function isConversation(path: string): boolean {
  return OTHERS.includes(path) || GENERATE.test(path) || Object.values(OWN_PATHS).includes(path)
}

function adapterTo(
  endpoint: Omit<DialectEndpoint, 'dialect'>,
  path: string,
  form: Adapter['form'],
): Adapter | undefined {
  const [plain, streamed] = [endpoint.address(path, false), endpoint.address(path, true)]
  if (plain === undefined || streamed === undefined) return undefined
  return { ...endpoint, form, address: (stream) => (stream ? streamed : plain) }
}

/** For a call in OpenAI's format that the provider offers in another format. */
export function convertedAdapter(
  translation: CallTranslation,
  endpoint: Omit<DialectEndpoint, 'dialect'>,
): Adapter | undefined {
  return adapterTo(endpoint, '', { kind: 'convert', translation })
}

const CODECS: Readonly<Record<ChatDialect, UpstreamCodec>> = {
  'openai-chat': chatUpstreamCodec,
  'anthropic-messages': messagesUpstreamCodec,
  'openai-responses': responsesUpstreamCodec,
  'bedrock-converse': converseUpstreamCodec,
  gemini: geminiUpstreamCodec,
  cohere: cohereUpstreamCodec,
  coze: cozeUpstreamCodec,
  replicate: replicateUpstreamCodec,
  deepl: deeplUpstreamCodec,
  'library-ask': libraryUpstreamCodec,
  wenxin: wenxinUpstreamCodec,
}

function codecOf({ dialect, quirks }: Pick<DialectEndpoint, 'dialect' | 'quirks'>): UpstreamCodec {
  return quirks.includes('think-tags') ? thinkTagsUpstreamCodec : CODECS[dialect]
}

/** How prompts are counted for clients of other dialects, and under which path; undefined if the dialect has no such call. */
function countCodecOf({ dialect }: Pick<DialectEndpoint, 'dialect'>) {
  return dialect === 'anthropic-messages' ? { path: '/v1/messages/count_tokens', codec: messagesCountCodec } : undefined
}
