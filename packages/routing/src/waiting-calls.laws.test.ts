import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { WaitingCalls, type WaitingPlace } from './waiting-calls.ts'

const step = fc.record({
  do: fc.constantFrom('add' as const, 'hear' as const, 'remove' as const, 'clear' as const),
  which: fc.nat(20),
  ms: fc.nat(100),
})

test('whoever waits, the silence is that of the n-th oldest, whatever came and went', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const waiting = new WaitingCalls()
      const places: WaitingPlace[] = []
      let model: WaitingPlace[] = []
      let [now, heard] = [0, 0]
      for (const { do: what, which, ms } of steps) {
        now += ms
        const place = places[which % Math.max(1, places.length)]
        if (what === 'add') {
          const added = waiting.add(now)
          places.push(added)
          model.push(added)
        } else if (what === 'clear') {
          waiting.clear()
          model = []
        } else if (place !== undefined) {
          const isThere = model.includes(place)
          if (what === 'hear') {
            heard = now
            expect(waiting.hear(place, now)).toBe(isThere ? now - place.began : undefined)
          } else expect(waiting.remove(place)).toBe(isThere)
          model = model.filter((each) => each !== place)
        }
        for (const calls of [1, 2, 5]) {
          const nth = model[calls - 1]
          expect(waiting.silence(now, calls)).toBe(nth === undefined ? 0 : now - Math.max(nth.began, heard))
        }
      }
    }),
  )
})
