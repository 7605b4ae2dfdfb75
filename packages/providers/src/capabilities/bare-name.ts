/** Prefixes that resellers and hosts add to model names: vendors, regions, folders. */
const PREFIX =
  /^(?:.*\/)?(?:(?:us|us-gov|eu|apac|jp|au|ca|sa|global)\.)?(?:(?:anthropic|meta|mistral|cohere|deepseek|qwen|openai|google|xai|zai|moonshot|moonshotai|minimax)\.)?/
/** Suffix for how a reseller serves a model: `:free`, `:thinking`. Bedrock's versions (`-v1:0`) do not match. */
const VARIANT = /:[a-z]+$/
/** Resellers write Anthropic's versions with a dot, or before the name. */
const VERSION_FIRST = /^claude-([4-9](?:-\d)?)-(opus|sonnet|haiku|fable|mythos)/

/**
 * The name by which rules recognise a model, whoever hosts it: `us.anthropic.claude-opus-5-v1:0` is `claude-opus-5-v1:0`, and
 * `anthropic/claude-4.7-opus` is `claude-opus-4-7`.
 */
export function bareName(model: string): string {
  const name = model.toLowerCase().replace(PREFIX, '').replace(VARIANT, '')
  if (!name.startsWith('claude-')) return name
  return name.replace(/(\d)\.(\d)/g, '$1-$2').replace(VERSION_FIRST, 'claude-$2-$1')
}
