import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyRequests, requests } from './arbitrary/requests.ts'
import { CLIENT_DIALECTS } from './client-dialects.ts'
import { RECORDED_CODECS } from './codecs.ts'
import { crossingIsReported, nothingIsAdded, nothingIsLostInSilence, requestComesBack, TARGET } from './request-laws.ts'

const RUNS = { numRuns: 150 }

describe.each(RECORDED_CODECS)('requests to providers of $name', ({ codec }) => {
  test('everything a client says arrives, is listed as lost, or is refused by the name of its field', () => {
    fc.assert(
      fc.property(anyRequests(codec.dialect), (request) => nothingIsLostInSilence(codec, request)),
      RUNS,
    )
  })

  test('the same request is sent in the same bytes, so that prompt caches are hit', () => {
    fc.assert(
      fc.property(anyRequests(codec.dialect), (request) => {
        const twice = [request, structuredClone(request)].map((canonRequest) =>
          codec.encodeRequest(canonRequest, TARGET),
        )
        expect(JSON.stringify(twice[1])).toBe(JSON.stringify(twice[0]))
      }),
      RUNS,
    )
  })

  test('signatures of other providers are not sent', () => {
    const prover = codec.dialect === 'gemini' ? 'anthropic-messages' : 'gemini'
    fc.assert(
      fc.property(requests(new Set(['reasoning', 'tools']), prover), (request) => {
        expect(JSON.stringify(codec.encodeRequest(request, TARGET))).not.toContain('SEAL')
      }),
      RUNS,
    )
  })
})

describe.each(CLIENT_DIALECTS)('requests in $dialect', (spoken) => {
  test('round trip: what the dialect can say comes back as it was, and nothing is listed as lost', () => {
    fc.assert(
      fc.property(requests(spoken.requests, spoken.client.dialect), (request) => requestComesBack(spoken, request)),
      RUNS,
    )
  })

  test('a request asks for nothing that the client did not ask for', () => {
    fc.assert(
      fc.property(requests(new Set(['stream']), spoken.client.dialect), (request) => nothingIsAdded(spoken, request)),
      RUNS,
    )
  })
})

const pairs = CLIENT_DIALECTS.flatMap((from) => CLIENT_DIALECTS.filter((to) => to !== from).map((to) => ({ from, to })))

describe.each(pairs)('cross: $from.dialect to $to.dialect', ({ from, to }) => {
  test('whatever does not arrive as it was said is listed as lost, or refused', () => {
    fc.assert(
      fc.property(anyRequests(from.client.dialect), (request) => crossingIsReported(from, to, request)),
      RUNS,
    )
  })
})
