import { isRefusal } from '@sluice/contract/errors'
import type { Quote } from '@sluice/providers/prices/quote'
import { expect, test } from 'vitest'
import { outputBound, promptBound } from '../calls/call-bounds.ts'
import { readChat } from '../calls/chat.ts'
import { type ParsedCall, plainCounts } from '../calls/parsed-call.ts'
import type { Candidate } from '../stages/planned.ts'
import { chargeAtMost, holdSize } from './hold-size.ts'

const NANO = 1_000_000_000n

function chat(more: object = {}): ParsedCall {
  const messages = [{ role: 'user', content: 'x'.repeat(100 - '[{"role":"user","content":""}]'.length) }]
  const parsed = readChat(Buffer.from(JSON.stringify({ model: 'm', messages, ...more })))
  if (isRefusal(parsed)) throw new Error(parsed.code)
  return parsed
}

function quote(input: bigint, output: bigint, more: Partial<Quote> = {}): Quote {
  const rates = { input, cachedInput: input, cacheWrite5m: input, cacheWrite1h: input, output }
  return { rates, tiers: [], maxOutput: undefined, context: undefined, source: 'book:1', ...more }
}

const candidate = (priced: Quote, groupRatio = 1_000_000n): Candidate => ({ quote: priced, groupRatio }) as Candidate

const PLAIN = { stream: false, maxOutput: undefined, n: 1 }
const STREAM = { ...PLAIN, stream: true }

test('the prompt is bounded by its bytes, its media and the context window', () => {
  expect(promptBound({ promptBytes: 100 }, undefined)).toBe(16 + 50)
  const media = { count: 2, bytes: 64_000 }
  expect(promptBound({ promptBytes: 100, media }, undefined)).toBe(16 + 50 + 4_000 + 1_000)
  expect(promptBound({ promptBytes: 1_000_000 }, 8_192)).toBe(8_192)
})

test('a declared cap counts once per choice, and the model’s own limit caps it', () => {
  expect(outputBound({ ...PLAIN, maxOutput: 50, n: 3 }, undefined, 500)).toEqual({ tokens: 150, open: false })
  expect(outputBound({ ...PLAIN, maxOutput: 1_000_000 }, 4_000, 500)).toEqual({ tokens: 4_000, open: false })
})

test('without a cap a stream holds PreConsumedQuota tokens and stays open, up to the model’s limit', () => {
  expect(outputBound(STREAM, undefined, 500)).toEqual({ tokens: 500, open: true })
  expect(outputBound({ ...STREAM, n: 2 }, 16_000, 500)).toEqual({ tokens: 1_000, open: true })
  expect(outputBound(STREAM, 300, 500)).toEqual({ tokens: 300, open: false })
})

test('without a cap a plain answer holds more at once, because it cannot be extended', () => {
  expect(outputBound(PLAIN, undefined, 500)).toEqual({ tokens: 4_096, open: true })
  expect(outputBound(PLAIN, undefined, 9_000)).toEqual({ tokens: 9_000, open: true })
  expect(outputBound(PLAIN, 1_000, 500)).toEqual({ tokens: 1_000, open: false })
})

test('every prompt token is priced at the dearest of its classes, times the group’s ratio', () => {
  const priced = quote(2n * NANO, 4n * NANO)
  const dear = { ...priced, rates: { ...priced.rates, cacheWrite1h: 4n * NANO } }
  expect(chargeAtMost(plainCounts(10, 5), priced, 1_000_000n)).toBe(40_000n)
  expect(chargeAtMost(plainCounts(10, 5), dear, 1_000_000n)).toBe(60_000n)
  expect(chargeAtMost(plainCounts(10, 5), priced, 1_500_000n)).toBe(60_000n)
})

test('the dearest candidate decides the hold', () => {
  const request = chat({ max_tokens: 10 })
  const cheap = candidate(quote(NANO, NANO))
  const dear = candidate(quote(2n * NANO, 3n * NANO))
  expect(holdSize(request, [cheap, dear], 500)).toEqual({ amount: 66n * 2_000n + 30_000n, open: false })
  expect(holdSize(request, [cheap], 500).amount).toBe(76_000n)
})

test('the dearest group decides the hold, even where its list price is lower', () => {
  const request = chat({ max_tokens: 10 })
  const cheap = candidate(quote(NANO, NANO), 3_000_000n)
  const dear = candidate(quote(2n * NANO, 2n * NANO), 1_000_000n)
  expect(holdSize(request, [dear, cheap], 500).amount).toBe(3n * 76_000n)
  expect(holdSize(request, [dear], 500).amount).toBe(2n * 76_000n)
})

test('a long prompt is held at its dearer rates', () => {
  const long = { fromInput: 61, fromOutput: 0, rates: quote(10n * NANO, NANO).rates }
  const priced = quote(NANO, NANO, { tiers: [long] })
  expect(holdSize(chat({ max_tokens: 1 }), [candidate(priced)], 500).amount).toBe(661_000n)
})

test('one candidate without a limit leaves the hold open for all', () => {
  const limited = candidate(quote(NANO, NANO, { maxOutput: 10 }))
  const unlimited = candidate(quote(NANO, NANO))
  expect(holdSize(chat({ stream: true }), [limited], 500).open).toBe(false)
  expect(holdSize(chat({ stream: true }), [limited, unlimited], 500).open).toBe(true)
})
