import { CHANNEL_KIND_CODES, CHANNEL_KINDS } from '@sluice/contract/channel-kinds'
import { describe, expect, it } from 'vitest'
import { keyCount, keyNeed, originOf } from './channel-key.ts'
import { kindOf } from './channel-kind.ts'

const OPENAI = 'https://api.openai.com'

describe('where a key goes', () => {
  it('is scheme, host and port of the address, or of the type’s default where there is none', () => {
    expect(originOf('', `${OPENAI}/v1`)).toBe(OPENAI)
    expect(originOf(' HTTPS://API.EXAMPLE.org:443/v1 ', OPENAI)).toBe('https://api.example.org')
    expect(originOf('http://api.example.org:8443', '')).toBe('http://api.example.org:8443')
    expect(originOf('', '')).toBe('')
    expect(originOf('half an addr', '')).toBe('half an addr')
  })

  it('decides whether the stored one may stay', { tags: 'S5' }, () => {
    const home = { type: 1, origin: OPENAI }
    expect(keyNeed(undefined, 1, OPENAI, true)).toBe('new')
    expect(keyNeed(home, 1, OPENAI, false)).toBe('kept')
    expect(keyNeed(home, 1, 'https://elsewhere.test', false)).toBe('otherAddress')
    expect(keyNeed(home, 1, 'https://elsewhere.test', true)).toBe('movesAlong')
    expect(keyNeed(home, 4, 'https://api.openai-proxy.org', false)).toBe('otherAddress')
    expect(keyNeed(home, 33, '', true)).toBe('otherForm')
  })
})

describe('several keys', () => {
  it('make a channel each, one per line', () => {
    expect(keyCount(1, 'sk-1\n\n sk-2 \n', '')).toBe(2)
    expect(keyCount(1, '', '')).toBe(1)
    expect(keyCount(34, '{\n"a": 1\n}', '')).toBe(1)
    expect(keyCount(33, 'left\nover', '')).toBe(1)
    expect(keyCount(33, 'ABSK1\nABSK2', 'bedrockKey')).toBe(2)
  })
})

describe('the table of providers', () => {
  it('has each type once, and a generic one for an unknown code', () => {
    expect(CHANNEL_KINDS.map(({ code }) => code)).toEqual(CHANNEL_KIND_CODES)
    expect(kindOf(99)).toMatchObject({ name: '#99', baseUrl: 'optional' })
  })

  it('leads from discontinued providers to existing ones', () => {
    for (const { standing } of CHANNEL_KINDS) {
      if (standing !== undefined) expect(kindOf(standing.instead).standing).toBeUndefined()
    }
  })
})
