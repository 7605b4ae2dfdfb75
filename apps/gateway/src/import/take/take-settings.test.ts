import { describe, expect, it } from 'vitest'
import { takeSettings } from './take-settings.ts'

const rows = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).map(([key, value]) => ({ key, value }))
const here = (settings: Readonly<Record<string, string>>) =>
  Object.fromEntries(takeSettings('new-api', rows(settings)).settings.map(({ key, value }) => [key, value]))

describe('settings of the family', () => {
  it('have the names that they have here', () => {
    expect(
      here({
        'oidc.client_id': 'id',
        'group_ratio_setting.group_ratio': '{}',
        ChannelDisableThreshold: '5',
        Notice: 'Hi',
      }),
    ).toEqual({ OidcClientId: 'id', GroupRatio: '{}', ChannelDisableSeconds: '5', Notice: 'Hi' })
  })

  it('have numbers in plain digits', () => {
    expect(here({ QuotaPerUnit: '500000.000000', ChannelDisableThreshold: '5e+00' })).toEqual({
      QuotaPerUnit: '500000',
      ChannelDisableSeconds: '5',
    })
  })

  it('name a mail server with its encryption, and the account as the sender', () => {
    expect(
      here({ SMTPServer: 'smtp.example', SMTPPort: '465', SMTPAccount: 'a@example.com', SMTPFrom: '' }),
    ).toMatchObject({
      SMTPServer: 'smtps://smtp.example',
      SMTPFrom: 'a@example.com',
    })
    expect(here({ SMTPServer: 'smtp.example', SMTPPort: '587' })).toMatchObject({ SMTPServer: 'smtp.example' })
  })

  it('are prices where they are ratios by model', () => {
    const { ratios, settings } = takeSettings(
      'one-api',
      rows({ ModelRatio: '{"gpt-4o":1.25}', CompletionRatio: '{"gpt-4o":4}', ModelPrice: '{"suno":0.1}' }),
    )
    expect([ratios.modelRatio, ratios.completionRatio, ratios.modelPrice, settings]).toEqual([
      new Map([['gpt-4o', 1.25]]),
      new Map([['gpt-4o', 4]]),
      new Map([['suno', 0.1]]),
      [],
    ])
  })

  it('of the fork of Laisky have no ratios, because it ignores them', () => {
    expect(takeSettings('laisky', rows({ ModelRatio: '{"gpt-4o":1.25}' })).ratios.modelRatio.size).toBe(0)
  })

  it.each(['{"a":-1}', '{"a":"1"}', '{"":1}', '[1]', '{', '{"a":1e300}'])(
    'are at fault with the ratios %s',
    (value) => {
      const { faults, ratios } = takeSettings('one-api', rows({ ModelRatio: value }))
      expect([faults.map(({ key }) => key), ratios.modelRatio.size]).toEqual([['ModelRatio'], 0])
    },
  )

  it('may have the names of members that every object has', () => {
    expect(takeSettings('one-api', rows({ constructor: '1', __proto__x: '2', toString: '3' })).settings).toEqual([
      { source: 'constructor', key: 'constructor', value: '1' },
      { source: '__proto__x', key: '__proto__x', value: '2' },
      { source: 'toString', key: 'toString', value: '3' },
    ])
  })

  it('are at fault when they are not readable, and the others count', () => {
    const { faults, settings } = takeSettings('one-api', [
      { key: 'Notice', value: { unreadable: 'is not valid text in its encoding' } },
      { key: 'SystemName', value: 'Ours' },
    ])
    expect([faults, settings.map(({ key }) => key)]).toEqual([
      [{ key: 'Notice', field: 'value', problem: 'is not valid text in its encoding' }],
      ['SystemName'],
    ])
  })
})
