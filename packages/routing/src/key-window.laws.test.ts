import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { windowStart } from './key-window.ts'

const fingerprint = fc.integer({ min: 0, max: 16 ** 12 - 1 }).map((number) => number.toString(16).padStart(12, '0'))
const ring = fc.uniqueArray(fingerprint, { minLength: 1, maxLength: 200 }).map((keys) => keys.toSorted())
const bySession = (session: string) => ({ session, nameOf: String })

describe('where a request starts to look among many keys', () => {
  test('is one of them', () => {
    fc.assert(
      fc.property(ring, fc.string(), fc.double({ min: 0, max: 1, noNaN: true }), (keys, session, drawn) => {
        expect(keys[windowStart(keys, bySession(session))]).toBeDefined()
        expect(keys[windowStart(keys, { random: () => drawn })]).toBeDefined()
      }),
    )
  })

  test('stays for a conversation when another key comes or goes', () => {
    fc.assert(
      fc.property(ring, fc.nat(), fc.string(), (keys, pick, session) => {
        const start = keys[windowStart(keys, bySession(session))]
        const gone = keys[pick % keys.length]
        fc.pre(gone !== start)
        const left = keys.filter((key) => key !== gone)
        expect(left[windowStart(left, bySession(session))]).toBe(start)
      }),
    )
  })

  test('is spread evenly over all of them by chance', () => {
    const keys = Array.from({ length: 100 }, (_, at) =>
      Math.floor(at * 2.8e12)
        .toString(16)
        .padStart(12, '0'),
    )
    const sessions = new Set(Array.from({ length: 2_000 }, (_, n) => windowStart(keys, bySession(`chat ${n}`))))
    expect(sessions.size).toBe(100)
    const drawn = Array.from({ length: 1_000 }, (_, n) => windowStart(keys, { random: () => n / 1_000 }))
    expect(drawn.filter((start) => start === 42)).toHaveLength(10)
  })
})
