import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { WaitingCalls, type WaitingCall } from './waiting-calls.ts'

const step = fc.record({
  do: fc.constantFrom('add' as const, 'hear' as const, 'remove' as const, 'clear' as const),
  which: fc.nat(20),
  ms: fc.nat(100),
})

test('whichever calls wait, the silence is that of the n-th oldest, whatever came and went', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const waiting = new WaitingCalls()
      const calls: WaitingCall[] = []
      let model: WaitingCall[] = []
      let [now, heard] = [0, 0]
      for (const { do: what, which, ms } of steps) {
        now += ms
        const call = calls[which % Math.max(1, calls.length)]
        if (what === 'add') {
          const added = waiting.add(now)
          calls.push(added)
          model.push(added)
        } else if (what === 'clear') {
          waiting.clear()
          model = []
        } else if (call !== undefined) {
          const isThere = model.includes(call)
          if (what === 'hear') {
            heard = now
            expect(waiting.hear(call, now)).toBe(isThere ? now - call.began : undefined)
          } else expect(waiting.remove(call)).toBe(isThere)
          model = model.filter((each) => each !== call)
        }
        for (const calls of [1, 2, 5]) {
          const nth = model[calls - 1]
          expect(waiting.silence(now, calls)).toBe(nth === undefined ? 0 : now - Math.max(nth.began, heard))
        }
      }
    }),
  )
})
