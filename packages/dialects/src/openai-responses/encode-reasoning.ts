import type { Effort, ModelTraits } from '../canon/codec.ts'
import { effortOf } from '../canon/efforts.ts'
import type { Losses } from '../canon/losses.ts'
import type { ReasoningWish } from '../canon/request.ts'
import { knownEffort } from '../openai-chat/known-effort.ts'

/** The thinking setting as `reasoning` of this dialect; undefined leaves it to the model. */
export function encodeReasoning(
  wish: ReasoningWish,
  { thinking, efforts }: ModelTraits,
  losses: Losses,
): { readonly effort?: Effort; readonly summary?: string } | undefined {
  const wanted = effortOf(wish)
  const isFixed = thinking === 'none' || thinking === 'forced'
  if (wanted !== undefined && isFixed && (wanted !== 'none' || thinking === 'forced'))
    losses.dropped('reasoning_effort')
  const effort = wanted === undefined || isFixed ? undefined : knownEffort(wanted, efforts, wish.budget !== undefined)
  if (effort !== undefined && (effort !== wanted || wish.budget !== undefined)) losses.changed('reasoning_effort')
  const summary = thinking === 'none' ? undefined : summaryOf(wish.summary)
  if (effort === undefined && summary === undefined) return undefined
  return { ...(effort === undefined ? {} : { effort }), ...(summary === undefined ? {} : { summary }) }
}

/** Other dialects say only whether they want to read it. */
function summaryOf(summary: string | undefined): string | undefined {
  switch (summary) {
    case 'auto':
    case 'concise':
    case 'detailed':
      return summary
    case undefined:
    case 'omitted':
    case 'none':
    case 'false':
      return undefined
    default:
      return 'auto'
  }
}
