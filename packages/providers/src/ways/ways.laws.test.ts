import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChannelSetup } from '../channel-setup.ts'
import { credentialsOf } from '../credentials/credentials-of.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { CHANNEL_KINDS } from '../kind-rows.ts'
import type { WayCall } from './faces.ts'
import { waysOf } from './ways.ts'

const KEYS: Readonly<Record<number, string>> = { 33: 'AK|SK|eu-west-1', 42: 'global|my-project|{}' }
const DIALECTS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', undefined] as const

const kinds = fc.constantFrom(...CHANNEL_KINDS)
/** The model is part of their paths. */
const pathKinds = fc.constantFrom(...CHANNEL_KINDS.filter(({ code }) => [3, 11, 24, 33, 42, 46].includes(code)))
/** Names with everything in them that could mean something to an address. */
const models = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '..',
    '../..',
    'a/..',
    '../../../x',
    '.',
    'models/..',
    'publishers/../x',
    'claude-/..',
    '..:v',
    'a/b:v',
  ),
  fc
    .array(
      fc.constantFrom('..', '.', '/', '\\', '?', '#', ':', '%2e', '%2F', '@', ' ', '\r\n', 'claude-', 'bot-', 'm', '|'),
    )
    .map((parts) => parts.join('')),
)
const calls: fc.Arbitrary<WayCall> = fc.oneof(
  fc.constant({ endpoint: 'chat_completions', path: '/v1/chat/completions', dialect: 'openai-chat' } as const),
  fc
    .tuple(fc.constantFrom(...ENDPOINTS), fc.constantFrom(...DIALECTS))
    .map(([{ name, path }, dialect]) => ({ endpoint: name, path, dialect })),
)

test('S1 no name of a model leads a call to another host, out of its room, or into another request', () => {
  fc.assert(
    fc.property(fc.oneof(kinds, pathKinds), calls, models, fc.boolean(), (kind, call, model, stream) => {
      const given = { config: { user_id: 'a' }, other: '', inferenceProfileArnMap: null, key: KEYS[kind.code] ?? 'k' }
      const baseUrl = 'https://base.example/room'
      const ways = waysOf({ kind, baseUrl, ...given })
      if ('problem' in ways) throw new Error(ways.problem)
      const address = ways.way(call, model)?.address(stream)
      if (address === undefined) return
      expect(address.origin).toBe('https://base.example')
      expect(address.path).toMatch(/^\/[!-~]*$/)
      // As a server reads it that tidies paths up.
      const read = new URL(address.origin + address.path)
      expect([read.origin, read.hash]).toEqual([address.origin, ''])
      expect(read.pathname).toMatch(/^\/room\//)
    }),
    { numRuns: 3_000 },
  )
})

test('S20 no channel, however it is written, breaks what reads it, or has its key told', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom('', '|', '||', '|||', 'a|b|c', 'https://a.example', '{'),
  )
  fc.assert(
    fc.property(kinds, texts, texts, texts, fc.object({ maxDepth: 1 }), (kind, key, baseUrl, other, config) => {
      const setup: ChannelSetup = { kind, key: `canary${key}`, baseUrl, other, config, inferenceProfileArnMap: other }
      for (const made of [waysOf(setup), credentialsOf(setup)]) {
        if ('problem' in made) expect(made.problem).not.toContain('canary')
        else if ('way' in made)
          made.way({ endpoint: 'chat_completions', path: '/v1/chat/completions', dialect: 'openai-chat' }, key)
      }
    }),
    { numRuns: 3_000 },
  )
})
