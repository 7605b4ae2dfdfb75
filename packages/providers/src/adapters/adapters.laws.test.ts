import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChannelSetup } from '../channel-setup.ts'
import { credentialsOf } from '../credentials/credentials-of.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { KINDS } from '../kinds/all.ts'
import type { CredentialScheme } from '../kinds/kind.ts'
import { adaptersOf } from './adapters.ts'
import type { AdapterCall } from './dialect-endpoints.ts'

/** For kinds whose address cannot be built from an arbitrary key. */
const KEYS: Readonly<Partial<Record<CredentialScheme, string>>> = {
  sigv4: 'AK|SK|eu-west-1',
  'google-service-account': 'global|my-project|{}',
}
const DIALECTS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', undefined] as const

const kinds = fc.constantFrom(...KINDS)
/** Kinds with the model in their paths. */
const pathKinds = fc.constantFrom(
  ...KINDS.filter(({ name }) => ['Azure', 'PaLM2', 'Gemini', 'AWS', 'VertexAI', 'Replicate'].includes(name)),
)
/** Names with every character that could have a meaning in an address. */
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
const calls: fc.Arbitrary<AdapterCall> = fc.oneof(
  fc.constant({ endpoint: 'chat_completions', path: '/v1/chat/completions', dialect: 'openai-chat' } as const),
  fc
    .tuple(fc.constantFrom(...ENDPOINTS), fc.constantFrom(...DIALECTS))
    .map(([{ name, path }, dialect]) => ({ endpoint: name, path, dialect })),
)

test(
  'no name of a model leads a call to another host, outside its path, or into another request',
  { tags: 'S1' },
  () => {
    fc.assert(
      fc.property(fc.oneof(kinds, pathKinds), calls, models, fc.boolean(), (kind, call, model, stream) => {
        const given = {
          config: { user_id: 'a' },
          other: '',
          inferenceProfileArnMap: null,
          key: KEYS[kind.credentials] ?? 'k',
        }
        const baseUrl = 'https://base.example/room'
        const adapters = adaptersOf({ kind, baseUrl, ...given })
        if ('problem' in adapters) throw new Error(adapters.problem)
        const address = adapters.adapter(call, model)?.address(stream)
        if (address === undefined) return
        expect(address.origin).toBe('https://base.example')
        expect(address.path).toMatch(/^\/[!-~]*$/)
        // As a server that normalises paths would read it.
        const read = new URL(address.origin + address.path)
        expect([read.origin, read.hash]).toEqual([address.origin, ''])
        expect(read.pathname).toMatch(/^\/room\//)
      }),
      { numRuns: 3_000 },
    )
  },
)

test('no channel, however it is written, crashes its reader or reveals its key', { tags: 'S20' }, () => {
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom('', '|', '||', '|||', 'a|b|c', 'https://a.example', '{'),
  )
  fc.assert(
    fc.property(kinds, texts, texts, texts, fc.object({ maxDepth: 1 }), (kind, key, baseUrl, other, config) => {
      const setup: ChannelSetup = { kind, key: `canary${key}`, baseUrl, other, config, inferenceProfileArnMap: other }
      for (const made of [adaptersOf(setup), credentialsOf(setup)]) {
        if ('problem' in made) expect(made.problem).not.toContain('canary')
        else if ('adapter' in made)
          made.adapter({ endpoint: 'chat_completions', path: '/v1/chat/completions', dialect: 'openai-chat' }, key)
      }
    }),
    { numRuns: 3_000 },
  )
})
