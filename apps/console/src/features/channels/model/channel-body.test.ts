import { channelCreate, channelUpdate } from '@sluice/contract/channel'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/en.ts'
import { createBody, updateBody } from './channel-body.ts'
import { channelFormSchema, type ChannelFormInput, type ChannelFormValues, NEW_CHANNEL } from './channel-form.ts'

function values(change: Partial<ChannelFormInput>): ChannelFormValues {
  return v.parse(channelFormSchema(en, false), { ...NEW_CHANNEL, name: 'main', ...change })
}

const stored = { id: 7, type: 1, config: '' }

describe('channel as sent', () => {
  it('is what the contract accepts, with empty texts as null', () => {
    const body = createBody(values({ key: ' sk-x ', models: ['a', 'b'], groups: ['default', 'vip'], priority: -2 }))
    expect(body).toEqual({
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
    ['VertexAI', { type: '42', region: 'R', vertex_ai_project_id: 'P', vertex_ai_adc: '{"a":1}' }, 'R|P|{"a":1}'],
    ['AWS without a part', { type: '33', ak: 'A', region: 'R', key: 'left over' }, ''],
    ['OpenAI', { type: '1', key: 'sk-x', ak: 'A' }, 'sk-x'],
    ['several keys', { type: '1', key: 'sk-1\nsk-2\n' }, 'sk-1\nsk-2'],
  ])('joins the key of %s', (_, change, key) => {
    expect(createBody(values(change)).key).toBe(key)
  })

  it('never sends an empty key for a stored channel, and a typed one always', () => {
    expect(updateBody(stored, values({ key: ' ' }))).not.toHaveProperty('key')
    expect(updateBody({ ...stored, type: 33 }, values({ type: '33', region: 'R' }))).not.toHaveProperty('key')
    expect(updateBody(stored, values({ key: 'sk-new' }))).toMatchObject({ id: 7, key: 'sk-new' })
  })

  it.each([
    ['', '2024-03-01-preview'],
    ['2025-01-01', '2025-01-01'],
  ])('sends the API version %j of Azure as %j', (other, sent) => {
    expect(createBody(values({ type: '3', base_url: 'https://x.test', other })).other).toBe(sent)
  })

  it('keeps `other` of a type that does not show it, and clears it when the type changes', () => {
    expect(updateBody({ ...stored, type: 24 }, values({ type: '24', other: 'v1beta' }))).not.toHaveProperty('other')
    expect(updateBody({ ...stored, type: 3 }, values({ type: '24', other: 'v1' }))).toMatchObject({ other: '' })
  })

  it.each([
    ['50', { base_url: 'https://x.test' }, { api_format: 'chat_completion' }],
    ['50', { base_url: 'https://x.test', api_format: 'response' }, { api_format: 'response' }],
    ['34', { user_id: ' u ' }, { auth_type: 'personal_access_token', user_id: 'u' }],
    ['37', { user_id: 'account' }, { user_id: 'account' }],
    ['33', { region: 'R' }, { region: 'R' }],
    ['33', { region: 'R', sk: 'S' }, { region: 'R', sk: 'S' }],
    ['1', { region: 'R', user_id: 'u' }, {}],
  ])('type %s with %j has its own config only', (type, change, config) => {
    expect(JSON.parse(createBody(values({ type, ...change })).config)).toEqual(config)
  })

  it('keeps what the form does not know of a stored config', () => {
    const body = updateBody({ ...stored, config: '{"tooling":{"a":1},"user_id":"old"}' }, values({}))
    expect(JSON.parse(body.config)).toEqual({ tooling: { a: 1 } })
  })

  it('sends no address where it follows from the region', () => {
    expect(createBody(values({ type: '33', base_url: 'https://x.test' })).base_url).toBe('')
  })
})
