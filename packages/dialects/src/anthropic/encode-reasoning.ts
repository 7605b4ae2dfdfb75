import type { Effort, ModelTraits, Target } from '../canon/codec.ts'
import { budgetOf, effortOf, nearestEffort } from '../canon/efforts.ts'
import type { Losses } from '../canon/losses.ts'
import type { Turn } from '../canon/parts.ts'
import type { CanonRequest, ReasoningWish } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'

/** The API's minimum. */
const LEAST_BUDGET = 1_024
/** Answer tokens that must remain after thinking. */
const LEAST_ANSWER = 1_024
/** Used if a client wants the model to think but does not say how much. */
const USUAL = 'medium'

export interface EncodedReasoning {
  readonly thinking?: JsonObject
  /** For `output_config`. */
  readonly effort?: string
  /** Answer tokens that a budget needs if the client set no limit. */
  readonly needs?: number
}

/** The thinking setting in the model's form: a token budget, or adaptive with an effort. */
export function encodeReasoning(request: CanonRequest, target: Target, losses: Losses): EncodedReasoning {
  const { reasoning: wish, toolChoice, extra, tools, builtins } = request
  const isOwn = extra.dialect === 'anthropic-messages'
  const isForced = !isOwn && (toolChoice?.mode === 'required' || toolChoice?.mode === 'named')
  // Omitting the setting leaves thinking on.
  const mustBeOff = isForced && target.takes.thinksUnasked === true && tools.length + builtins.length > 0
  const unthinking = mustBeOff ? DISABLED : {}
  if (wish === undefined) return unthinking
  const encoded = isOwn ? asGiven(wish) : adapted(wish, request, target, losses)
  const isManual = encoded.thinking?.['type'] === 'enabled'
  // A model with a budget cannot continue without its thoughts before the open calls; no model thinks while a call is forced.
  if ((isManual && lacksThoughts(request.turns)) || (isForced && isThinking(encoded.thinking))) {
    losses.dropped('reasoning_effort')
    return unthinking
  }
  return encoded
}

const DISABLED: EncodedReasoning = { thinking: { type: 'disabled' } }

export function isThinking(thinking: JsonObject | undefined): boolean {
  return thinking !== undefined && thinking['type'] !== 'disabled'
}

function asGiven({ off, adaptive, budget, effort, summary }: ReasoningWish): EncodedReasoning {
  const display = summary === undefined ? {} : { display: summary }
  const thinking =
    off === true
      ? { type: 'disabled' }
      : adaptive === true
        ? { type: 'adaptive', ...display }
        : budget === undefined
          ? undefined
          : { type: 'enabled', budget_tokens: budget, ...display }
  return { ...(thinking === undefined ? {} : { thinking }), ...(effort === undefined ? {} : { effort }) }
}

function adapted(wish: ReasoningWish, request: CanonRequest, target: Target, losses: Losses): EncodedReasoning {
  const { thinking: style, efforts, thinkingOff } = target.takes
  const effort = effortOf(wish)
  if (style === 'none' || style === 'forced') {
    if (effort !== 'none' || style === 'forced') losses.dropped('reasoning_effort')
    return {}
  }
  if (style === 'adaptive' || (style === undefined && wish.adaptive === true))
    return adaptive(wish, effort, { efforts, thinkingOff, display: displayOf(wish, request) }, losses)
  return budgeted(wish, request, target, losses)
}

function adaptive(
  wish: ReasoningWish,
  effort: Effort | undefined,
  {
    efforts,
    thinkingOff,
    display,
  }: Pick<ModelTraits, 'efforts' | 'thinkingOff'> & { readonly display: string | undefined },
  losses: Losses,
): EncodedReasoning {
  if (effort === 'none' && thinkingOff === undefined) return DISABLED
  if (effort === 'none' && thinkingOff === 'between_tools') {
    // Anthropic's minimum: short notes between calls.
    losses.changed('reasoning_effort')
    return { thinking: { type: thinkingOff } }
  }
  const thinking = { type: 'adaptive', ...(display === undefined ? {} : { display }) }
  if (effort === undefined) return { thinking }
  const [first = 'low', ...others] = (efforts ?? KNOWN).filter((known) => known !== 'none')
  const nearest = nearestEffort(effort, [first, ...others])
  if (nearest !== effort || wish.budget !== undefined) losses.changed('reasoning_effort')
  return { thinking, effort: nearest }
}

const KNOWN: readonly Effort[] = ['low', 'medium', 'high', 'max']

/** Clients of OpenAI's chat cannot request thoughts, but show them if they arrive; new models withhold them unless requested. */
function displayOf({ summary }: ReasoningWish, { extra }: CanonRequest): string | undefined {
  if (summary === undefined) return extra.dialect === 'openai-chat' ? 'summarized' : undefined
  return summary === 'omitted' || summary === 'none' || summary === 'false' ? 'omitted' : 'summarized'
}

/** A budget is part of the answer tokens and must stay below them. */
function budgeted(wish: ReasoningWish, request: CanonRequest, target: Target, losses: Losses): EncodedReasoning {
  const wanted = budgetOf(wish) ?? budgetOf({ effort: USUAL }) ?? LEAST_BUDGET
  if (wanted === 0) return { thinking: { type: 'disabled' } }
  const room = request.maxTokens ?? target.takes.maxOutput ?? Infinity
  if (room <= LEAST_BUDGET) {
    losses.dropped('reasoning_effort')
    return {}
  }
  const budget = Math.max(LEAST_BUDGET, Math.min(wanted, room - LEAST_ANSWER))
  if (budget !== wish.budget) losses.changed('reasoning_effort')
  return { thinking: { type: 'enabled', budget_tokens: budget }, needs: budget + LEAST_ANSWER * 4 }
}

/** Whether tool results follow an assistant turn whose signed thoughts are missing. */
function lacksThoughts(turns: readonly Turn[]): boolean {
  const last = turns.findLastIndex(({ role }) => role === 'assistant')
  const isLoop = last >= 0 && turns[last + 1]?.role === 'tool'
  return isLoop && turns[last]?.parts.every((part) => !isSigned(part)) === true
}

function isSigned(part: Turn['parts'][number]): boolean {
  return part.kind === 'reasoning' && part.signature?.dialect === 'anthropic-messages'
}
