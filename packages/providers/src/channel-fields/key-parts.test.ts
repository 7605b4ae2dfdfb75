import { cozeDocument, googleDocument } from '@sluice/testkit/channel-bodies'
import { describe, expect, test } from 'vitest'
import { newKeys, updatedKey } from './key-parts.ts'

const AWS = { ak: 'AK', sk: 'SK', region: 'eu-west-1' }

describe('the keys of a create call', () => {
  test('are one per line', () => {
    expect(newKeys(1, ' sk-1\r\n\n  sk-2 \n', {})).toEqual(['sk-1', 'sk-2'])
    expect(newKeys(1, ' \n ', {})).toEqual({ field: 'key', rule: 'API key is required' })
    expect(newKeys(16, 'a.b\nc', {})).toEqual({ field: 'key', rule: 'key 2 must be written as id.secret' })
    const many = Array.from({ length: 501 }, (_, i) => `k${i}`).join('\n')
    expect(newKeys(1, many, {})).toEqual({ field: 'key', rule: 'at most 500 keys can be added at once' })
  })

  test('count as one when a document spans lines, and as several when each line is a whole one', () => {
    const config = { auth_type: 'oauth_jwt' }
    expect(newKeys(34, cozeDocument(), config)).toEqual([cozeDocument()])
    const flat = JSON.stringify(JSON.parse(cozeDocument()))
    expect(newKeys(34, `${flat}\n${flat}`, config)).toEqual([flat, flat])
    const vertex = `us|p|${JSON.stringify(JSON.parse(googleDocument()))}`
    expect(newKeys(42, `${vertex}\n${vertex}\n`, {})).toHaveLength(2)
  })

  test('are joined from the fields of the config', () => {
    expect(newKeys(33, '', AWS)).toEqual(['AK|SK|eu-west-1'])
    const google = { region: 'us', vertex_ai_project_id: 'p', vertex_ai_adc: JSON.parse(googleDocument()) as object }
    expect(newKeys(42, '', google)).toEqual([`us|p|${JSON.stringify(google.vertex_ai_adc)}`])
    expect(newKeys(33, '', { region: 'eu-west-1' })).toEqual({ field: 'key', rule: 'API key is required' })
    expect(newKeys(33, '', { ak: 'AK', region: 'eu-west-1' })).toEqual({
      field: 'config.sk',
      rule: 'is required together with ak and region',
    })
    expect(newKeys(33, '', { ...AWS, region: 'EU' })).toMatchObject({ field: 'key' })
  })
})

describe('the key of an updated channel', () => {
  test('stays when nothing new is given', { tags: 'S33' }, () => {
    expect(updatedKey(1, ' ', {}, {}, 'sk-old')).toBeUndefined()
    expect(updatedKey(33, '', { region: 'eu-west-1' }, {}, 'AK|SK|eu-west-1')).toBeUndefined()
    expect(updatedKey(33, '', { region: 'us-east-1' }, { region: 'us-east-1' }, 'ABSKx')).toBeUndefined()
    expect(updatedKey(33, '', {}, { region: 'us-east-1' }, undefined)).toBeUndefined()
  })

  test('takes one new part and keeps the others', { tags: 'S33' }, () => {
    const change = (changes: object, stored: string | undefined) => updatedKey(33, '', {}, { ...changes }, stored)
    expect(change({ region: 'us-east-1' }, 'AK|SK|eu-west-1')).toBe('AK|SK|us-east-1')
    expect(change({ sk: 'NEW' }, 'AK|SK|eu-west-1')).toBe('AK|NEW|eu-west-1')
    expect(change({ region: 'us-east-1' }, 'AK|SK|eu-west-1|TOKEN')).toBe('AK|SK|us-east-1|TOKEN')
    expect(change({ sk: 'NEW' }, 'AK|SK|eu-west-1|TOKEN')).toBe('AK|NEW|eu-west-1')
    expect(change({ sk: 'NEW' }, undefined)).toEqual({ field: 'config.ak', rule: 'is required together with sk' })
    const stored = `us|p|{"a":"b|c"}`
    expect(updatedKey(42, '', {}, { vertex_ai_project_id: 'q' }, stored)).toMatchObject({ field: 'key' })
    const whole = `us|p|${googleDocument({ note: 'b|c' })}`
    expect(updatedKey(42, '', {}, { vertex_ai_project_id: 'q' }, whole)).toBe(whole.replace('|p|', '|q|'))
  })

  test('is the given one, checked', () => {
    expect(updatedKey(1, ' sk-new ', {}, {}, 'sk-old')).toBe('sk-new')
    expect(updatedKey(1, 'a\nb', {}, {}, 'sk-old')).toEqual({ field: 'key', rule: 'an update accepts only one key' })
    expect(updatedKey(16, 'x', {}, {}, 'a.b')).toEqual({ field: 'key', rule: 'must be written as id.secret' })
  })
})
