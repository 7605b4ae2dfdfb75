/**
 * Where a provider that speaks OpenAI's chat differs from OpenAI. One word for each difference; what each means in bytes is in
 * this folder and in the codec beside it.
 */
export type Quirk =
  /** Knows `max_tokens` only, not `max_completion_tokens`. */
  | 'max-tokens-only'
  /** Refuses `max_tokens` beside `max_completion_tokens`, and from models with sampling of their own `max_tokens` altogether (OpenAI). */
  | 'one-cap'
  /** No `developer` role. */
  | 'no-developer'
  /** Refuses `store`, `metadata` and other account features of OpenAI. */
  | 'no-store'
  /** Refuses `stream_options`; sends usage unasked. */
  | 'no-stream-options'
  /** Message content must be a string, not a list of parts. */
  | 'string-content'
  /** The same for what tools answered. */
  | 'string-tool-content'
  /** Content may not be null beside tool calls. */
  | 'no-null-content'
  /** Temperature and top_p stay inside (0, 1). */
  | 'clamp-sampling'
  /** Tool call ids are nine letters or digits. */
  | 'short-tool-ids'
  /** Knows `json_object` only, not `json_schema`. */
  | 'no-json-schema'
  /** Knows no `strict` of tools. */
  | 'no-strict-tools'
  /** Refuses what a model with sampling of its own does not let one choose. */
  | 'fixed-sampling'
  /** Knows functions only, no tools of free text. Of translated requests: those of chat clients are theirs to word. */
  | 'no-custom-tools'
  /** Refuses every field that it does not know, and has `random_seed` for `seed` (Mistral). */
  | 'known-fields-only'
  /** Refuses log probabilities, `logit_bias`, names of speakers and more than one choice (Groq). */
  | 'no-logprobs'
  /** Streams the arguments of tools only when `tool_stream` asks for it (Zhipu). */
  | 'tool-stream'
  /** Takes `cache_control` on parts of messages. */
  | 'cache-control'
  /** Takes `reasoning_content` of earlier turns. */
  | 'takes-reasoning'
  /** Wants `reasoning_content` of earlier turns that called tools, be it empty, while it thinks. */
  | 'needs-reasoning'
  /** Takes Gemini's signatures of tool calls as `extra_content.google.thought_signature`. */
  | 'thought-signatures'
  /** Thinking is switched by `thinking: {type}`. */
  | 'thinking-type'
  /** Thinking is switched by `enable_thinking`, with `thinking_budget`. */
  | 'enable-thinking'
  /** Thinking is asked for by `reasoning: {effort, max_tokens, enabled}`. */
  | 'reasoning-object'
  /** Thinking is switched by `reasoning: {enabled}`, with `reasoning_effort`. */
  | 'reasoning-enabled'
  /** Budgets of thinking go to `extra_body.google.thinking_config`. */
  | 'google-thinking'
  /** Thoughts come apart from the answer only when `reasoning_split` asks for it (MiniMax). */
  | 'reasoning-split'
  /** Thoughts come as `<think>…</think>` in front of the answer. */
  | 'think-tags'
