import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { REQUEST_FEATURES } from '../../../laws/arbitrary/request-features.ts'
import { requests } from '../../../laws/arbitrary/requests.ts'
import { freeze } from '../../../laws/freeze.ts'
import { isInexpressible } from '../../canon/codec.ts'
import type { JsonObject } from '../../json-value.ts'
import { encodeRequest } from '../encode-request.ts'
import { applyQuirks } from './apply-quirks.ts'
import { isTouched } from './is-touched.ts'
import type { Quirk } from './quirk.ts'

const QUIRKS = [
  'max-tokens-only',
  'one-cap',
  'no-developer',
  'no-store',
  'no-stream-options',
  'string-content',
  'string-tool-content',
  'no-null-content',
  'clamp-sampling',
  'fixed-sampling',
  'short-tool-ids',
  'no-json-schema',
  'no-strict-tools',
  'known-fields-only',
  'no-logprobs',
  'tool-stream',
  'needs-reasoning',
  'thinking-type',
  'enable-thinking',
  'reasoning-object',
  'reasoning-enabled',
  'google-thinking',
  'reasoning-split',
] as const satisfies readonly Quirk[]

const TARGET = { model: 'm', stream: true, takes: {}, defaultMaxTokens: 100 }
/** Clients' bodies with every feature. */
const bodies: fc.Arbitrary<JsonObject> = requests(new Set(REQUEST_FEATURES), 'openai-chat').map((request) => {
  const encoded = encodeRequest({ ...request, extra: { dialect: 'openai-chat', fields: {} } }, TARGET)
  return isInexpressible(encoded) ? {} : freeze(encoded.body)
})

test.each(QUIRKS)('%s changes no body twice, and none in place', (quirk) => {
  fc.assert(
    fc.property(bodies, (body) => {
      const once = applyQuirks(body, [quirk], TARGET)
      const twice = applyQuirks(freeze(once.body), [quirk], TARGET)
      expect(twice.body).toStrictEqual(once.body)
      expect(twice.losses.filter(({ became }) => became === 'dropped')).toStrictEqual([])
    }),
    { numRuns: 60 },
  )
})

test.each(QUIRKS)('%s does not touch a body without anything for it to change', (quirk) => {
  const samplings = fc.constantFrom(undefined, 'all', 'none', 'unless-thinking')
  fc.assert(
    fc.property(bodies, samplings, (body, sampling) => {
      const takes = { sampling }
      const text = JSON.stringify(body)
      if (
        isTouched(
          [quirk],
          () => takes,
          (mark) => text.includes(mark),
        )
      )
        return
      const { body: fitted, losses } = applyQuirks(body, [quirk], { ...TARGET, takes })
      expect(fitted).toStrictEqual(body)
      expect(losses).toStrictEqual([])
    }),
    { numRuns: 60 },
  )
})

test('no body makes it throw', () => {
  const names = fc.constantFrom(
    'messages',
    'tools',
    'reasoning',
    'thinking',
    'response_format',
    'temperature',
    'stream',
  )
  fc.assert(
    fc.property(fc.dictionary(names, fc.jsonValue()), fc.subarray([...QUIRKS]), (body, quirks) => {
      applyQuirks(freeze(body), quirks, TARGET)
    }),
    { numRuns: 500 },
  )
})
