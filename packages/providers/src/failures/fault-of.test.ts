import { describe, expect, test } from 'vitest'
import { KINDS } from '../kinds/all.ts'
import { anthropic } from '../kinds/anthropic.ts'
import { openAiCompatible } from '../kinds/any-server.ts'
import type { ProviderKind } from '../kinds/kind.ts'
import { openAi } from '../kinds/openai.ts'
import type { SaidError } from './failure-rule.ts'
import { faultOf } from './fault-of.ts'
import { USUAL_WORDS } from './usual-words.ts'

const says = (message: string, more: Partial<SaidError> = {}): SaidError => ({
  message,
  type: undefined,
  code: undefined,
  param: undefined,
  ...more,
})

test.each([
  [302, 'provider'],
  [400, 'caller'],
  [401, 'key'],
  [402, 'account'],
  [403, 'key'],
  [404, 'request_here'],
  [405, 'request_here'],
  [408, 'provider'],
  [409, 'caller'],
  [413, 'request_here'],
  [415, 'request_here'],
  [422, 'caller'],
  [429, 'limited'],
  [500, 'provider'],
  [503, 'provider'],
  [529, 'provider'],
] as const)('status %i without any words is the fault of: %s', (status, fault) => {
  expect(faultOf(openAi, status, undefined)).toBe(fault)
  expect(faultOf(openAi, status, says('Something happened.'))).toBe(fault)
})

test('a model that only a part of the request names is the request’s own affair', () => {
  const code = 'model_not_found'
  expect(faultOf(openAi, 400, says('No such model.', { code, param: 'tools[0].model' }))).toBe('request_here')
  expect(faultOf(openAi, 400, says('No such model.', { code, param: 'model' }))).toBe('unknown_model')
  expect(faultOf(openAi, 404, says('No such model.', { code }))).toBe('unknown_model')
})

describe('a caller cannot make a channel look guilty', () => {
  const LOW =
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.'
  const blamed = ['key', 'account', 'unknown_model']
  const rules = [...USUAL_WORDS, ...KINDS.flatMap((kind: ProviderKind) => kind.failures ?? [])].filter(
    ({ fault, text }) => text !== undefined && blamed.includes(fault),
  )

  test.each([`${LOW}: Extra inputs are not permitted`, `tools.0.${LOW}`, ` ${LOW}"`, `messages: "${LOW}"`])(
    'by a name or a text that the provider quotes: %s',
    (message) => {
      for (const kind of [anthropic, openAiCompatible]) {
        expect(blamed).not.toContain(faultOf(kind, 400, says(message, { type: 'invalid_request_error' })))
      }
    },
  )

  test.each(rules.map(({ text }) => text?.source ?? ''))('for the whole message must match: %s', (source) => {
    expect(source).toMatch(/^\^.*\$$/)
    const bare = source.replaceAll('\\d+', '#').replaceAll(/\\[^wd]/g, '_')
    // No part may take arbitrary text, and only numbers may be unlimited in length.
    expect(bare.replaceAll(/\[\^[`"']{1,2}\]|\[[^\]]*\]/g, '_')).not.toMatch(/[.*+]/)
    expect(bare).not.toMatch(/\[\^(?!`\]|"'\])/)
  })
})
