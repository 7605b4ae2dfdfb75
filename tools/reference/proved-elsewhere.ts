/**
 * Sentences without a browser test or a console test, and the reason: proved elsewhere, a heading of others that are, or a remark
 * about the specification itself. An entry is removed when there is a test.
 */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'A1.1': 'Says who the product is for.',
  'A3.13': 'Heading; the payloads are A3.14 to A3.16.',
  'A6.4': 'Says what the specification leaves out; `docs/reference/management-api.md` shows who may do what here.',
  'A7.25': 'Says what the specification leaves out; the suites of `apps/gateway/src/management` prove it.',
  'A9.20': 'Says what the specification leaves open; `apps/console/src/ui/chart/series-colours.ts` chooses them.',
  'B1.1': 'Heading; the two audiences are B1.2 and B1.3.',
  'B2.1': 'Heading; the routes are B2.2 to B2.15.',
  'B5.2': 'Says what the specification leaves out; the other rules are A5.20 to A5.24.',
  'B5.6': 'Heading; the rules are B5.7 to B5.19.',
  'B6.6': 'Remark about the specification; what it asks is B6.5.',
  'B6.7': 'Says what the specification leaves out; `docs/reference/management-api.md` shows who may do what here.',
  'B6.8': 'Says what the specification leaves out; the suites of `apps/gateway/src/management` prove it.',
  'B7.29': 'Says what the specification leaves out; the suites of `apps/gateway/src/management` prove it.',
  'C1.1': 'Says who the product is for.',
  'C1.3': 'Heading; the areas are C1.4 to C1.12.',
  'C2.16': 'Says what the specification leaves out; the gateway refuses each call, as the permission matrix proves.',
  'C2.17': 'Remark about the specification itself.',
  'C7.13': 'The console does not use the call; `apps/gateway/src/relay/calls` proves that the gateway has it.',
  'C7.19': 'The console does not use the call; `packages/dialects/src/openai-responses` proves its events.',
  'C7.20': 'Says what the specification leaves out; the suites of `apps/gateway/src/relay` prove it.',
  'C6.5': 'Says what the specification leaves out; the suites of `apps/gateway/src/management` prove it.',
}
