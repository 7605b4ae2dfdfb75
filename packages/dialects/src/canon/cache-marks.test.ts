import { expect, test } from 'vitest'
import { encodeRequest } from '../anthropic/encode-request.ts'
import { isInexpressible } from './codec.ts'
import type { CacheMark } from './parts.ts'
import type { CanonRequest } from './request.ts'

const marked = (text: string, ttl?: CacheMark['ttl']) =>
  ({ kind: 'text', text, ...(ttl === undefined ? {} : { cache: { ttl } }) }) as const
const asked = (more: Partial<CanonRequest>): CanonRequest => ({
  model: 'm',
  stream: false,
  system: [],
  turns: [{ role: 'user', parts: [marked('1')] }],
  tools: [],
  builtins: [],
  sampling: {},
  extra: { dialect: 'openai-chat', fields: {} },
  ...more,
})
function sent(request: CanonRequest) {
  const encoded = encodeRequest(request, { model: 'claude', stream: false, takes: {}, defaultMaxTokens: 9 })
  if (isInexpressible(encoded)) throw new Error(encoded.rule)
  const marks = JSON.stringify(encoded.body).match(/"text":"\w+","cache_control":\{[^}]*\}/g) ?? []
  const name = (mark: string) => mark.replace(/^"text":"(\w+)".*?(?:"ttl":"(1h)")?\}$/, '$1$2')
  return { marks: marks.map(name).toSorted(), losses: encoded.losses }
}
const CHANGED = [{ what: 'cache_control', became: 'changed' }]

test('if there are more than four marks, the last ones stay, and one before the conversation', () => {
  const system = [marked('s1', '5m'), marked('s2', '5m')]
  const parts = ['a', 'b', 'c', 'd'].map((text) => marked(text, '5m'))
  const request = asked({ system, turns: [{ role: 'user', parts }] })
  expect(sent(request)).toStrictEqual({ marks: ['b', 'c', 'd', 's2'], losses: CHANGED })
  expect(sent({ ...request, system: [] })).toStrictEqual({ marks: ['a', 'b', 'c', 'd'], losses: [] })
  const short = { ...request, turns: [{ role: 'user' as const, parts: parts.slice(0, 3) }] }
  expect(sent({ ...short, system: [...system, ...system] }).marks).toStrictEqual(['a', 'b', 'c', 's2'])
})

test('a mark does not last longer than one before it', () => {
  const request = asked({ system: [marked('s', '5m')], turns: [{ role: 'user', parts: [marked('a', '1h')] }] })
  expect(sent(request)).toStrictEqual({ marks: ['a', 's'], losses: CHANGED })
  const inOrder = asked({ system: [marked('s', '1h')], turns: [{ role: 'user', parts: [marked('a', '5m')] }] })
  expect(sent(inOrder)).toStrictEqual({ marks: ['a', 's1h'], losses: [] })
})

test('a client of the dialect itself is trusted', () => {
  const parts = ['a', 'b', 'c', 'd', 'e'].map((text) => marked(text, '5m'))
  const extra = { dialect: 'anthropic-messages', fields: {} } as const
  expect(sent(asked({ turns: [{ role: 'user', parts }], extra })).marks).toHaveLength(5)
})
