/** Where the vendors' own libraries declare the shapes of a place in a request or an answer. */
export interface VendorUnion {
  readonly package: 'openai' | '@anthropic-ai/sdk' | '@google/genai'
  readonly file: string
  /** A type; `Type#member` for one of its members, `Type.*` for its member names. */
  readonly type: string
  readonly place: Place
}

export type Place = (typeof PLACES)[number]

const REQUEST_PLACES = [
  'openai-chat message',
  'openai-chat content part',
  'openai-chat tool',
  'openai-chat tool choice',
  'openai-responses input item',
  'openai-responses content part',
  'openai-responses content of a tool output',
  'openai-responses tool',
  'openai-responses tool choice',
  'anthropic-messages content block',
  'anthropic-messages content of a tool result',
  'anthropic-messages source of a document',
  'anthropic-messages citation',
  'anthropic-messages tool',
  'anthropic-messages tool choice',
  'gemini part',
  'gemini part of a function response',
  'gemini tool',
] as const

const ANSWER_PLACES = [
  'openai-chat call',
  'openai-responses output item',
  'openai-responses output content',
  'openai-responses annotation',
  'openai-responses stream event',
  'anthropic-messages answer block',
  'anthropic-messages answer citation',
  'anthropic-messages stream delta',
  'anthropic-messages stream event',
  'gemini answer part',
] as const

export const PLACES = [...REQUEST_PLACES, ...ANSWER_PLACES] as const

export function isOfRequest(place: Place): boolean {
  return (REQUEST_PLACES as readonly string[]).includes(place)
}

const openai = (file: string, type: string, place: Place): VendorUnion => ({
  package: 'openai',
  file: `resources/${file}.d.ts`,
  type,
  place,
})
/** Both the released and the beta half of the library, whose types begin with `Beta`. */
const responses = (type: string, place: Place): readonly VendorUnion[] => [
  openai('responses/responses', type, place),
  openai('beta/responses/responses', `Beta${type}`, place),
]
const anthropic = (type: string, place: Place): readonly VendorUnion[] =>
  ['', 'Beta'].map((prefix) => ({
    package: '@anthropic-ai/sdk',
    file: `resources/${prefix === '' ? '' : 'beta/'}messages/messages.d.ts`,
    type: `${prefix}${type}`,
    place,
  }))
const google = (type: string, place: Place): VendorUnion => ({
  package: '@google/genai',
  file: 'dist/genai.d.ts',
  type,
  place,
})

const CHAT = 'chat/completions/completions'

export const VENDOR_UNIONS: readonly VendorUnion[] = [
  openai(CHAT, 'ChatCompletionMessageParam', 'openai-chat message'),
  openai(CHAT, 'ChatCompletionContentPart', 'openai-chat content part'),
  openai(CHAT, 'ChatCompletionTool', 'openai-chat tool'),
  openai(CHAT, 'ChatCompletionToolChoiceOption', 'openai-chat tool choice'),
  openai(CHAT, 'ChatCompletionMessageToolCall', 'openai-chat call'),
  ...responses('ResponseInputItem', 'openai-responses input item'),
  ...responses('ResponseInputContent', 'openai-responses content part'),
  ...responses('ResponseFunctionCallOutputItem', 'openai-responses content of a tool output'),
  ...responses('Tool', 'openai-responses tool'),
  openai('responses/responses', 'ResponseCreateParamsBase#tool_choice', 'openai-responses tool choice'),
  ...responses('ResponseOutputItem', 'openai-responses output item'),
  ...responses('ResponseOutputMessage#content', 'openai-responses output content'),
  ...responses('ResponseOutputText#annotations', 'openai-responses annotation'),
  ...responses('ResponseStreamEvent', 'openai-responses stream event'),
  ...anthropic('ContentBlockParam', 'anthropic-messages content block'),
  ...anthropic('ToolResultBlockParam#content', 'anthropic-messages content of a tool result'),
  ...anthropic('TextCitationParam', 'anthropic-messages citation'),
  ...anthropic('ToolUnion', 'anthropic-messages tool'),
  ...anthropic('ToolChoice', 'anthropic-messages tool choice'),
  ...anthropic('ContentBlock', 'anthropic-messages answer block'),
  ...anthropic('TextCitation', 'anthropic-messages answer citation'),
  ...anthropic('RawContentBlockDelta', 'anthropic-messages stream delta'),
  ...anthropic('RawMessageStreamEvent', 'anthropic-messages stream event'),
  {
    package: '@anthropic-ai/sdk',
    file: 'resources/messages/messages.d.ts',
    type: 'DocumentBlockParam#source',
    place: 'anthropic-messages source of a document',
  },
  {
    package: '@anthropic-ai/sdk',
    file: 'resources/beta/messages/messages.d.ts',
    type: 'BetaRequestDocumentBlock#source',
    place: 'anthropic-messages source of a document',
  },
  google('Part.*', 'gemini part'),
  google('FunctionResponsePart.*', 'gemini part of a function response'),
  google('Tool.*', 'gemini tool'),
  google('Part.*', 'gemini answer part'),
]
