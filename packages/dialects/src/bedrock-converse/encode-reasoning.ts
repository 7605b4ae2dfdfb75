import type { Target } from '../canon/codec.ts'
import { budgetOf, effortOf, nearestEffort } from '../canon/efforts.ts'
import type { Losses } from '../canon/losses.ts'
import type { ReasoningWish } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import type { ModelFamily } from './model-family.ts'

/** Anthropic's minimum. */
const LEAST_BUDGET = 1_024
/** Answer tokens that must remain after thinking. */
const LEAST_ANSWER = 1_024

/** The setting goes to `additionalModelRequestFields`, because Converse has no field. A budget must stay below `maxTokens`. */
export function encodeReasoning(
  wish: ReasoningWish | undefined,
  { family, target, maxTokens }: { readonly family: ModelFamily; readonly target: Target; readonly maxTokens: number },
  losses: Losses,
): JsonObject {
  if (wish === undefined) return {}
  if (wish.summary !== undefined && family !== 'anthropic') losses.dropped('reasoning.summary')
  const style = target.takes.thinking
  const effort = effortOf(wish)
  if (style === 'none' || style === 'forced') {
    if (!(style === 'none' && effort === 'none')) losses.dropped('reasoning_effort')
    return {}
  }
  switch (family) {
    case 'anthropic':
      return style === 'adaptive' ? adaptive(wish, target, losses) : budgeted(wish, maxTokens, losses)
    case 'openai':
      return effort === undefined ? {} : { reasoning_effort: known(effort, ['low', 'medium', 'high'], losses) }
    case 'nova': {
      if (effort === 'none') return { reasoningConfig: { type: 'disabled' } }
      const requested = known(effort ?? 'medium', ['low', 'medium', 'high'], losses)
      return { reasoningConfig: { type: 'enabled', maxReasoningEffort: requested } }
    }
    default:
      losses.dropped('reasoning_effort')
      return {}
  }
}

function adaptive(wish: ReasoningWish, { takes }: Target, losses: Losses): JsonObject {
  const effort = effortOf(wish)
  if (effort === 'none') return { thinking: { type: 'disabled' } }
  if (wish.budget !== undefined) losses.changed('thinking.budget_tokens')
  const display = wish.summary === undefined ? {} : { display: wish.summary === 'omitted' ? 'omitted' : 'summarized' }
  const thinking = { type: 'adaptive', ...display }
  if (effort === undefined) return { thinking }
  const [first = 'low', ...others] = takes.efforts ?? (['low', 'medium', 'high', 'max'] as const)
  return { thinking, output_config: { effort: known(effort, [first, ...others], losses) } }
}

function budgeted(wish: ReasoningWish, maxTokens: number, losses: Losses): JsonObject {
  const wanted = budgetOf(wish) ?? LEAST_BUDGET * 8
  if (wanted === 0) return {}
  if (maxTokens <= LEAST_BUDGET) {
    losses.dropped('reasoning_effort')
    return {}
  }
  if (wish.effort !== undefined || wish.adaptive === true) losses.changed('reasoning_effort')
  const budget = Math.max(LEAST_BUDGET, Math.min(wanted, maxTokens - LEAST_ANSWER))
  if (wish.budget !== undefined && budget !== wish.budget) losses.changed('thinking.budget_tokens')
  return { thinking: { type: 'enabled', budget_tokens: budget } }
}

function known(
  effort: NonNullable<ReturnType<typeof effortOf>>,
  efforts: Parameters<typeof nearestEffort>[1],
  losses: Losses,
): string {
  const nearest = nearestEffort(effort, efforts)
  if (nearest !== effort) losses.changed('reasoning_effort')
  return nearest
}
