import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { describe, expect, it } from 'vitest'
import { takeChannel } from './take-channel.ts'

const channel: ForeignRow = { id: 1, type: 1, key: 'sk-a', status: 1, name: 'c', models: 'gpt-4o', group: 'default' }

function of(change: ForeignRow) {
  const result = takeChannel('new-api', { ...channel, ...change })
  if (result.outcome !== 'taken') throw new Error(JSON.stringify(result))
  return { ...result.row, adapted: result.adapted.map(({ field, problem }) => `${field} ${problem}`) }
}
const [ON, OFF] = [1, 2]
const multi = (more: object = {}) =>
  new TextEncoder().encode(JSON.stringify({ is_multi_key: true, multi_key_size: 3, ...more }))

describe('a channel of new-api with several keys', () => {
  it('has one on each line, and those that are off by their places', () => {
    const { key, keyStatuses } = of({
      key: 'sk-a\n sk-b \nsk-c',
      channel_info: multi({ multi_key_status_list: { 1: 3, 2: 2, 0: 1 }, multi_key_mode: 'polling' }),
    })
    expect([key, [...keyStatuses]]).toEqual([
      'sk-a\nsk-b\nsk-c',
      [
        [1, 3],
        [2, 2],
      ],
    ])
  })

  it('has none off when the list is missing, empty or no list', () => {
    for (const list of [null, {}, 'x', [1]]) {
      expect(of({ key: 'a\nb', channel_info: multi({ multi_key_status_list: list }) }).keyStatuses.size).toBe(0)
    }
  })

  it('may have service accounts in a JSON list', () => {
    const accounts = [{ project_id: 'p1', private_key: 'a\nb' }, { project_id: 'p2' }]
    const { key } = of({ type: 41, other: 'us-central1', key: JSON.stringify(accounts), channel_info: multi() })
    expect(key.split('\n')).toEqual([
      `us-central1|p1|${JSON.stringify(accounts[0])}`,
      `us-central1|p2|${JSON.stringify(accounts[1])}`,
    ])
  })

  it('has one key, lines and all, unless it says that there are several', () => {
    const { key, keyStatuses } = of({
      key: 'a\nb',
      channel_info: '{"is_multi_key":false,"multi_key_status_list":{"0":2}}',
    })
    expect([key, keyStatuses.size]).toEqual(['a\nb', 0])
  })
})

describe('a channel of new-api for Vertex AI', () => {
  const account = '{"type":"service_account","project_id":"p","private_key":"k"}'

  it('has the region in `other` and the project in its service account', () => {
    const { type, key, other } = of({ type: 41, key: account, other: 'europe-west1' })
    expect([type, key, other]).toEqual([42, `europe-west1|p|${account}`, ''])
  })

  it('with regions by model uses the one for all others, and says so', () => {
    const { key, adapted } = of({
      type: 41,
      key: account,
      other: '{"default":"global","gemini-1.5-pro":"us-central1"}',
    })
    expect([key.startsWith('global|p|'), adapted]).toEqual([
      true,
      ['other has different regions by model: all models use global'],
    ])
  })

  it('may have its service account over several lines', () => {
    const pretty = JSON.stringify(JSON.parse(account), null, 2)
    expect(of({ type: 41, key: pretty, other: 'r' }).key).toBe(`r|p|${pretty.replaceAll('\n', ' ')}`)
  })
})

describe('a channel of new-api for AWS', () => {
  it('has two keys and a region, or one key of Bedrock and a region', () => {
    expect(of({ type: 33, key: 'ak|sk|us-east-1' }).key).toBe('ak|sk|us-east-1')
    const { key, config } = of({ type: 33, key: 'bedrock-key|eu-west-1' })
    expect([key, config]).toEqual(['bedrock-key', { region: 'eu-west-1' }])
  })
})

describe('a channel of new-api for Cloudflare', () => {
  it('has its account in `other`', () => {
    const { type, config, other } = of({ type: 39, other: 'account' })
    expect([type, config, other]).toEqual([37, { user_id: 'account' }, ''])
  })
})

describe('a channel of new-api for Coze', () => {
  it('is switched off, because its bot is a model here', () => {
    const { type, status, adapted } = of({ type: 49, other: 'bot' })
    expect([type, status, adapted]).toEqual([
      34,
      OFF,
      ['status switched off: the bot of a Coze channel becomes a model here'],
    ])
  })
})

describe('a Custom channel of new-api', () => {
  it('whose address is that of chat completions is an OpenAI-compatible one', () => {
    const { type, baseUrl, status } = of({ type: 8, base_url: 'https://api.example/v1/chat/completions' })
    expect([type, baseUrl, status]).toEqual([50, 'https://api.example/v1', ON])
  })

  it.each(['https://api.example/{model}/chat/completions', 'https://api.example/v1/generate'])(
    'with another address is switched off: %s',
    (base_url) => {
      const { type, status, baseUrl } = of({ type: 8, base_url })
      expect([type, status, /[{}]/.test(baseUrl)]).toEqual([50, OFF, false])
    },
  )
})

describe('a channel of new-api with settings of its own', () => {
  it.each<[string, ForeignRow, string]>([
    ['a proxy', { setting: '{"proxy":"socks5://user:secret@proxy:1080"}' }, 'it needs a proxy'],
    ['fields that are forced into requests', { param_override: '{"temperature":0}' }, 'it needs param_override'],
    ['headers that are forced into requests', { header_override: '{"x-a":"b"}' }, 'it needs header_override'],
    ['fields in no JSON', { param_override: '{broken' }, 'it needs param_override'],
    ['the name of a plan for an address', { base_url: 'kimi-coding-plan' }, '"kimi-coding-plan" is not an address'],
  ])('is switched off when it has %s, and the value is in no report', (_, change, why) => {
    const { status, adapted } = of(change)
    expect([status, adapted]).toEqual([OFF, [`status switched off: ${why}`]])
    expect(adapted.join()).not.toContain('secret')
  })

  it('keeps a forced system prompt and the model that it is tested with', () => {
    const { systemPrompt, testingModel, status } = of({
      setting: '{"system_prompt":"Be brief."}',
      test_model: 'gpt-4o',
    })
    expect([systemPrompt, testingModel, status]).toEqual(['Be brief.', 'gpt-4o', ON])
  })
})
