import type { Channel } from '@sluice/contract/channel'
import { replyOfSettings, settingsOfBody } from '@sluice/contract/fields/channel'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/channel-texts.ts'
import { channelFormSchema, formOfChannel, NEW_CHANNEL } from './channel-form-values.ts'
import type { KeyNeed } from './channel-key.ts'

const form = { ...NEW_CHANNEL, name: 'main', key: 'sk-x' }

function messagesOf(change: object, need: KeyNeed = 'new'): Readonly<Record<string, string>> {
  const { issues = [] } = v.safeParse(
    channelFormSchema(en, () => need),
    { ...form, ...change },
  )
  return Object.fromEntries(issues.map((issue) => [v.getDotPath(issue), issue.message]))
}

const coze = {
  client_type: 'jwt',
  client_id: '1',
  coze_www_base: 'https://www.coze.com',
  coze_api_base: 'https://api.coze.com',
  private_key: 'pem',
  public_key_id: '2',
}

describe('channel form', () => {
  it('starts a new channel as OpenAI in the group default', { tags: 'B9.9' }, () => {
    expect(messagesOf({})).toEqual({})
    expect(NEW_CHANNEL).toMatchObject({ type: '1', groups: ['default'], priority: 0, weight: 0, ratelimit: 0 })
  })

  it.each([
    ['name', { name: '  ' }, 'Channel name is required'],
    ['name', { name: 'x'.repeat(101) }, 'Channel name is limited to 100 characters'],
    ['type', { type: '' }, 'Channel type is required'],
    ['type', { type: '0' }, 'Channel type is required'],
    ['type', { type: '1.5' }, 'Channel type is required'],
    ['key', { key: '  ' }, 'API key is required'],
    ['base_url', { type: '3', base_url: '' }, 'Base URL is required for this channel type'],
    ['base_url', { type: '50', base_url: 'ftp://x.test' }, 'Base URL must begin with http:// or https://'],
    ['base_url', { type: '50', base_url: ' / ' }, 'Base URL is required for this channel type'],
    ['base_url', { base_url: 'api.openai.com' }, 'Base URL must begin with http:// or https://'],
    ['priority', { priority: 1.5 }, 'Priority must be an integer'],
    ['weight', { weight: 0.1 }, 'Weight must be an integer'],
    ['weight', { weight: -1 }, 'Weight cannot be negative'],
    ['ratelimit', { ratelimit: 2.5 }, 'Rate limit must be an integer'],
    ['ratelimit', { ratelimit: -1 }, 'Rate limit cannot be negative'],
    ['model_mapping', { model_mapping: '{' }, 'Invalid JSON format'],
    ['model_mapping', { model_mapping: '{"a":1}' }, 'The value of "a" must be text'],
    ['inference_profile_arn_map', { inference_profile_arn_map: 'x' }, 'Invalid JSON format'],
    ['model_configs', { model_configs: '{"m":}' }, 'Invalid JSON format'],
    ['model_configs', { model_configs: '[]' }, 'Model configs must be a JSON object'],
    ['model_configs', { model_configs: '{"":{"ratio":1}}' }, 'Model name cannot be empty'],
    ['model_configs', { model_configs: '{"m":1}' }, 'The config of model "m" must be a JSON object'],
    ['model_configs', { model_configs: '{"m":{"ratio":-1}}' }, 'Invalid ratio for model "m"'],
    ['model_configs', { model_configs: '{"m":{"ratio":"1"}}' }, 'Invalid ratio for model "m"'],
    ['model_configs', { model_configs: '{"m":{"completion_ratio":-1}}' }, 'Invalid completion_ratio for model "m"'],
    ['model_configs', { model_configs: '{"m":{"max_tokens":-1}}' }, 'Invalid max_tokens for model "m"'],
    ['model_configs', { model_configs: '{"m":{"max_tokens":1.5}}' }, 'Invalid max_tokens for model "m"'],
    [
      'model_configs',
      { model_configs: '{"m":{}}' },
      'Model "m" needs at least one of ratio, completion_ratio, max_tokens',
    ],
  ])(
    'refuses a bad %s %j',
    { tags: ['B5.7', 'B5.8', 'B5.11', 'B5.12', 'B5.13', 'B5.14'] },
    (field, change, message) => {
      expect(messagesOf(change)).toEqual({ [field]: message })
    },
  )

  it.each(['{"m":{"ratio":0}}', '{"m":{"completion_ratio":0}}', '{"m":{"max_tokens":0}}', '', '{}'])(
    'takes the model configs %j',
    { tags: 'B5.12' },
    (model_configs) => {
      expect(messagesOf({ model_configs })).toEqual({})
    },
  )

  it('names every missing part of a joined key along with the other mistakes', () => {
    expect(messagesOf({ type: '33', ak: 'a', priority: 1.5, base_url: 'x' })).toEqual({
      sk: 'API key is required',
      region: 'API key is required',
      priority: 'Priority must be an integer',
      base_url: 'Base URL must begin with http:// or https://',
    })
    expect(messagesOf({ type: '42', region: 'r', vertex_ai_project_id: 'p' })).toEqual({
      vertex_ai_adc: 'API key is required',
    })
  })

  it('needs no key for a stored channel whose address stays, or that root moves', () => {
    expect(messagesOf({ key: '' }, 'kept')).toEqual({})
    expect(messagesOf({ type: '33', key: '' }, 'kept')).toEqual({})
    expect(messagesOf({ key: '', base_url: 'https://elsewhere.test' }, 'movesAlong')).toEqual({})
  })

  it.each(['otherAddress', 'otherForm'] as const)('needs it again for %s', (need) => {
    expect(messagesOf({ key: '' }, need)).toEqual({ key: 'API key is required' })
    expect(messagesOf({ key: 'sk-own' }, need)).toEqual({})
  })

  it('refuses half of a key whose other parts only the form knows', () => {
    const azure = { type: '3', base_url: 'https://r.openai.azure.com', key: '', key_form: 'entra' }
    expect(messagesOf(azure, 'kept')).toEqual({})
    expect(messagesOf({ ...azure, client_id: 'c' }, 'kept')).toEqual({
      tenant_id: 'API key is required',
      client_secret: 'API key is required',
    })
    expect(messagesOf({ type: '33', ak: 'A', key: '' }, 'kept')).toEqual({})
  })

  it.each(Object.keys(coze))(
    'names the field %s that is missing from a Coze key that signs its own tokens',
    { tags: 'B5.16' },
    (field) => {
      const key = JSON.stringify({ ...coze, [field]: '' })
      expect(messagesOf({ type: '34', auth_type: 'oauth_jwt', key })).toEqual({
        key: `Missing required field: ${field}`,
      })
    },
  )

  it('accepts a complete Coze key and any text as a personal token, but no other JSON', () => {
    expect(messagesOf({ type: '34', auth_type: 'oauth_jwt', key: JSON.stringify(coze) })).toEqual({})
    expect(messagesOf({ type: '34', key: 'pat_1' })).toEqual({})
    expect(messagesOf({ type: '34', auth_type: 'oauth_jwt', key: 'pat_1' })).toEqual({ key: 'Invalid JSON format' })
    expect(messagesOf({ type: '34', auth_type: 'oauth_jwt', key: '' }, 'kept')).toEqual({})
  })

  it(
    'turns empty number fields into whole numbers, pasted names into a list, and no group into the group default',
    { tags: ['B5.14', 'B5.18', 'B5.19'] },
    () => {
      const values = v.parse(
        channelFormSchema(en, () => 'new'),
        {
          ...form,
          base_url: ' https://api.test// ',
          priority: Number.NaN,
          weight: Number.NaN,
          ratelimit: Number.NaN,
          models: ['a', 'b, c', 'a'],
          groups: [],
        },
      )
      expect(values).toMatchObject({
        type: 1,
        base_url: 'https://api.test',
        priority: 0,
        weight: 0,
        ratelimit: 0,
        models: ['a', 'b', 'c'],
        groups: ['default'],
      })
    },
  )

  it('shows a stored channel without any credential', () => {
    const stored: Channel = {
      ...replyOfSettings(settingsOfBody({})),
      id: 7,
      name: 'bedrock',
      type: 33,
      base_url: '',
      other: '',
      models: 'a,b',
      model_mapping: null,
      model_configs: '{"a":{"ratio":1}}',
      system_prompt: null,
      group: 'default,vip',
      priority: -1,
      weight: 2,
      ratelimit: 3,
      status: 1,
      response_time: 0,
      test_time: 0,
      testing_model: null,
      created_time: 1,
      used_quota: 0,
      balance: 0,
      balance_currency: '',
      balance_updated_time: 0,
      inference_profile_arn_map: null,
      config: '{"region":"us-east-1","ak":"leaked","custom":1}',
      test_models: [],
      disabled_reason: '',
      disabled_time: 0,
      managed_by: '',
      managed_status: false,
      key_count: 1,
    }
    expect(formOfChannel(stored)).toMatchObject({
      type: '33',
      key: '',
      ak: '',
      sk: '',
      region: 'us-east-1',
      auth_type: 'personal_access_token',
      api_format: 'chat_completion',
      models: ['a', 'b'],
      groups: ['default', 'vip'],
      model_mapping: '',
      priority: -1,
    })
    expect(formOfChannel({ ...stored, config: 'no JSON' }).region).toBe('')
    expect([1, 2].map((key_count) => formOfChannel({ ...stored, key_count }).key_mode)).toEqual(['', 'append'])
  })

  it('adds no keys to stored ones that may not stay', () => {
    const modeAt = (need: KeyNeed) =>
      v.parse(
        channelFormSchema(en, () => need),
        { ...form, key_mode: 'append' },
      ).key_mode
    expect((['kept', 'movesAlong', 'otherAddress', 'otherForm'] as const).map(modeAt)).toEqual([
      'append',
      'append',
      '',
      '',
    ])
  })
})
