import type { BodyRefusal } from '../body-refusal.ts'
import type { Splice } from '../splice/splice.ts'
import type { ChatRequest } from './identify.ts'

/** What the upstream shall see differently. Absent members leave the body as it is. */
export interface ChatEdits {
  /** Upstream's name of the model. */
  readonly model?: string
  /** Asks for the usage chunk of a stream (`stream_options.include_usage`); no effect on a plain call. */
  readonly askUsage?: boolean
  /** Replaces the content of the first system or developer message, or becomes one in front. Empty: nothing. */
  readonly systemPrompt?: string
}

/**
 * The edits as splices for `splice(body, …)`; empty when nothing changes. `request` must come from the same body.
 * Refuses only when a system prompt is to be set and the messages are too odd to find the system message in.
 */
export declare function rewriteChat(body: Uint8Array, request: ChatRequest, edits: ChatEdits): readonly Splice[] | BodyRefusal
