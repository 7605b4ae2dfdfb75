import { describe, expect, it } from 'vitest'
import { isSampled, traceContext } from './trace-context.ts'

const ID = '0199aabbccdd7eeff00112233445566a'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const OWN = { traceId: ID, parentId: undefined, isWanted: true }

describe('the trace of a request', () => {
  it('is the client’s own', () => {
    expect(traceContext(ID, `00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, parentId: SPAN, isWanted: true })
    expect(traceContext(ID, `00-${TRACE}-${SPAN}-00`)).toEqual({ traceId: TRACE, parentId: SPAN, isWanted: false })
    expect(traceContext(ID, `00-${TRACE}-${SPAN}-03`).isWanted).toBe(true)
    expect(traceContext(ID, `cc-${TRACE}-${SPAN}-01-what-comes-later`).traceId).toBe(TRACE)
  })

  it('begins here when the client sends none, or an invalid one', { tags: 'S29' }, () => {
    for (const traceparent of [
      undefined,
      '',
      'x'.repeat(10_000),
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-01"; drop`,
    ]) {
      expect(traceContext(ID, traceparent), traceparent).toEqual(OWN)
    }
  })

  it('is recorded by its id, in the configured share', () => {
    const ids = Array.from({ length: 4_000 }, (_, at) =>
      ((at * 2_654_435_761) % 2 ** 32).toString(16).padStart(32, '0'),
    )
    const spread = ids.map((id) => id.slice(0, 18) + id.slice(-8) + '000000')
    expect(spread.every((id) => isSampled(id, 1))).toBe(true)
    expect(spread.some((id) => isSampled(id, 0))).toBe(false)
    const tenth = spread.filter((id) => isSampled(id, 0.1))
    expect(tenth.length).toBeGreaterThan(300)
    expect(tenth.length).toBeLessThan(500)
    expect(tenth.every((id) => isSampled(id, 0.2))).toBe(true)
  })
})
