import { channelCreate, channelDraft, channelUpdate } from '@sluice/contract/channel'
import { replyOfSettings, settingsOfBody } from '@sluice/contract/fields/channel'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/channel-texts.ts'
import { createBody, draftBody, updateBody } from './channel-body.ts'
import { channelFormSchema, type ChannelFormInput, type ChannelFormValues, NEW_CHANNEL } from './channel-form-values.ts'

function values(change: Partial<ChannelFormInput>): ChannelFormValues {
  return v.parse(
    channelFormSchema(en, () => 'kept'),
    { ...NEW_CHANNEL, name: 'main', ...change },
  )
}

const stored = { id: 7, type: 1, config: '' }

describe('channel as sent', () => {
  it('is what the contract accepts, with empty texts as null', { tags: ['B5.17', 'B3.5'] }, () => {
    const body = createBody(values({ key: ' sk-x ', models: ['a', 'b'], groups: ['default', 'vip'], priority: -2 }))
    const { testing_model: _testingModel, ...unset } = replyOfSettings(settingsOfBody({}))
    expect(body).toEqual({
      ...unset,
      name: 'main',
      type: 1,
      key: 'sk-x',
      base_url: '',
      other: '',
      models: 'a,b',
      model_mapping: null,
      model_configs: null,
      system_prompt: null,
      group: 'default,vip',
      priority: -2,
      weight: 0,
      ratelimit: 0,
      inference_profile_arn_map: null,
      config: '{}',
    })
    expect(v.is(channelCreate, body)).toBe(true)
    expect(v.is(channelUpdate, updateBody(stored, values({})))).toBe(true)
  })

  it.each([
    ['AWS', { type: '33', ak: 'A', sk: 'S', region: 'R' }, 'A|S|R'],
    ['AWS for a while', { type: '33', ak: 'A', sk: 'S', region: 'R', session_token: 'T' }, 'A|S|R|T'],
    ['Bedrock', { type: '33', key_form: 'bedrockKey', key: 'ABSK', ak: 'left over' }, 'ABSK'],
    [
      'Entra',
      { type: '3', base_url: 'https://r.test', key_form: 'entra', tenant_id: 'T', client_id: 'C', client_secret: 'S' },
      'T|C|S',
    ],
    ['Spark', { type: '18', key_form: 'sparkTriple', app_id: 'I', api_secret: 'S', api_key: 'K' }, 'I|S|K'],
    ['Baidu', { type: '15', key_form: 'baiduPair', api_key: 'K', api_secret: 'S' }, 'K|S'],
    ['Tencent', { type: '23', key_form: 'tencentSignature', app_id: '1', api_key: 'I', api_secret: 'S' }, '1|I|S'],
    ['a way that this type has not', { type: '1', key_form: 'entra', key: 'sk-x' }, 'sk-x'],
    ['VertexAI', { type: '42', region: 'R', vertex_ai_project_id: 'P', vertex_ai_adc: '{"a":1}' }, 'R|P|{"a":1}'],
    ['AWS without a part', { type: '33', ak: 'A', region: 'R', key: 'left over' }, ''],
    ['OpenAI', { type: '1', key: 'sk-x', ak: 'A' }, 'sk-x'],
    ['several keys', { type: '1', key: 'sk-1\nsk-2\n' }, 'sk-1\nsk-2'],
  ])('joins the key of %s', { tags: ['B5.9', 'B5.10'] }, (_, change, key) => {
    expect(createBody(values(change)).key).toBe(key)
  })

  it('puts several keys into one channel when the user chose that', () => {
    const several = { type: '1', key: 'sk-1\nsk-2' }
    expect(createBody(values(several))).not.toHaveProperty('keys_in_one')
    expect(createBody(values({ ...several, key_mode: 'one' }))).toMatchObject({ keys_in_one: true })
    expect(createBody(values({ type: '1', key: 'sk-1', key_mode: 'one' }))).not.toHaveProperty('keys_in_one')
  })

  it('replaces the keys of a stored channel or adds to them', () => {
    const several = { key: 'sk-1\nsk-2' }
    expect(updateBody(stored, values(several))).toMatchObject({ key: 'sk-1\nsk-2', keys_in_one: true })
    expect(updateBody(stored, values({ key: 'sk-1' }))).not.toHaveProperty('keys_in_one')
    const added = updateBody(stored, values({ ...several, key_mode: 'append' }))
    expect(added).toMatchObject({ key: 'sk-1\nsk-2', key_mode: 'append' })
    expect(v.is(channelUpdate, added)).toBe(true)
    expect(updateBody(stored, values({ key: '', key_mode: 'append' }))).not.toHaveProperty('key_mode')
  })

  it('never sends an empty key for a stored channel, and always sends a typed one', { tags: 'B5.8' }, () => {
    expect(updateBody(stored, values({ key: ' ' }))).not.toHaveProperty('key')
    expect(updateBody({ ...stored, type: 33 }, values({ type: '33', region: 'R' }))).not.toHaveProperty('key')
    expect(updateBody(stored, values({ key: 'sk-new' }))).toMatchObject({ id: 7, key: 'sk-new' })
  })

  it.each([
    ['', '2024-03-01-preview'],
    ['2025-01-01', '2025-01-01'],
  ])('sends the API version %j of Azure as %j', { tags: 'B5.15' }, (other, sent) => {
    expect(createBody(values({ type: '3', base_url: 'https://x.test', other })).other).toBe(sent)
  })

  it('keeps `other` of a type that does not show it, and clears it when the type changes', () => {
    expect(updateBody({ ...stored, type: 25 }, values({ type: '25', other: 'v1beta' }))).not.toHaveProperty('other')
    expect(updateBody({ ...stored, type: 3 }, values({ type: '25', other: 'v1' }))).toMatchObject({ other: '' })
  })

  it.each([
    ['50', { base_url: 'https://x.test' }, { api_format: 'chat_completion' }],
    ['50', { base_url: 'https://x.test', api_format: 'response' }, { api_format: 'response' }],
    ['14', { credentials: 'caller', caller_ratio: '0.1' }, { credentials: 'caller', caller_ratio: '0.1' }],
    ['14', { credentials: 'caller_or_own' }, { credentials: 'caller_or_own' }],
    ['14', { caller_ratio: '0.1' }, {}],
    ['34', { user_id: ' u ' }, { auth_type: 'personal_access_token', user_id: 'u' }],
    ['37', { user_id: 'account' }, { user_id: 'account' }],
    ['33', { region: 'R' }, { region: 'R' }],
    ['33', { region: 'R', sk: 'S' }, { region: 'R', sk: 'S' }],
    ['33', { key_form: 'bedrockKey', region: 'R', sk: 'S' }, { region: 'R' }],
    ['23', { region: 'ap-guangzhou' }, { region: 'ap-guangzhou' }],
    ['1', { region: 'R', user_id: 'u' }, {}],
  ])('type %s with %j sends only its own config', { tags: ['B3.5', 'B9.9'] }, (type, change, config) => {
    expect(JSON.parse(createBody(values({ type, ...change })).config)).toEqual(config)
  })

  it('keeps fields of a stored config that the form does not know', () => {
    const body = updateBody({ ...stored, config: '{"tooling":{"a":1},"user_id":"old"}' }, values({}))
    expect(JSON.parse(body.config)).toEqual({ tooling: { a: 1 } })
  })

  it('sends no address where it follows from the region', () => {
    const values33 = values({ type: '33', base_url: 'https://x.test' })
    expect(createBody(values33).base_url).toBe('')
    expect(updateBody(stored, values33).base_url).toBe('')
    expect(updateBody({ ...stored, type: 33 }, values33).base_url).toBe('https://x.test')
  })

  it('is tested as it would be saved', () => {
    const draft = draftBody(undefined, values({ key: 'sk-x', models: ['a'] }), 'a')
    expect(draft).toMatchObject({ key: 'sk-x', models: 'a', model: 'a' })
    expect(v.is(channelDraft, draft)).toBe(true)
    expect(draftBody(stored, values({}))).toMatchObject({ id: 7, model: '' })
    expect(draftBody(stored, values({}))).not.toHaveProperty('key')
  })
})
