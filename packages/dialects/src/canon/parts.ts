import type { JsonObject } from '../json-value.ts'

/** A wire format for text, tools and reasoning, used by clients or providers. */
export type ChatDialect =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini'
  | 'bedrock-converse'
  | 'cohere'
  | 'coze'
  | 'replicate'
  | 'deepl'
  | 'library-ask'
  | 'wenxin'

export type MediaSource =
  /** `data` is base64 without a `data:` prefix. */
  | { readonly type: 'base64'; readonly mime: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string; readonly mime?: string | undefined }
  | { readonly type: 'file-id'; readonly id: string; readonly dialect: ChatDialect; readonly mime?: string | undefined }

/** Marks how far a provider may cache the prompt. */
export interface CacheMark {
  /** `5m` is every provider's default. */
  readonly ttl: '5m' | '1h'
}

/**
 * Data that accompanies a provider's reasoning or tool call and is sent back in the next turn: a signature, or the encrypted
 * reasoning itself. Useful only to its own dialect; `signature.ts` describes how others carry it.
 */
export interface ReasoningSignature {
  readonly dialect: ChatDialect
  readonly value: string
  /** No readable text, only `value`. */
  readonly redacted?: boolean | undefined
  /** Id of the provider's own item (`rs_…`), which some providers require back. */
  readonly item?: string | undefined
}

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  readonly cache?: CacheMark | undefined
}

export interface ImagePart {
  readonly kind: 'image'
  readonly source: MediaSource
  /** `low`, `high`, `auto`, as OpenAI names them. */
  readonly detail?: string | undefined
  readonly cache?: CacheMark | undefined
}

export interface AudioPart {
  readonly kind: 'audio'
  readonly source: MediaSource
}

export interface VideoPart {
  readonly kind: 'video'
  readonly source: MediaSource
}

export interface FilePart {
  readonly kind: 'file'
  readonly source: MediaSource
  readonly name?: string | undefined
  readonly cache?: CacheMark | undefined
}

export interface ToolCallPart {
  readonly kind: 'tool-call'
  readonly id: string
  readonly name: string
  /** The tool's group; `name` begins with the group's name. See `canon/calls/tool-aliases.ts`. */
  readonly namespace?: string | undefined
  /** As the model wrote it: JSON text of an object, or free text of a custom tool. Empty means no arguments. */
  readonly args: string
  readonly isCustom?: boolean | undefined
  readonly signature?: ReasoningSignature | undefined
  readonly cache?: CacheMark | undefined
}

/** In turns with role `tool`. */
export interface ToolResultPart {
  readonly kind: 'tool-result'
  readonly callId: string
  /** The tool's name, if the dialect includes it; `paired-calls.ts` takes it from the call. */
  readonly name?: string | undefined
  readonly parts: readonly (TextPart | ImagePart | FilePart | OpaquePart)[]
  readonly isError?: boolean | undefined
  readonly cache?: CacheMark | undefined
}

export interface ReasoningPart {
  readonly kind: 'reasoning'
  readonly text: string
  readonly signature?: ReasoningSignature | undefined
}

export interface RefusalPart {
  readonly kind: 'refusal'
  readonly text: string
}

/** A shape that only its own dialect has (a server tool's result, a search block); `text-form.ts` makes it text for others. */
export interface OpaquePart {
  readonly kind: 'opaque'
  readonly dialect: ChatDialect
  /** Name in that dialect, for the list of losses: `web_search_tool_result`. */
  readonly name: string
  readonly value: JsonObject
}

export type Part =
  | TextPart
  | ImagePart
  | AudioPart
  | VideoPart
  | FilePart
  | ToolCallPart
  | ToolResultPart
  | ReasoningPart
  | RefusalPart
  | OpaquePart

/** One turn of a conversation. The results for one assistant turn are together in a turn of their own. */
export interface Turn {
  /** `system`: an instruction in the middle of the conversation; those at its beginning are in `CanonRequest.system`. */
  readonly role: 'user' | 'assistant' | 'tool' | 'system'
  readonly parts: readonly Part[]
  /** The speaker's name, if the dialect has one. */
  readonly name?: string | undefined
}
