import { describe, expect, it } from 'vitest'
import {
  callerCredentials,
  callerHostProblem,
  callerRuleOf,
  vendorKeyProblem,
} from '../credentials/caller-credentials.ts'
import { kindOf } from './all.ts'
import { VENDORS, vendorOf, vendorOfKey } from './vendor-hosts.ts'

const kind = (code: number) => kindOf(code) ?? never()
const never = (): never => {
  throw new Error('no such kind')
}
const CALLER = { credentials: 'caller' }
const REQUEST = { method: 'POST', path: '/v1/x', headers: [], body: new Uint8Array(0) } as const

describe('the vendors that callers’ own keys may be sent to', () => {
  it('are reached at the addresses of their own kinds, over TLS', () => {
    for (const { kinds, origins } of VENDORS) {
      for (const code of kinds) expect([code, callerHostProblem(kind(code), '', [])]).toEqual([code, undefined])
      for (const origin of origins) {
        expect(new URL(origin).origin).toBe(origin)
        expect(origin).toMatch(/^https:/)
      }
    }
  })

  it('are told apart by how their keys begin', () => {
    const starts = VENDORS.flatMap(({ name, keys }) => keys.map((start) => [start, name] as const))
    for (const [start, name] of starts) expect(vendorOfKey(`${start}x`)?.name).toBe(name)
    expect(vendorOfKey('sk-x')).toBeUndefined()
    expect(new Set(VENDORS.flatMap(({ kinds }) => kinds)).size).toBe(VENDORS.flatMap(({ kinds }) => kinds).length)
  })

  it.each([
    [14, 'https://open.bigmodel.cn/api/anthropic'],
    [14, 'http://api.anthropic.com'],
    [14, 'https://api.anthropic.com:8443'],
    [14, 'https://api.anthropic.com.example.org'],
    [14, 'https://api.anthropic.com@example.org'],
    [1, 'https://api.anthropic.com'],
    [50, 'https://api.openai.com'],
    [43, 'https://api.openai.com'],
  ])('are not a channel of type %i at %s', (code, baseUrl) => {
    expect(callerHostProblem(kind(code), baseUrl, [])).toBeTypeOf('string')
    expect(callerRuleOf({ kind: kind(code), baseUrl, config: CALLER }, [])).toHaveProperty('problem')
  })

  it('get the key in the header that they read, and no other address gets any', () => {
    const keys = [
      [1, 'k', ['authorization', 'Bearer k']],
      [14, 'sk-ant-api03-k', ['x-api-key', 'sk-ant-api03-k']],
      [14, 'sk-ant-oat01-k', ['authorization', 'Bearer sk-ant-oat01-k', 'anthropic-beta', 'oauth-2025-04-20']],
      [24, 'AIzak', ['x-goog-api-key', 'AIzak']],
    ] as const
    for (const [code, key, headers] of keys) {
      const setup = { kind: kind(code), baseUrl: '', config: CALLER, other: '', inferenceProfileArnMap: null }
      const rule = callerRuleOf(setup, [])
      if (rule === undefined || 'problem' in rule) throw new Error('no rule')
      const credentials = callerCredentials(setup, rule, key)
      if ('problem' in credentials) throw new Error(credentials.problem)
      const at = (origin: string) => credentials.sign({ ...REQUEST, origin }, 0)
      expect(at(vendorOf(code)?.origins[0] ?? '')).toEqual(headers)
      for (const origin of ['https://example.org', 'http://api.openai.com', `${vendorOf(code)?.origins[0]}:444`]) {
        expect(at(origin)).toEqual([])
      }
    }
  })

  it('are billed by the ratio of the channel, exactly', () => {
    const ratio = (text?: string) =>
      callerRuleOf({ kind: kind(1), baseUrl: '', config: { ...CALLER, caller_ratio: text } }, [])
    expect(ratio()).toMatchObject({ ratio: 0n })
    expect(ratio('0.000001')).toMatchObject({ ratio: 1n })
    expect(ratio('12.5')).toMatchObject({ ratio: 12_500_000n })
  })
})

describe('a key that a user stores for a vendor', () => {
  it('is one word, and not marked as another vendor’s', () => {
    for (const { name, keys } of VENDORS) {
      expect([name, vendorKeyProblem(name, `${keys[0] ?? ''}0123456789abcdef.0123456789abcdef`)]).toEqual([
        name,
        undefined,
      ])
    }
    expect(vendorKeyProblem('OpenAI', 'sk-ant-api03-k')).toEqual({ owner: 'Anthropic' })
    expect(vendorKeyProblem('OpenAI', 'sk-unmarked')).toBeUndefined()
  })
})
