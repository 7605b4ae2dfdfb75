import type { ChargeClass, Receipt } from '@sluice/contract/receipt'
import type { ReplyCost } from '../engine/playground.ts'

const INPUT_TOKENS: readonly ChargeClass[] = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'audio_input',
  'cached_audio_input',
  'image_input',
  'cached_image_input',
  'video_input',
]
const OUTPUT_TOKENS: readonly ChargeClass[] = ['output', 'audio_output', 'image_output', 'reasoning_output']

/** What a receipt says about a reply. Tokens are left out while it does not tell how its charge came about. */
export function replyCost({ movements, net }: Receipt): ReplyCost {
  // A correction by a later settlement says what the whole request costs.
  const lines = movements.findLast(({ calculation }) => calculation !== undefined)?.calculation?.lines
  if (lines === undefined) return { cost: net }
  const sum = (classes: readonly ChargeClass[]) =>
    lines.reduce((all, line) => (classes.includes(line.class) ? all + line.count : all), 0)
  return { promptTokens: sum(INPUT_TOKENS), completionTokens: sum(OUTPUT_TOKENS), cost: net }
}
