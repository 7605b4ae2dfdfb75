import { isRefusal } from '@sluice/contract/errors'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { charge } from '@sluice/ledger/pricing'
import { pricedUsage, type Quote } from '@sluice/providers/prices/quote'
import { callBody } from '@sluice/testkit/call-bodies'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { chargeAtMost } from '../charge/hold-size.ts'
import { inPricedUnits } from '../charge/priced-units.ts'
import { promptBound } from './call-bounds.ts'
import { CALL_KINDS } from './calls.ts'
import type { ParsedCall } from './parsed-call.ts'

const GROUP = 1_500_000n
const PRE_CONSUMED = 100
/** Two seconds of audio contain at most this much text. */
const SPOKEN = 20

const rate = fc.bigInt({ min: 0n, max: 10n ** 12n })
const units = fc.record(
  {
    image: rate,
    image_input: rate,
    image_output: rate,
    character: rate,
    audio_ms: rate,
    audio_input: rate,
    audio_output: rate,
    reasoning_output: rate,
    search: rate,
    call: rate,
  },
  { requiredKeys: [] },
)
/** Prices of every shape: by token, by piece, both, or free in either direction. */
const quotes: fc.Arbitrary<Quote> = fc
  .record({ input: rate, cachedInput: rate, cacheWrite5m: rate, cacheWrite1h: rate, output: rate, units })
  .map((rates) => ({ rates, tiers: [], maxOutput: undefined, context: undefined, source: 'book:1' }))

function parsed(path: string, more: object = {}): ParsedCall {
  const kind = CALL_KINDS.find((each) => each.path === path)
  const call = callBody(path, 'm')
  if (kind === undefined || call === undefined) throw new Error(path)
  const body = typeof call.body === 'string' ? JSON.stringify({ ...JSON.parse(call.body), ...more }) : call.body
  const read = kind.read(Buffer.from(body), call.headers['content-type'], {}, {})
  if (isRefusal(read)) throw new Error(read.code)
  return read
}

function cost(counts: TokenCounts, quote: Quote): bigint {
  const { counts: priced, rates } = pricedUsage(quote, inPricedUnits(counts, quote.rates))
  return charge(priced, { rates, groupRatio: GROUP, source: '' })
}

test.each(CALL_KINDS.map(({ path }) => path))('%s: what is counted here never costs more than was held', (path) => {
  const call = parsed(path, path.includes('completions') ? { max_tokens: SPOKEN } : {})
  fc.assert(
    fc.property(quotes, fc.nat(SPOKEN), (quote, output) => {
      const held = chargeAtMost(call.bound(quote, PRE_CONSUMED).counts, quote, GROUP)
      const prompt = promptBound(call, undefined)
      expect(cost(call.ownCounts({ prompt, output }), quote) <= held).toBe(true)
    }),
  )
})

test.each<[string, object, TokenCounts['units'], Partial<TokenCounts>]>([
  ['/v1/chat/completions', { max_tokens: 20 }, { audio_output: 20, audio_input: 30 }, {}],
  ['/v1/chat/completions', { max_tokens: 20 }, { image_input: 30 }, { output: 20, reasoning: 10 }],
  ['/v1/images/generations', { n: 3 }, { image: 3, image_output: 3 * 6_240 }, { input: 16 }],
  ['/v1/images/generations', { n: 2 }, { image: 2 }, {}],
  ['/v1/images/edits', {}, { image: 1, image_input: 8_000, image_output: 6_240 }, { input: 16 }],
  ['/v1/images/variations', {}, { image: 1, image_input: 8_000 }, {}],
  ['/v1/rerank', {}, { search: 1 }, {}],
  ['/v1/rerank', {}, undefined, { input: 30 }],
  ['/v1/audio/speech', { stream_format: 'sse' }, { audio_output: 60 }, { input: 15 }],
  ['/v1/audio/transcriptions', {}, { audio_ms: 2_000 }, {}],
  ['/v1/audio/transcriptions', {}, { audio_input: 20 }, { output: SPOKEN }],
])('%s %j: what a provider counts, %j, never costs more than was held', (path, more, counted, classes) => {
  const call = parsed(path, more)
  const none = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 }
  fc.assert(
    fc.property(quotes, (quote) => {
      const held = chargeAtMost(call.bound(quote, PRE_CONSUMED).counts, quote, GROUP)
      expect(cost({ ...none, ...classes, units: counted }, quote) <= held).toBe(true)
    }),
  )
})
