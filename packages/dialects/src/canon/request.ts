import type { JsonObject } from '../json-value.ts'
import type { CacheMark, ChatDialect, TextPart, Turn } from './parts.ts'

/**
 * A request for an answer in text, tools or reasoning, in no particular dialect. Decoders lose nothing: fields without a member
 * here go to `extra`. Absent means that the client did not set the field.
 */
export interface CanonRequest {
  readonly model: string
  readonly stream: boolean
  readonly system: readonly TextPart[]
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  /** Tools that the provider itself runs: search, code, computer. */
  readonly builtins: readonly BuiltinTool[]
  readonly toolChoice?: ToolChoice | undefined
  /** False: at most one call per turn. */
  readonly parallelTools?: boolean | undefined
  readonly format?: AnswerFormat | undefined
  readonly reasoning?: ReasoningWish | undefined
  /** Maximum tokens of the answer, including reasoning. */
  readonly maxTokens?: number | undefined
  readonly sampling: Sampling
  readonly verbosity?: string | undefined
  /** `text`, `audio`, `image`. */
  readonly modalities?: readonly string[] | undefined
  /** The end user, for the provider's abuse checks. */
  readonly user?: string | undefined
  /** `auto`, `default`, `flex`, `priority`, as OpenAI names them. */
  readonly serviceTier?: string | undefined
  readonly metadata?: JsonObject | undefined
  /** Fields that only the client's dialect has, unchanged and under their own names. */
  readonly extra: Extra
}

export interface Extra {
  readonly dialect: ChatDialect
  readonly fields: JsonObject
  /** The client uses an older form of its dialect, and is answered in it: OpenAI's `functions`. */
  readonly isOlder?: boolean | undefined
}

/** A function that the client runs. */
export interface Tool {
  readonly name: string
  /** The tool's group; `name` begins with the group's name. See `calls/tool-aliases.ts`. */
  readonly namespace?: { readonly name: string; readonly description?: string | undefined } | undefined
  readonly description?: string | undefined
  /** JSON Schema of the arguments; undefined without arguments. */
  readonly schema?: JsonObject | undefined
  readonly strict?: boolean | undefined
  /** Takes free text instead of arguments; `format` is OpenAI's grammar, if any. */
  readonly custom?: { readonly format?: JsonObject | undefined } | undefined
  readonly cache?: CacheMark | undefined
  /** Declared in a turn, which is sent unchanged to a provider of the same dialect. */
  readonly isInTurns?: boolean | undefined
}

/** A tool that the provider runs. */
export interface BuiltinTool {
  readonly dialect: ChatDialect
  /** Its meaning in any dialect; `other` if only its own dialect has it. */
  readonly purpose: 'web-search' | 'web-fetch' | 'code' | 'other'
  /** Its name or type in its dialect. */
  readonly name: string
  readonly value: JsonObject
  /** As in `Tool`. */
  readonly isInTurns?: boolean | undefined
}

export interface DecodedTools {
  readonly tools: readonly Tool[]
  readonly builtins: readonly BuiltinTool[]
  /** Members of tools without a canonical member, by their path: `tools[name].defer_loading`. */
  readonly others: JsonObject
}

/** `allowed`: only these tools, with `required` if one must be called. */
export type ToolChoice =
  | { readonly mode: 'auto' | 'none' | 'required' }
  | { readonly mode: 'named'; readonly name: string }
  | { readonly mode: 'allowed'; readonly names: readonly string[]; readonly required: boolean }

export type AnswerFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json' }
  | {
      readonly type: 'schema'
      readonly schema: JsonObject
      readonly name?: string | undefined
      readonly description?: string | undefined
      readonly strict?: boolean | undefined
    }

/** How much to think. If several members are set, an encoder uses the one that its model supports. */
export interface ReasoningWish {
  /** `none` is `off`. */
  readonly effort?: 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined
  /** Tokens. */
  readonly budget?: number | undefined
  readonly off?: boolean | undefined
  /** The model decides (Anthropic's `adaptive`, Gemini's -1). */
  readonly adaptive?: boolean | undefined
  /** Whether the client wants to read the reasoning: OpenAI's `summary`, Anthropic's `display`, Gemini's `includeThoughts`. */
  readonly summary?: string | undefined
}

export interface Sampling {
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly stop?: readonly string[] | undefined
  /** Number of answers; only OpenAI's chat and Gemini support more than one. */
  readonly n?: number | undefined
  readonly seed?: number | undefined
  readonly presencePenalty?: number | undefined
  readonly frequencyPenalty?: number | undefined
  readonly logprobs?: boolean | undefined
  readonly topLogprobs?: number | undefined
  readonly logitBias?: JsonObject | undefined
}
