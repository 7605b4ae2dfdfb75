import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInexpressible, type Target } from '../src/canon/codec.ts'
import { REQUEST_FEATURES, requests } from './arbitrary/requests.ts'
import { UPSTREAM_CODECS } from './codecs.ts'
import { isTold } from './loss-names.ts'
import { Haystack, needlesOf } from './needles.ts'

const ALL = new Set(REQUEST_FEATURES)
/** DeepL's models are languages; the others take any name. */
const TARGET: Target = { model: 'deepl-en', stream: false, takes: {}, defaultMaxTokens: 4_096 }

describe.each(UPSTREAM_CODECS)('requests in $dialect', (codec) => {
  test('everything a client says arrives, is listed as lost, or is refused by the name of its field', () => {
    fc.assert(
      fc.property(requests(ALL, codec.dialect), (request) => {
        const encoded = codec.encodeRequest(request, TARGET)
        if (isInexpressible(encoded)) {
          expect(encoded.field).toMatch(/^[\w.[\]]+$/)
          return
        }
        const body = new Haystack(encoded.body)
        const silent = needlesOf(request).filter(
          (needle) => !body.holds(needle) && !isTold(needle.facet, encoded.losses),
        )
        expect(silent).toStrictEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('the same request is sent in the same bytes, so that prompt caches are hit', () => {
    fc.assert(
      fc.property(requests(ALL, codec.dialect), (request) => {
        const [first, second] = [
          codec.encodeRequest(request, TARGET),
          codec.encodeRequest(structuredClone(request), TARGET),
        ]
        expect(JSON.stringify(second)).toBe(JSON.stringify(first))
      }),
      { numRuns: 200 },
    )
  })
})
