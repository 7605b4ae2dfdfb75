import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBodyRefusal } from '../src/body-refusal.ts'
import type { Target } from '../src/canon/codec.ts'
import { completionsClientCodec } from '../src/openai-completions/codec.ts'
import { bodies } from './arbitrary/bodies.ts'
import { harmed } from './arbitrary/hostile.ts'
import { CLIENT_DIALECTS } from './client-dialects.ts'
import { UPSTREAM_CODECS } from './codecs.ts'
import { freeze } from './freeze.ts'

/** Bodies per dialect, in addition to those of `hostile.laws.test.ts`; `SLUICE_HOSTILE=1000000` for the long run. */
const RUNS = Math.ceil(Number(process.env['SLUICE_HOSTILE'] ?? 3_000) / 5)
const LONG = { timeout: 60_000 + RUNS * 10 }

const completions = fc.record({
  model: fc.constant('m'),
  prompt: fc.constantFrom<unknown>('Once', ['Once'], [1, 2], [[1, 2]]),
  max_tokens: fc.constant(16),
  stop: fc.constantFrom<unknown>('.', ['.', '!']),
  logprobs: fc.constant(2),
  logit_bias: fc.constant({ '50256': -100 }),
  suffix: fc.constant(null),
  echo: fc.boolean(),
})

const CLIENTS = [
  ...CLIENT_DIALECTS.map((spoken) => ({ name: spoken.dialect, client: spoken.client, sent: bodies(spoken) })),
  { name: 'text completions', client: completionsClientCodec, sent: completions },
]

describe.each(CLIENTS)('hostile requests in $name', ({ client, sent }) => {
  test('every body is refused by the name of its field, or can be translated for every provider', LONG, () => {
    fc.assert(
      fc.property(harmed(sent), fc.nat(UPSTREAM_CODECS.length - 1), (body, at) => {
        const request = client.decodeRequest(freeze(body), { model: 'deepl-en', stream: false })
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
