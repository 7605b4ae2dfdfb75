import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode } from './errors.ts'
import { PHRASES_IN_CHINESE, refusalInChinese } from './refusal-in-chinese.ts'

const placesOf = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()
const codes = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS)

describe('a refusal in Chinese', () => {
  it.each(codes)('has the placeholders of %s', (code) => {
    expect(placesOf(ERRORS[code].chinese)).toEqual(placesOf(ERRORS[code].text))
  })

  it('translates the gateway’s own words, and leaves those of others as they are', () => {
    const say = (reason: string) => refusalInChinese({ code: 'refused', params: { reason } })
    expect(say('The redemption code has been used.')).toBe('兑换码已被使用。')
    expect(say('An account is limited to 100 tokens.')).toBe('每个账号最多可有 100 个令牌。')
    expect(say('Quota exceeded at the provider')).toBe('Quota exceeded at the provider')
    expect(refusalInChinese({ code: 'not_found', params: { what: 'User' } })).toBe('未找到用户。')
  })

  it('translates no names', () => {
    const params = { field: 'User', rule: 'is required' }
    expect(refusalInChinese({ code: 'invalid_body', params })).toBe('User：为必填项。')
    const typed = { field: 'size', rule: 'expected number, got "ten"' }
    expect(refusalInChinese({ code: 'invalid_body', params: typed })).toBe('size：应为 number，实际为 "ten"。')
  })

  it('searches no long text for phrases', () => {
    const reason = `The release feed could not be read: ${'a. '.repeat(200)}.`
    expect(refusalInChinese({ code: 'refused', params: { reason } })).toBe(reason)
  })
})

describe('phrases', () => {
  it('have the same placeholders in both languages', () => {
    for (const [english, chinese] of PHRASES_IN_CHINESE) expect(placesOf(chinese), english).toEqual(placesOf(english))
  })

  it('all occur in the source', () => {
    const root = join(import.meta.dirname, '..', '..', '..')
    const sources = ['packages/contract/src', 'packages/store/src', 'apps/gateway/src/management'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.includes('-in-chinese') && !name.includes('.test.'))
        .map((name) => readFileSync(join(root, folder, name), 'utf8')),
    )
    const templates = sources.join('\n').replaceAll(/\$\{[^}]+\}/g, '{}')
    const said = templates + templates.replaceAll(/\d+/g, '{}')
    const phrases = PHRASES_IN_CHINESE.map(([english]) => english.replaceAll(/\{\w+\}/g, '{}'))
    const unsaid = phrases.filter((phrase) => !said.includes(phrase))
    expect(unsaid).toEqual([])
  })
})
