import type { Effort, ModelTraits } from './codec.ts'
import type { ReasoningWish } from './request.ts'

/** Lowest first. */
const EFFORTS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** Thinking tokens for an effort, for models that accept only tokens; Anthropic's own advice in round figures. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_000,
}

/** The setting in thinking tokens; undefined if it leaves them to the model. */
export function budgetOf({ budget, effort, off }: ReasoningWish): number | undefined {
  if (off === true) return 0
  return budget ?? (effort === undefined ? undefined : BUDGETS[effort])
}

/** The setting as an effort: for a number of tokens, the lowest effort that allows as many. */
export function effortOf({ budget, effort, off }: ReasoningWish): Effort | undefined {
  if (off === true) return 'none'
  if (effort !== undefined || budget === undefined) return effort
  return EFFORTS.find((candidate) => BUDGETS[candidate] >= budget) ?? 'max'
}

/** The closest known effort; of two equally close ones, the higher. */
export function nearestEffort(wanted: Effort, known: readonly [Effort, ...Effort[]]): Effort {
  const rank = (effort: Effort) => EFFORTS.indexOf(effort)
  const distance = (effort: Effort) => Math.abs(rank(effort) - rank(wanted))
  return known.reduce((best, effort) => {
    const isCloser = distance(effort) < distance(best)
    const isGreater = distance(effort) === distance(best) && rank(effort) > rank(best)
    return isCloser || isGreater ? effort : best
  })
}

function willThink(wish: ReasoningWish | undefined, { thinksUnasked }: ModelTraits): boolean {
  return wish === undefined ? thinksUnasked === true : wish.off !== true
}

/** Whether the model refuses sampling settings together with this setting. */
export function hasFixedSampling(wish: ReasoningWish | undefined, takes: ModelTraits): boolean {
  return takes.sampling === 'none' || (takes.sampling === 'unless-thinking' && willThink(wish, takes))
}

/** Efforts of every thinking model: used to turn tokens into a word if the model's own efforts are unknown. */
const USUAL: readonly Effort[] = ['low', 'medium', 'high']

/**
 * The closest effort that the model knows. If its efforts are unknown, the client's word is kept, and a number of tokens
 * (`isCounted`) becomes a word that every model knows. `none` is only used if the client wants no thinking.
 */
export function knownEffort(wanted: Effort, efforts: readonly Effort[] | undefined, isCounted = false): Effort {
  const known = efforts ?? (isCounted && wanted !== 'none' ? USUAL : [])
  const [first, ...rest] = wanted === 'none' ? known : known.filter((effort) => effort !== 'none')
  return first === undefined ? wanted : nearestEffort(wanted, [first, ...rest])
}
