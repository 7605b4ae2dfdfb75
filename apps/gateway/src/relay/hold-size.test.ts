import type { ChatRequest } from '@sluice/dialects/openai-chat/identify'
import type { Quote } from '@sluice/providers/prices/quote'
import { expect, test } from 'vitest'
import { chargeAtMost, holdSize, outputBound, promptBound } from './hold-size.ts'
import type { Candidate } from './plan.ts'

const NANO = 1_000_000_000n

function chat(more: Partial<ChatRequest> = {}): ChatRequest {
  const span = { start: 0, end: 0 }
  return {
    model: 'm',
    stream: false,
    usageAsked: false,
    maxOutput: undefined,
    n: 1,
    promptBytes: 100,
    media: { count: 0, bytes: 0 },
    spans: { body: span, model: span, messages: span, streamOptions: undefined },
    ...more,
  }
}

function quote(input: bigint, output: bigint, more: Partial<Quote> = {}): Quote {
  const rates = { input, cachedInput: input, cacheWrite5m: input, cacheWrite1h: input, output }
  return { rates, tiers: [], maxOutput: undefined, context: undefined, source: 'book:1', ...more }
}

const candidate = (priced: Quote): Candidate => ({ quote: priced }) as Candidate

test('the prompt is bounded by its bytes, its media and the context window', () => {
  expect(promptBound(chat(), undefined)).toBe(16 + 50)
  expect(promptBound(chat({ media: { count: 2, bytes: 64_000 } }), undefined)).toBe(16 + 50 + 4_000 + 1_000)
  expect(promptBound(chat({ promptBytes: 1_000_000 }), 8_192)).toBe(8_192)
})

test('a declared cap counts once per choice, and the model’s own limit caps it', () => {
  expect(outputBound(chat({ maxOutput: 50, n: 3 }), undefined, 500)).toEqual({ tokens: 150, open: false })
  expect(outputBound(chat({ maxOutput: 1_000_000 }), 4_000, 500)).toEqual({ tokens: 4_000, open: false })
})

test('without a cap a stream holds PreConsumedQuota tokens and stays open, up to the model’s limit', () => {
  expect(outputBound(chat({ stream: true }), undefined, 500)).toEqual({ tokens: 500, open: true })
  expect(outputBound(chat({ stream: true, n: 2 }), 16_000, 500)).toEqual({ tokens: 1_000, open: true })
  expect(outputBound(chat({ stream: true }), 300, 500)).toEqual({ tokens: 300, open: false })
})

test('without a cap a plain answer holds more at once, because it cannot be extended', () => {
  expect(outputBound(chat(), undefined, 500)).toEqual({ tokens: 4_096, open: true })
  expect(outputBound(chat(), undefined, 9_000)).toEqual({ tokens: 9_000, open: true })
  expect(outputBound(chat(), 1_000, 500)).toEqual({ tokens: 1_000, open: false })
})

test('every prompt token is priced at the dearest of its classes, times the group’s ratio', () => {
  const { rates } = quote(2n * NANO, 4n * NANO)
  expect(chargeAtMost(10, 5, rates, 1_000_000n)).toBe(40_000n)
  expect(chargeAtMost(10, 5, { ...rates, cacheWrite1h: 4n * NANO }, 1_000_000n)).toBe(60_000n)
  expect(chargeAtMost(10, 5, rates, 1_500_000n)).toBe(60_000n)
})

test('the dearest candidate decides the hold', () => {
  const request = chat({ maxOutput: 10 })
  const cheap = candidate(quote(NANO, NANO))
  const dear = candidate(quote(2n * NANO, 3n * NANO))
  expect(holdSize(request, [cheap, dear], 1_000_000n, 500)).toEqual({ amount: 66n * 2_000n + 30_000n, open: false })
  expect(holdSize(request, [cheap], 1_000_000n, 500).amount).toBe(76_000n)
})

test('a long prompt is held at its dearer rates', () => {
  const long = { fromInput: 61, fromOutput: 0, rates: quote(10n * NANO, NANO).rates }
  const priced = quote(NANO, NANO, { tiers: [long] })
  expect(holdSize(chat({ maxOutput: 1 }), [candidate(priced)], 1_000_000n, 500).amount).toBe(661_000n)
})

test('one candidate without a limit leaves the hold open for all', () => {
  const limited = candidate(quote(NANO, NANO, { maxOutput: 10 }))
  const unlimited = candidate(quote(NANO, NANO))
  expect(holdSize(chat({ stream: true }), [limited], 1_000_000n, 500).open).toBe(false)
  expect(holdSize(chat({ stream: true }), [limited, unlimited], 1_000_000n, 500).open).toBe(true)
})
