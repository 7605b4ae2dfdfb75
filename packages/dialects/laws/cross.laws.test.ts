import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBodyRefusal } from '../src/body-refusal.ts'
import { isInexpressible, type Target } from '../src/canon/codec.ts'
import type { Loss } from '../src/canon/losses.ts'
import type { CanonRequest } from '../src/canon/request.ts'
import { REQUEST_FEATURES, requests } from './arbitrary/requests.ts'
import { CLIENT_DIALECTS, type ClientDialect } from './client-dialects.ts'
import { type Facet, facets, plain } from './facets.ts'
import { freeze } from './freeze.ts'
import { isTold } from './loss-names.ts'

const ALL = new Set(REQUEST_FEATURES)
const RUNS = { numRuns: 300 }

/** The request as a client of the dialect would have sent it, and what that lost. */
function through({ client, upstream, takes }: ClientDialect, request: CanonRequest) {
  const target: Target = { model: request.model, stream: request.stream, takes, defaultMaxTokens: 4_096 }
  const encoded = upstream.encodeRequest(request, target)
  if (isInexpressible(encoded)) return encoded
  const back = client.decodeRequest(freeze(encoded.body), { model: request.model, stream: request.stream })
  if (isBodyRefusal(back)) throw new Error(`refused its own body: ${JSON.stringify(back.params)}`)
  return { request: freeze(back), losses: encoded.losses }
}

/** What two requests say differently, unless the losses tell of it. */
function silentLosses(
  before: CanonRequest,
  after: CanonRequest,
  losses: readonly Loss[],
  { unsaid }: ClientDialect,
): readonly unknown[] {
  const [said, heard] = [facets(before), facets(after)]
  return [...said].flatMap(([facet, value]) => {
    const [a, b] = [plain(value), plain(heard.get(facet))]
    return a === undefined || unsaid.has(facet) || JSON.stringify(a) === JSON.stringify(b) || isTold(facet, losses)
      ? []
      : [{ facet, said: a, heard: b }]
  })
}

describe.each(CLIENT_DIALECTS)('requests in $dialect', (spoken) => {
  test('round trip: what the dialect can say comes back as it was, and nothing is listed as lost', () => {
    fc.assert(
      fc.property(requests(spoken.requests, spoken.client.dialect), (request) => {
        const back = through(spoken, request)
        if ('rule' in back) throw new Error(`${back.field} ${back.rule}`)
        expect(silentLosses(request, back.request, [], spoken)).toStrictEqual([])
        expect(back.losses).toStrictEqual([])
      }),
      RUNS,
    )
  })

  test('a request asks for nothing that the client did not ask for', () => {
    fc.assert(
      fc.property(requests(new Set(['stream']), spoken.client.dialect), (request) => {
        const back = through(spoken, request)
        if ('rule' in back) throw new Error(`${back.field} ${back.rule}`)
        const asked = [...facets(back.request)]
          .filter(([, value]) => plain(value) !== undefined)
          .map(([facet]) => facet)
        const allowed: readonly Facet[] = ['conversation', 'max_tokens']
        expect(asked.filter((facet) => !allowed.includes(facet))).toStrictEqual([])
      }),
      RUNS,
    )
  })
})

const pairs = CLIENT_DIALECTS.flatMap((from) => CLIENT_DIALECTS.filter((to) => to !== from).map((to) => ({ from, to })))

describe.each(pairs)('cross: $from.dialect to $to.dialect', ({ from, to }) => {
  test('whatever is not heard as it was said is listed as lost, or refused', () => {
    fc.assert(
      fc.property(requests(ALL, from.client.dialect), (request) => {
        const first = through(from, request)
        if ('rule' in first) return
        const second = through(to, first.request)
        if ('rule' in second) return
        expect(silentLosses(first.request, second.request, second.losses, to)).toStrictEqual([])
      }),
      RUNS,
    )
  })
})
