import type { ModelTraits, Target } from '../canon/codec.ts'
import { shortened } from '../canon/digest.ts'
import { effortOf, hasFixedSampling, knownEffort } from '../canon/efforts.ts'
import type { Losses } from '../canon/losses.ts'
import type { CanonRequest, ReasoningWish } from '../canon/request.ts'
import { isRequested } from '../canon/requested-sampling.ts'
import type { JsonObject } from '../json-value.ts'
import { styleOf } from './quirks/thinking.ts'

/** More stop words are refused. */
const STOP_LIMIT = 4

/** Sampling settings that the model accepts. */
export function encodeSampling(request: CanonRequest, takes: ModelTraits, losses: Losses): JsonObject {
  const { sampling, reasoning, extra } = request
  const isFixed = hasFixedSampling(reasoning, takes)
  const { temperature, topP, topK, stop = [], presencePenalty, frequencyPenalty, n = 1 } = sampling
  const refused: readonly (readonly [name: string, isAsked: boolean, isRefused: boolean])[] = [
    ['temperature', temperature !== undefined, isFixed],
    ['top_p', topP !== undefined, isFixed],
    ['top_k', topK !== undefined, isFixed || takes.topK === false],
    ['stop', stop.length > 0, takes.stop === false],
    ['presence_penalty', (presencePenalty ?? 0) !== 0, takes.penalties === false],
    ['frequency_penalty', (frequencyPenalty ?? 0) !== 0, takes.penalties === false],
    ['logit_bias', isRequested('logitBias', sampling.logitBias), takes.bias === false],
    // A translated answer is one answer, and has no probabilities.
    ['n', n > 1, true],
    ['logprobs', sampling.logprobs === true, true],
    ['top_logprobs', (sampling.topLogprobs ?? 0) > 0, true],
  ]
  const isLost = (name: string) => refused.some(([refusedName, , isRefused]) => isRefused && refusedName === name)
  if (extra.dialect !== 'openai-chat' && stop.length > STOP_LIMIT) losses.changed('stop')
  for (const [name, isRequested, isRefused] of refused) if (isRequested && isRefused) losses.dropped(name)
  const encoded = {
    temperature,
    top_p: topP,
    top_k: topK,
    stop: stop.length === 0 ? undefined : stop.slice(0, extra.dialect === 'openai-chat' ? undefined : STOP_LIMIT),
    seed: sampling.seed,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
    logit_bias: sampling.logitBias,
  }
  return Object.fromEntries(Object.entries(encoded).filter(([name]) => !isLost(name)))
}

export function encodeCap(cap: number | undefined, { maxOutput }: ModelTraits, losses: Losses): number | undefined {
  if (cap === undefined || maxOutput === undefined || cap <= maxOutput) return cap
  losses.changed('max_tokens')
  return maxOutput
}

/** `reasoning_effort`, or `thinking: {type, budget_tokens}` for models with thinking budgets, which their resellers accept. */
export function encodeReasoning(wish: ReasoningWish, { takes, quirks = [] }: Target, losses: Losses): JsonObject {
  const { thinking, efforts } = takes
  if (wish.summary !== undefined) losses.dropped('reasoning.summary')
  if (styleOf(quirks) !== undefined) return untilFitted(wish)
  if (thinking === 'none') {
    if (wish.off !== true) losses.dropped('reasoning_effort')
    return {}
  }
  if (thinking === 'forced') {
    losses.dropped('reasoning_effort')
    return {}
  }
  if (wish.budget !== undefined && wish.off !== true && thinking !== undefined && COUNTED.has(thinking)) {
    if (wish.effort !== undefined) losses.changed('reasoning_effort')
    return { thinking: { type: 'enabled', budget_tokens: wish.budget } }
  }
  // The model decides how to think; an effort may still be given, as Claude Code does.
  if (wish.adaptive === true && wish.effort === undefined) return encodeAdaptive(thinking, losses)
  const wanted = effortOf(wish)
  if (wanted === undefined) return {}
  if (wish.budget !== undefined && wish.off !== true) losses.changed('reasoning budget')
  const effort = knownEffort(wanted, efforts, wish.budget !== undefined)
  if (effort !== wanted) losses.changed('reasoning_effort')
  return { reasoning_effort: effort }
}

/** The complete setting; the quirk converts it to the provider's style. */
function untilFitted({ effort, budget, off, adaptive }: ReasoningWish): JsonObject {
  if (off === true) return { reasoning_effort: 'none' }
  return {
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(budget === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }),
    ...(adaptive === true ? { thinking: { type: 'adaptive' } } : {}),
  }
}

const COUNTED: ReadonlySet<string> = new Set(['budget', 'adaptive', 'switch'])

/** Nearly every model decides for itself by default. */
function encodeAdaptive(thinking: ModelTraits['thinking'], losses: Losses): JsonObject {
  if (thinking === 'adaptive') return { thinking: { type: 'adaptive' } }
  if (thinking === 'switch') return { thinking: { type: 'enabled' } }
  losses.changed('reasoning')
  return {}
}

/** OpenAI refuses longer end-user names; other vendors allow up to 128 characters. Claude Code's have 150 characters and more. */
const USER_LIMIT = 64

/** `user`, shortened but still unique for each user. A name from a client of OpenAI's own dialects is left unchanged. */
export function encodeUser({ user, extra }: CanonRequest, losses: Losses): string | undefined {
  if (user === undefined || user.length <= USER_LIMIT || extra.dialect.startsWith('openai-')) return user
  losses.changed('user')
  return shortened(user, USER_LIMIT)
}
