import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBodyRefusal } from '../src/body-refusal.ts'
import type { Target } from '../src/canon/codec.ts'
import { bodies } from './arbitrary/bodies.ts'
import { harmed } from './arbitrary/hostile.ts'
import { CLIENT_DIALECTS } from './client-dialects.ts'
import { UPSTREAM_CODECS } from './codecs.ts'
import { freeze } from './freeze.ts'

/** Bodies per dialect, beside what `hostile.laws.test.ts` tries; `SLUICE_HOSTILE=1000000` for the long run. */
const RUNS = Math.ceil(Number(process.env['SLUICE_HOSTILE'] ?? 3_000) / 5)
const LONG = { timeout: 60_000 + RUNS * 10 }

describe.each(CLIENT_DIALECTS)('hostile requests in $dialect', (spoken) => {
  test('whatever a body holds is refused by the name of its field, or can be asked of every provider', LONG, () => {
    fc.assert(
      fc.property(harmed(bodies(spoken)), fc.nat(UPSTREAM_CODECS.length - 1), (body, at) => {
        const request = spoken.client.decodeRequest(freeze(body), { model: 'deepl-en', stream: false })
        if (isBodyRefusal(request)) {
          expect(request.params['rule']).toMatch(/\w/)
          expect(request.field ?? '').toMatch(/\w/)
          return
        }
        const target: Target = { model: 'deepl-en', stream: request.stream, takes: {}, defaultMaxTokens: 4_096 }
        const encoded = UPSTREAM_CODECS[at]?.encodeRequest(freeze(request), target)
        expect(() => JSON.stringify(encoded)).not.toThrow()
      }),
      { numRuns: RUNS },
    )
  })
})
