import type { Capabilities } from '@sluice/contract/price-list'
import { capabilitiesWhere } from './parameters.ts'

/** One letter per capability in the table below. The length of an answer can be limited wherever anything can be set. */
const LETTERS: Readonly<Record<keyof Capabilities, string>> = {
  supportsTopP: 'p',
  supportsTopK: 'k',
  supportsMaxCompletionTokens: 'm',
  supportsFrequencyPenalty: 'f',
  supportsPresencePenalty: 'r',
  supportsStop: 's',
  supportsReasoningEffort: 'e',
  supportsThinking: 't',
  supportsVision: 'v',
}

/**
 * What a family's models accept, by their bare name in lower case; the first matching line decides. For servers that list models
 * without saying what they accept; the gateway's own rules are finer. `tools/reference/model-families.test.ts` keeps the two
 * consistent.
 */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-4o.*search|o1-(mini|preview))/, 'm'],
  [/^(gpt-(4o(?!.*audio)|4\.[15]|4-turbo|5.*chat)|chatgpt-4o|chat-latest)/, 'pmfrsv'],
  [/^gpt-(3|4|audio)/, 'pmfrs'],
  [/^gpt-oss/, 'pkmfrse'],
  [/^o1/, 'msev'],
  [/^o3-mini/, 'me'],
  [/^(o3|o4|gpt-)/, 'mev'],
  [/^claude-(2|instant)/, 'pkms'],
  [/^claude-opus-4-5/, 'pkmsetv'],
  [/^claude-(3-7|(opus|sonnet|haiku)-4(@|-0|-1|-5|-20|$))/, 'pkmstv'],
  [/^claude-3/, 'pkmsv'],
  [/^claude-(opus|sonnet)-4-6/, 'pkmsev'],
  [/^claude/, 'msev'],
  [/^gemini-.*-image/, 'pkmv'],
  [/^gemini-.*tts/, 'pkm'],
  [/^gemini-2\.5/, 'pkmstv'],
  [/^gemini-(3\.[678]|3\.5-flash-lite|flash-(lite-)?latest)/, 'msev'],
  [/^gemini-[34]/, 'pkmsev'],
  [/^gemini/, 'pkmfrsv'],
  [/^gemma-[34]/, 'pkmsv'],
  [/^gemma/, 'pkms'],
  [/^deepseek-chat/, 'pmfrs'],
  [/^deepseek-(reasoner|r1)/, 'ms'],
  [/^deepseek-flash/, 'msev'],
  [/^deepseek-v[34]/, 'mse'],
  [/^(qwen3\.8|qwen4)/, 'pkmrsev'],
  [/^(?!.*thinking)qwen.*(vl|omni)/, 'pkmrsv'],
  [/^(qwen|qwq|qvq)/, 'pkmrs'],
  [/^grok-4\.[3567]/, 'pmev'],
  [/^grok-3-mini/, 'pme'],
  [/^grok-4/, 'pmv'],
  [/^grok-code/, 'pm'],
  [/^grok-2-vision/, 'pmfrsv'],
  [/llama-?4|llama-3\.2-(11|90)/, 'pkmfrsv'],
  [/^command-a-(reasoning|plus)/, 'pkmfrst'],
  [/^(command|c4ai|aya).*vision/, 'pkmfrsv'],
  [/llama|^(command|c4ai|aya)/, 'pkmfrs'],
  [/^(muse|step-[35])/, 'pmsev'],
  [/^(amazon\.)?nova-2/, 'pkmsev'],
  [/^(amazon\.)?nova-(lite|pro|premier)/, 'pkmsv'],
  [/^(amazon\.)?nova/, 'pkms'],
  [/^magistral/, 'pmfrsv'],
  [/^mistral-(large-4|medium-(3\.5|2604|latest)|small-(2603|latest))/, 'pmfrsev'],
  [/^(pixtral|mistral-(medium|small)|ministral)/, 'pmfrsv'],
  [/^glm-5\.3/, 'pmsev'],
  [/^glm-5\.2/, 'pmse'],
  [/^glm-.*v/, 'pmsv'],
  [/^(ernie-(4\.5-.*vl|5)|hunyuan.*vision)/, 'pmsv'],
  [/^(glm|chatglm|ernie|hunyuan)/, 'pms'],
  [/^hy[34]/, 'pmse'],
  [/^kimi-k3/, 'msev'],
  [/^kimi-(k2\.[5-9]|for-coding)/, 'msv'],
  [/^kimi-k2.*thinking/, 'pms'],
  [/^(kimi|moonshot|doubao).*vision/, 'pmfrsv'],
  [/^doubao-seed/, 'pmfrsev'],
  [/^minimax-m3/, 'pmv'],
  [/^minimax-m2/, 'pm'],
]
/** For a model that no line matches: what nearly all models accept. */
const COMMON = 'pmfrs'

/** What resellers and hosts put before a model's name: vendors, regions, folders. */
const PREFIX =
  /^(?:.*\/)?(?:(?:us|us-gov|eu|apac|jp|au|ca|sa|global)\.)?(?:(?:anthropic|meta|mistral|cohere|deepseek|qwen|openai|google|xai|zai|moonshot|moonshotai|minimax)\.)?/
const VARIANT = /:[a-z]+$/
/** Resellers write Anthropic's versions with a dot, or before the name. */
const VERSION_FIRST = /^claude-([4-9](?:-\d)?)-(opus|sonnet|haiku|fable|mythos)/

function bareName(model: string): string {
  const name = model.toLowerCase().replace(PREFIX, '').replace(VARIANT, '')
  if (!name.startsWith('claude-')) return name
  return name.replace(/(\d)\.(\d)/g, '$1-$2').replace(VERSION_FIRST, 'claude-$2-$1')
}

/** As far as the model's name reveals it. */
export function capabilitiesByName(model: string): Capabilities {
  const name = bareName(model)
  const letters = FAMILIES.find(([models]) => models.test(name))?.[1] ?? COMMON
  return capabilitiesWhere((capability) => letters.includes(LETTERS[capability]))
}
