import type { Receipt } from '@sluice/contract/receipt'
import { describe, expect, it } from 'vitest'
import { replyCost } from './reply-cost.ts'

type Line = NonNullable<Receipt['movements'][number]['calculation']>['lines'][number]
const line = (name: Line['class'], count: number): Line => ({ class: name, count, rate: '1', amount: String(count) })

function movement(kind: string, lines: readonly Line[] | undefined): Receipt['movements'][number] {
  const source = { kind: 'book', name: '7', channel: 0, tier: '', window: '' } as const
  const sums = { list: '1', group_ratio: '1', exact: '1', total: '1', price_id: 1, source }
  const calculation = lines === undefined ? {} : { calculation: { ...sums, lines: [...lines] } }
  return { kind, at: 1, amount: '1', reason: '', actor_name: '', ...calculation }
}

const shown = (movements: Receipt['movements'], net = '40.5') => replyCost({ movements, net } as Receipt)

describe('the cost of a reply', () => {
  it('is what was paid in the end, with the tokens of every class of input and of output', () => {
    const lines = [
      line('input', 5),
      line('cached_input', 3),
      line('output', 10),
      line('reasoning_output', 6),
      line('call', 1),
    ]
    expect(shown([movement('consume', lines)])).toEqual({ promptTokens: 8, completionTokens: 16, cost: '40.5' })
  })

  it('uses the counts of the last correction, even after a refund', () => {
    const moves = [movement('consume', [line('input', 5)]), movement('adjust', [line('input', 6)])]
    expect(shown([...moves, movement('admin-refund', undefined)], '0')).toEqual({
      promptTokens: 6,
      completionTokens: 0,
      cost: '0',
    })
  })

  it('has no tokens if the receipt does not say how the charge was computed', () => {
    expect(shown([movement('consume', undefined)])).toEqual({ cost: '40.5' })
  })
})
