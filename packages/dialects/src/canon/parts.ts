import type { JsonObject } from '../json-value.ts'

/** A wire format that clients or providers speak about text, tools and reasoning. */
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

/** Where the bytes of a picture, a document or a sound are. */
export type MediaSource =
  /** `data` is base64 without a `data:` prefix. */
  | { readonly type: 'base64'; readonly mime: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string; readonly mime?: string | undefined }
  /** A file that was uploaded to one provider before. */
  | { readonly type: 'file-id'; readonly id: string; readonly dialect: ChatDialect; readonly mime?: string | undefined }

/** A mark up to which a provider may keep the prompt. */
export interface CacheMark {
  /** `5m` is every provider's default. */
  readonly ttl: '5m' | '1h'
}

/**
 * What a provider gave along with reasoning or a tool call, to be shown to it again in the next turn: a signature, or the
 * reasoning itself, sealed. Worth something to its own dialect only; see `proof.ts` for how others carry it.
 */
export interface ReasoningProof {
  readonly dialect: ChatDialect
  readonly value: string
  /** There is no readable text: `value` is all. */
  readonly redacted?: boolean | undefined
  /** Id of the provider's own item (`rs_…`), which some want back. */
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

/** A call that the model made. */
export interface ToolCallPart {
  readonly kind: 'tool-call'
  readonly id: string
  readonly name: string
  /** As the model wrote it: JSON text of an object, or free text of a custom tool. Empty means no arguments. */
  readonly args: string
  readonly isCustom?: boolean | undefined
  readonly proof?: ReasoningProof | undefined
  readonly cache?: CacheMark | undefined
}

/** What a tool answered; stands in a turn of role `tool`. */
export interface ToolResultPart {
  readonly kind: 'tool-result'
  readonly callId: string
  /** Name of the tool, where the dialect says it; see `tool-names.ts` to find it from the call. */
  readonly name?: string | undefined
  readonly parts: readonly (TextPart | ImagePart | FilePart | OpaquePart)[]
  readonly isError?: boolean | undefined
  readonly cache?: CacheMark | undefined
}

/** What the model thought. */
export interface ReasoningPart {
  readonly kind: 'reasoning'
  readonly text: string
  readonly proof?: ReasoningProof | undefined
}

export interface RefusalPart {
  readonly kind: 'refusal'
  readonly text: string
}

/** Something that only its own dialect can say: a server tool's result, a search block. Kept for it, lost for others. */
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

/** One turn of a conversation. Results of tools stand in turns of their own, all of one assistant turn together. */
export interface Turn {
  /** `system`: an instruction in the middle of the conversation; those at its head are `CanonRequest.system`. */
  readonly role: 'user' | 'assistant' | 'tool' | 'system'
  readonly parts: readonly Part[]
  /** The speaker's name, where a dialect has one. */
  readonly name?: string | undefined
}
