import type { Effort, Target } from '../canon/codec.ts'
import { effortOf, nearestEffort } from '../canon/efforts.ts'
import type { Losses } from '../canon/losses.ts'
import type { ReasoningWish } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { generationOf } from './model-version.ts'

/** Tokens for an effort, as Google's own endpoint for OpenAI clients defines them. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
}
/** Minimum and maximum thinking tokens; only the larger models cannot switch thinking off. */
const PRO = { least: 128, most: 32_768, canStop: false }
const FLASH = { least: 1, most: 24_576, canStop: true }
const LITE = { ...FLASH, least: 512 }
const LEVELS: readonly [Effort, ...Effort[]] = ['minimal', 'low', 'medium', 'high']
const HIDDEN = new Set(['none', 'omitted', 'disabled', 'false'])

/**
 * `thinkingConfig`: a budget for models of the second generation, a level for later ones. Thoughts are requested unless the client
 * does not want them; a client of Gemini's own dialect asks for them itself (`isOwn`).
 */
export function encodeThinking(
  wish: ReasoningWish | undefined,
  { model, takes }: Pick<Target, 'model' | 'takes'>,
  isOwn: boolean,
  losses: Losses,
): JsonObject | undefined {
  if (wish === undefined) return undefined
  const style = takes.thinking ?? (generationOf(model) < 3 ? 'budget' : 'level')
  if (style === 'none' || style === 'forced') {
    if (style === 'forced' || wish.off !== true) losses.dropped('reasoning_effort')
    return undefined
  }
  const isShown = isOwn ? wish.summary !== undefined : !HIDDEN.has(wish.summary ?? '')
  const amount = style === 'budget' ? asBudget(wish, model, losses) : asLevel(wish, takes.efforts, losses)
  const isOff = amount['thinkingBudget'] === 0
  return { ...amount, ...(isShown && !isOff ? { includeThoughts: true } : {}) }
}

function asBudget(wish: ReasoningWish, model: string, losses: Losses): JsonObject {
  const { effort, budget, off, adaptive } = wish
  const { least, most, canStop } = /-pro\b/.test(model) ? PRO : model.includes('-lite') ? LITE : FLASH
  if (off === true) {
    if (canStop) return { thinkingBudget: 0 }
    losses.changed('reasoning_effort')
    return { thinkingBudget: least }
  }
  if (budget !== undefined) {
    const taken = Math.min(Math.max(budget, least), most)
    if (taken !== budget) losses.changed('thinking.budget_tokens')
    return { thinkingBudget: taken }
  }
  if (effort !== undefined) {
    losses.changed('reasoning_effort')
    return { thinkingBudget: BUDGETS[effort] }
  }
  return adaptive === true ? { thinkingBudget: -1 } : {}
}

function asLevel(wish: ReasoningWish, efforts: readonly Effort[] | undefined, losses: Losses): JsonObject {
  const wanted = effortOf(wish)
  // Without a level, the model decides on its own.
  if (wanted === undefined) return {}
  if (wish.adaptive === true) losses.changed('thinking')
  if (wish.budget !== undefined) losses.changed('thinking.budget_tokens')
  const [first = 'low', ...others] = efforts ?? LEVELS
  const level = nearestEffort(wanted, [first, ...others])
  if (level !== wish.effort) losses.changed('reasoning_effort')
  return { thinkingLevel: level.toUpperCase() }
}
