/** Differences between OpenAI and a provider that speaks OpenAI's chat. This folder and the codec next to it implement them. */
export type Quirk =
  /** Supports `max_tokens` only, not `max_completion_tokens`. */
  | 'max-tokens-only'
  /** Refuses `max_tokens` next to `max_completion_tokens`, and altogether from models with fixed sampling (OpenAI). */
  | 'one-cap'
  /** No `developer` role. */
  | 'no-developer'
  /** Refuses `store`, `metadata` and other account features of OpenAI. */
  | 'no-store'
  /** Refuses `stream_options`; always sends usage. */
  | 'no-stream-options'
  /** Message content must be a string, not a list of parts. */
  | 'string-content'
  /** Content of tool results must be a string. */
  | 'string-tool-content'
  /** Content must not be null next to tool calls. */
  | 'no-null-content'
  /** Temperature and top_p stay inside (0, 1). */
  | 'clamp-sampling'
  /** Tool call ids are nine letters or digits. */
  | 'short-tool-ids'
  /** Supports `json_object` only, not `json_schema`. */
  | 'no-json-schema'
  /** Does not support `strict` on tools. */
  | 'no-strict-tools'
  /** Refuses the sampling settings that a model with fixed sampling does not accept. */
  | 'fixed-sampling'
  /** Supports only functions, not free-text tools. Applies to translated requests: chat clients choose their own tools. */
  | 'no-custom-tools'
  /** Refuses every field that it does not know, and has `random_seed` for `seed` (Mistral). */
  | 'known-fields-only'
  /** Refuses log probabilities, `logit_bias`, names of speakers and more than one choice (Groq). */
  | 'no-logprobs'
  /** Streams the arguments of tools only if `tool_stream` is set (Zhipu). */
  | 'tool-stream'
  /** Accepts `cache_control` on parts of messages. */
  | 'cache-control'
  /** Accepts `reasoning_content` of earlier turns. */
  | 'takes-reasoning'
  /** Requires `reasoning_content` of earlier turns that called tools, even if empty, while it thinks. */
  | 'needs-reasoning'
  /** Accepts Gemini's signatures of tool calls as `extra_content.google.thought_signature`. */
  | 'thought-signatures'
  /** Thinking is switched by `thinking: {type}`. */
  | 'thinking-type'
  /** Thinking is switched by `enable_thinking`, with `thinking_budget`. */
  | 'enable-thinking'
  /** Thinking is requested by `reasoning: {effort, max_tokens, enabled}`. */
  | 'reasoning-object'
  /** Thinking is switched by `reasoning: {enabled}`, with `reasoning_effort`. */
  | 'reasoning-enabled'
  /** Thinking budgets go to `extra_body.google.thinking_config`. */
  | 'google-thinking'
  /** Thoughts arrive separately from the answer only if `reasoning_split` is set (MiniMax). */
  | 'reasoning-split'
  /** Thoughts arrive as `<think>…</think>` before the answer. */
  | 'think-tags'
