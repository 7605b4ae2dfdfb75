import { ANSWER_CLASSES, type ChargeClass, PROMPT_CLASSES, type Receipt } from '@sluice/contract/receipt'
import type { ReplyCost } from '../engine/playground.ts'

/** What a receipt says about a reply. Tokens are left out if it does not say how the charge was computed. */
export function replyCost({ movements, net }: Receipt): ReplyCost {
  // A correction by a later settlement covers the whole request.
  const lines = movements.findLast(({ calculation }) => calculation !== undefined)?.calculation?.lines
  if (lines === undefined) return { cost: net }
  const sum = (classes: readonly ChargeClass[]) =>
    lines.reduce((all, line) => (classes.includes(line.class) ? all + line.count : all), 0)
  return { promptTokens: sum(PROMPT_CLASSES), completionTokens: sum(ANSWER_CLASSES), cost: net }
}
