import type { Loss } from '../src/canon/losses.ts'
import type { Facet } from './facets.ts'

/** Names of each facet in a list of losses: OpenAI's or the client's own. */
const LOSS_NAMES: Readonly<Record<Facet, RegExp>> = {
  conversation: /^messages/,
  system: /system|instructions/,
  system_midway: /system|messages|developer/,
  images: /image/,
  image_detail: /detail/,
  audio: /audio/,
  video: /video/,
  files: /file|document/,
  cache: /cache/,
  names: /name/,
  tools: /tool|function/,
  tool_strict: /strict/,
  tool_errors: /error/,
  tool_choice: /tool_choice/,
  parallel_tools: /parallel/,
  reasoning: /reasoning|thinking/,
  proofs: /proof|signature|reasoning|thinking|encrypted/,
  refusals: /refusal/,
  format: /response_format|json_schema/,
  effort: /reasoning|effort|thinking/,
  budget: /reasoning|budget|thinking/,
  off: /reasoning|thinking/,
  max_tokens: /max_\w*tokens/,
  temperature: /^temperature$/,
  top_p: /^top_p$/,
  top_k: /^top_k$/,
  stop: /^stop/,
  n: /^n$/,
  seed: /^seed$/,
  penalties: /penalty/,
  logprobs: /logprobs/,
  logit_bias: /^logit_bias$/,
  verbosity: /verbosity/,
  modalities: /modalities/,
  user: /user|safety_identifier/,
  service_tier: /service_tier/,
  metadata: /metadata/,
}

/** Lost with the messages where a service receives only the last one. */
const IN_MESSAGES: ReadonlySet<Facet> = new Set([
  'conversation',
  'system',
  'system_midway',
  'images',
  'audio',
  'video',
  'files',
  'reasoning',
  'refusals',
])

export function isTranslated(facet: Facet, losses: readonly Loss[]): boolean {
  return losses.some(
    ({ what, became }) =>
      LOSS_NAMES[facet].test(what) || (what === 'messages' && became === 'dropped' && IN_MESSAGES.has(facet)),
  )
}
