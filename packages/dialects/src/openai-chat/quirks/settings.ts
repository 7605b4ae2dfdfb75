import type { ModelTraits } from '../../canon/codec.ts'
import type { Losses } from '../../canon/losses.ts'
import type { Fit, Fitting } from './apply-quirks.ts'
import type { Quirk } from './quirk.ts'

/** Settings that only OpenAI's accounts and models have. */
const OF_OPENAI = [
  'store',
  'metadata',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'verbosity',
  'prediction',
  'moderation',
] as const

/** OpenAI's fields that a provider refuses. */
const REFUSED: Readonly<Partial<Record<Quirk, readonly string[]>>> = {
  'no-store': OF_OPENAI,
  'known-fields-only': [
    'user',
    'logprobs',
    'top_logprobs',
    'logit_bias',
    'service_tier',
    'modalities',
    'audio',
    'top_k',
  ],
  'no-logprobs': ['logprobs', 'top_logprobs', 'logit_bias', 'top_k', 'n'],
}

const SAMPLING = ['temperature', 'top_p', 'top_k', 'presence_penalty', 'frequency_penalty', 'n'] as const

/** Top-level members of a body: numbers, switches and names. */
export const fitSettings: Fit = (body, quirks, losses, { takes }) => {
  if (quirks.has('max-tokens-only')) renameCap(body, losses)
  if (quirks.has('one-cap')) keepOneCap(body, takes, losses)
  if (quirks.has('no-stream-options')) delete body['stream_options']
  for (const [quirk, names] of Object.entries(REFUSED)) {
    if (quirks.has(quirk as Quirk)) for (const name of names) drop(body, name, losses)
  }
  if (quirks.has('known-fields-only') && 'seed' in body) {
    body['random_seed'] ??= body['seed']
    delete body['seed']
  }
  if (quirks.has('fixed-sampling') && isFixed(body, takes)) {
    for (const name of SAMPLING) drop(body, name, losses)
  }
  if (quirks.has('clamp-sampling')) {
    clamp(body, 'temperature', losses)
    clamp(body, 'top_p', losses)
  }
}

function renameCap(body: Fitting, losses: Losses): void {
  const { max_completion_tokens: cap, max_tokens: known } = body
  if (cap === undefined) return
  delete body['max_completion_tokens']
  if (known === undefined || known === null) body['max_tokens'] = cap
  else if (known !== cap) losses.dropped('max_completion_tokens')
}

/** If both caps are given, the newer member counts. */
function keepOneCap(body: Fitting, takes: ModelTraits, losses: Losses): void {
  const { max_completion_tokens: cap, max_tokens: older } = body
  const isAlone = cap === undefined || cap === null
  if (older === undefined || (isAlone && !hasOwnSampling(takes))) return
  delete body['max_tokens']
  if (isAlone) body['max_completion_tokens'] = older
  else if (older !== null && older !== cap) losses.dropped('max_tokens')
}

/** Models that think before they answer have fixed sampling, always or while they think. */
export function hasOwnSampling({ sampling }: ModelTraits): boolean {
  return sampling === 'none' || sampling === 'unless-thinking'
}

function isFixed({ reasoning_effort: effort }: Fitting, { sampling, thinksUnasked }: ModelTraits): boolean {
  const thinks = typeof effort === 'string' ? effort !== 'none' : thinksUnasked === true
  return sampling === 'none' || (sampling === 'unless-thinking' && thinks)
}

/** Fields with their default value are not listed as lost. */
function drop(body: Fitting, name: string, losses: Losses): void {
  const value = body[name]
  if (value === undefined) return
  delete body[name]
  const isIdle = value === null || value === false || (name === 'n' && value === 1) || value === 0
  if (!isIdle || name === 'temperature') losses.dropped(name)
}

/** Vendors refuse the outer bounds, 0 and 1, themselves. */
const [LEAST, MOST] = [0.01, 0.99] as const

function clamp(body: Fitting, name: string, losses: Losses): void {
  const value = body[name]
  if (typeof value !== 'number' || (value > 0 && value < 1)) return
  body[name] = Math.min(MOST, Math.max(LEAST, value))
  // A `top_p` of 1 cuts nothing off.
  if (name === 'top_p' && value === 1) delete body[name]
  else losses.changed(name)
}
