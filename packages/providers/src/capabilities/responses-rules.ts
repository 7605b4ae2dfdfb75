import { effortOf } from '@sluice/dialects/canon/efforts'
import type { CanonRequest } from '@sluice/dialects/canon/request'
import { bareName } from './bare-name.ts'

/** Requests that OpenAI and Azure answer only under `/v1/responses`, for one model family. */
export interface ResponsesRule {
  /** Matched against the lower-case bare name, so also against deployments that contain it; the first matching rule decides. */
  readonly models: RegExp
  /**
   * all → the models are not in chat at all · none → chat answers everything · asked → functions, if thinking is requested ·
   * unless-off → functions, unless thinking is explicitly off, because these models think by default; and the effort `max`
   */
  readonly needs: 'all' | 'none' | 'asked' | 'unless-off'
  readonly canStop?: true
  readonly source: string
}

const MODELS = 'OpenAI: Models, endpoints of each model'
const REFUSAL =
  'OpenAI’s refusal “Function tools with reasoning_effort are not supported for … in /v1/chat/completions” (openai-openapi #541)'
const BY_DEFAULT =
  `${REFUSAL}; without an effort as well since GPT-5.6 (litellm #34569, livekit/agents #7169, onyx #15008); ` +
  'chat’s refusal of “max”, “Supported values are: none, low, medium, high, xhigh”'

export const RESPONSES_RULES: readonly ResponsesRule[] = [
  {
    models: /^(?:o[13]-pro|gpt-[5-9](?:\.\d+)?-(?:pro|codex|cyber)|codex-|computer-use-|o\d(?:-mini)?-deep-research)/,
    needs: 'all',
    source: MODELS,
  },
  { models: /^gpt-[5-9].*chat/, needs: 'none', source: MODELS },
  { models: /^gpt-5\.[45](?:-|$)/, needs: 'asked', canStop: true, source: REFUSAL },
  { models: /^(?:gpt-6-astra|gpt-6\.1-sol)/, needs: 'unless-off', source: BY_DEFAULT },
  { models: /^gpt-(?:5\.[6-9]|[6-9])/, needs: 'unless-off', canStop: true, source: BY_DEFAULT },
]

function ruleOf(model: string): ResponsesRule | undefined {
  const name = bareName(model)
  return RESPONSES_RULES.find(({ models }) => models.test(name))
}

export function isResponsesOnly(model: string): boolean {
  return ruleOf(model)?.needs === 'all'
}

/** Returns a test for requests that chat refuses but Responses accepts; undefined if there are none for this model. */
export function refusedInChat(model: string): ((request: CanonRequest) => boolean) | undefined {
  const rule = ruleOf(model)
  if (rule?.needs !== 'asked' && rule?.needs !== 'unless-off') return undefined
  const { needs, canStop } = rule
  return ({ tools, reasoning = {} }) => {
    if (needs === 'unless-off' && effortOf(reasoning) === 'max') return true
    if (tools.length === 0 || (reasoning.off === true && canStop === true)) return false
    return needs === 'unless-off' || Object.keys(reasoning).length > 0
  }
}
