import type { Fault } from '../../packages/providers/src/failures/failure-rule.ts'
import { faultOf } from '../../packages/providers/src/failures/fault-of.ts'
import { kindOf } from '../../packages/providers/src/kinds/all.ts'
import { errorOf, RECORDED_FAILURES } from '../../tests/recorded/failures.ts'
import { code, page } from './markdown-page.ts'

/** The consequences of each fault; implemented in `relay/upstream` and `packages/routing`. */
const EFFECTS: Readonly<Record<Fault, { next: string; cools: string; reads: string }>> = {
  caller: { next: 'nothing', cools: 'nothing', reads: 'the provider’s words' },
  request_here: { next: 'another provider, address or model', cools: 'nothing', reads: 'the provider’s words' },
  key: { next: 'the next lane', cools: 'the key, 30 s to 10 min', reads: '502, ours' },
  account: { next: 'the next lane', cools: 'the key, 30 s to 10 min', reads: '502, ours' },
  limited: { next: 'the next lane', cools: 'the lane, as asked, or 1 s to 1 min', reads: '429, ours' },
  unknown_model: { next: 'the next lane', cools: 'the lane, 30 s to 10 min', reads: '404, ours' },
  provider: {
    next: 'the next channel',
    cools: 'the model of the channel, once it fails often',
    reads: 'the provider’s words',
  },
}

const SAID_SHOWN = 110

export function providerFailuresPage(): string {
  return page(
    'Failures by vendor',
    'Whose fault it is when a provider answers with an error, for each failure under `tests/recorded/failures`, as the code decides it: by ' +
      'the rules of the channel’s kind (`failures` in `packages/providers/src/kinds`), then by words that all vendors share ' +
      '(`packages/providers/src/failures`), then by the status ([decision 93](../decisions/0093-failures-are-classified-by-vendor.md)). A 403 ' +
      'cools a key down only after three of them with no answer in between, unless it is about the model. Where a client reads a sentence of ours, ' +
      'the operator finds the provider’s in the trace of the request and in the log. Names of accounts are made up.',
    ['Vendor', 'Status', 'It says', 'At fault', 'Tried next', 'Cools down', 'The client reads', 'Met in'],
    RECORDED_FAILURES.map((failure) => {
      const { vendor, kind, status, source } = failure
      const known = kindOf(kind)
      if (known === undefined) throw new Error(`${vendor}: there is no kind ${kind}`)
      const error = errorOf(failure)
      const fault = faultOf(known, status, error)
      const { next, cools, reads } = EFFECTS[fault]
      const said = error?.message ?? ''
      return [
        vendor,
        String(status),
        said.length > SAID_SHOWN ? `${said.slice(0, SAID_SHOWN).trimEnd()} …` : said,
        code(fault),
        next,
        cools,
        reads,
        `[${source.replace('https://github.com/', '')}](${source})`,
      ]
    }),
  )
}
