import { CHANNEL_BODIES } from '@sluice/testkit/channel-bodies'
import { describe, expect, test } from 'vitest'
import { type ChannelDraft, channelProblems, storedOther } from './channel-fields.ts'
import { withoutBlanks } from './config-fields.ts'
import { parseObject } from './json-object.ts'
import { newKeys } from './key-parts.ts'

function draft(more: Partial<ChannelDraft>): ChannelDraft {
  const plain = { type: 1, baseUrl: '', other: '', config: {}, key: 'sk-x' }
  return { ...plain, modelMapping: null, modelConfigs: null, inferenceProfileArnMap: null, ...more }
}

test.each(CHANNEL_BODIES.map((body) => [body.type, body] as const))(
  'a complete channel of type %i has no problem',
  (type, body) => {
    const config = withoutBlanks(parseObject(body.config ?? '{}') ?? {})
    const keys = newKeys(type, body.key, config)
    expect(keys).toHaveLength(1)
    const { base_url: baseUrl = '', other = '' } = body
    expect(channelProblems(draft({ type, baseUrl, other: storedOther(type, other), config }))).toEqual([])
  },
)

describe('a channel', () => {
  test.each<[Partial<ChannelDraft>, string, string | RegExp]>([
    [{ type: 52 }, 'type', 'Unknown channel type'],
    [{ type: 3 }, 'base_url', 'Base URL is required for this channel type'],
    [{ type: 50 }, 'base_url', 'Base URL is required for this channel type'],
    [{ baseUrl: 'ftp://x' }, 'base_url', /^must be an http/],
    [{ baseUrl: 'https://u:p@x' }, 'base_url', /^must be an http/],
    [{ baseUrl: 'https://x/?a=1' }, 'base_url', /^must be an http/],
    [{ type: 3, baseUrl: 'https://x', other: 'latest&x=1' }, 'other', /^must be an API version/],
    [{ type: 18, other: '3.5' }, 'other', 'must be a Spark version such as v3.5'],
    [{ type: 24, other: '../v1' }, 'other', /^must be an API version/],
    [{ other: 'a\u0000b' }, 'other', 'must not contain control characters'],
    [{ config: { region: 'evil.com/#' } }, 'config.region', 'must be a region such as us-east-1'],
    [{ config: { vertex_ai_project_id: '../x' } }, 'config.vertex_ai_project_id', 'must be a project id'],
    [{ config: { auth_type: 'x' } }, 'config.auth_type', 'must be personal_access_token or oauth_jwt'],
    [{ config: { api_format: 1 } }, 'config.api_format', 'must be text'],
    [{ config: { api_format: 'x' } }, 'config.api_format', 'must be chat_completion or response'],
    [{ config: { endpoint_urls: { chat: 'http://x' } } }, 'config.endpoint_urls', 'is not a channel setting'],
    [{ config: { constructor: 'x' } }, 'config.constructor', 'is not a channel setting'],
    [{ config: { sk: 'secret' } }, 'config.sk', 'does not belong to channels of this type'],
    [{ type: 33, config: { sk: '****' } }, 'config.sk', 'is masked; leave it empty to keep the stored value'],
    [{ type: 33, config: { sk: 'a|b' } }, 'config.sk', /printable ASCII/],
    [{ type: 33, key: 'ABSKx' }, 'config.region', 'is required with a Bedrock API key'],
    [{ type: 37 }, 'config.user_id', 'is required: the id of the Cloudflare account'],
    [{ type: 37, config: { user_id: '../x' } }, 'config.user_id', 'must be the id of a Cloudflare account'],
    [{ modelMapping: '{"a":""}' }, 'model_mapping', 'Invalid mapping for model "a": must be a model name'],
    [{ modelConfigs: '{"a":{"ratio":1e9}}' }, 'model_configs', /^Invalid ratio for model "a"/],
    [{ inferenceProfileArnMap: '[]' }, 'inference_profile_arn_map', 'Invalid JSON format'],
    [{ inferenceProfileArnMap: '{"a":"../x"}' }, 'inference_profile_arn_map', 'Invalid ARN for model "a"'],
    [{ inferenceProfileArnMap: '{" ":"x"}' }, 'inference_profile_arn_map', 'Model name cannot be empty'],
  ])('%j is refused by the field %s', (more, field, rule) => {
    const [first] = channelProblems(draft(more))
    expect(first?.field).toBe(field)
    expect(first?.rule).toMatch(rule)
  })

  test('can name its Cloudflare account in its address instead', () => {
    expect(channelProblems(draft({ type: 37, baseUrl: 'https://gateway.ai.cloudflare.com/v1/a/b' }))).toEqual([])
    expect(channelProblems(draft({ type: 37, baseUrl: 'https://api.cloudflare.com' }))).toHaveLength(1)
  })

  test('can use ARNs of inference profiles', () => {
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-5-v1:0'
    expect(channelProblems(draft({ inferenceProfileArnMap: JSON.stringify({ a: arn }) }))).toEqual([])
  })

  test.each<[unknown, string | undefined]>([
    [{ whitelist: ['web_search'], pricing: { web_search: { usd_per_call: 0.01 } } }, undefined],
    [{ pricing: { a: { quota_per_call: 5 } } }, undefined],
    [[], 'must be a JSON object'],
    [{ tools: [] }, '"tools" is not a field; the fields are whitelist and pricing'],
    [{ whitelist: [''] }, 'whitelist must be a list of at most 200 tool names'],
    [{ pricing: [] }, 'pricing must be a JSON object of at most 200 tools'],
    [{ pricing: { a: 1 } }, 'pricing of "a" must be a JSON object'],
    [{ pricing: { a: {} } }, 'pricing of "a" needs either usd_per_call or quota_per_call'],
    [{ pricing: { a: { usd_per_call: 1, quota_per_call: 1 } } }, /needs either/.source],
    [{ pricing: { a: { quota_per_call: 0.5 } } }, 'quota_per_call must be a number from 0'],
    [{ pricing: { a: { usd_per_call: -1 } } }, 'usd_per_call must be a number from 0'],
  ])('has tools as in %j, or is told why not', (tooling, rule) => {
    const [found] = channelProblems(draft({ config: { tooling } }))
    if (rule === undefined) expect(found).toBeUndefined()
    else expect(found?.rule).toContain(rule)
  })

  test('drops empty members of its config', () => {
    const given = { ak: '', sk: ' ', region: null, user_id: undefined, tooling: {}, plugin: 'p' }
    expect(withoutBlanks(given)).toEqual({ plugin: 'p' })
  })

  test('of Azure gets an API version, others keep what they have', () => {
    expect(storedOther(3, ' ')).toBe('2024-03-01-preview')
    expect(storedOther(3, 'v1')).toBe('v1')
    expect(storedOther(1, ' x ')).toBe('x')
  })
})
