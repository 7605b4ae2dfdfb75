import { settingsOfBody } from '@sluice/contract/fields/channel'
import type { ImportFamily } from '@sluice/contract/import'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { describe, expect, it } from 'vitest'
import { CUSTOM_TYPE, typeHere } from './channel-types.ts'
import { takeChannel } from './take-channel.ts'

const channel: ForeignRow = {
  id: 3,
  type: 1,
  key: 'sk-upstream',
  status: 1,
  name: 'main',
  weight: 5,
  created_time: 1_763_000_000,
  base_url: '',
  other: '',
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default,vip',
  used_quota: 70,
  model_mapping: '{"gpt-4":"gpt-4o"}',
  priority: -2,
}

function of(family: ImportFamily, change: ForeignRow) {
  const result = takeChannel(family, { ...channel, ...change })
  if (result.outcome !== 'taken') throw new Error(JSON.stringify(result))
  const adapted = result.adapted.map(({ field, problem }) => `${field} ${problem}`)
  return { ...result.row, adapted }
}
const fault = (family: ImportFamily, change: ForeignRow) => {
  const result = takeChannel(family, { ...channel, ...change })
  return result.outcome === 'left_out' ? `${result.fault.field} ${result.fault.problem}` : result.outcome
}
const [ON, OFF, AUTO_OFF] = [1, 2, 3]
const UNSET = Object.fromEntries(Object.entries(settingsOfBody({})).map(([name, value]) => [name, value ?? '']))

describe('a channel of the family', () => {
  it('keeps what a form here has a field for', () => {
    const expected = {
      ...UNSET,
      name: 'main',
      type: 1,
      key: 'sk-upstream',
      baseUrl: '',
      other: '',
      models: 'gpt-4o,gpt-4o-mini',
      modelMapping: '{"gpt-4":"gpt-4o"}',
      modelConfigs: '',
      inferenceProfileArnMap: '',
      config: {},
      systemPrompt: '',
      testingModel: '',
      groups: 'default,vip',
      priority: -2,
      weight: 5,
      ratelimit: 0,
      status: ON,
      keyStatuses: new Map(),
      createdTime: 1_763_000_000,
      usedQuota: 70,
    }
    for (const family of ['one-api', 'laisky', 'new-api'] as const) {
      expect(of(family, {})).toEqual({ ...expected, adapted: [] })
    }
  })

  it('keeps whether it is on, off, or was switched off by its errors', () => {
    expect([0, 1, 2, 3].map((status) => of('one-api', { status }).status)).toEqual([OFF, ON, OFF, AUTO_OFF])
  })

  it.each(['one-api', 'laisky', 'new-api'] as const)(
    'of every type number of %s is taken: with the type here, or switched off as a Custom channel',
    (family) => {
      for (let type = 0; type <= 62; type += 1) {
        const { adapted, ...taken } = of(family, { type, base_url: 'https://api.example/v1', other: '' })
        const here = typeHere(family, type)
        if (here === 'reported') {
          expect([taken.status, adapted[0]]).toEqual([
            OFF,
            `status switched off: type ${type} of ${family} has no counterpart here`,
          ])
        } else if (family === 'new-api' && here === CUSTOM_TYPE) expect([taken.type, taken.status]).toEqual([50, OFF])
        else if (family === 'new-api' && type === 49) expect([taken.type, taken.status]).toEqual([34, OFF])
        else expect([type, taken.type, taken.status, adapted]).toEqual([type, here, ON, []])
      }
    },
  )

  it('with a name that is too long has it cut, at a whole character', () => {
    const { name, adapted } = of('one-api', { name: `${'x'.repeat(99)}😀` })
    expect([name, adapted]).toEqual(['x'.repeat(99), ['name shortened to 100 characters']])
  })

  it('loses what is not a JSON object, as the family ignores it', () => {
    const { modelMapping, adapted } = of('one-api', { model_mapping: '{broken' })
    expect([modelMapping, adapted]).toEqual(['', ['model_mapping is not a JSON object: left empty']])
  })

  it('loses a group that cannot exist, and belongs to "default" without any', () => {
    const { groups, adapted } = of('one-api', { group: `vip,${'g'.repeat(33)}` })
    expect([groups, adapted.length, of('one-api', { group: '' }).groups]).toEqual(['vip', 1, 'default'])
  })

  it.each<[string, ImportFamily, ForeignRow, string]>([
    ['without a type', 'one-api', { type: null }, 'type is NULL'],
    ['with a type in words', 'new-api', { type: 'OpenAI' }, 'type is not a whole number'],
    ['without a key', 'one-api', { key: null }, 'key is NULL'],
    [
      'with a key in another encoding',
      'one-api',
      { key: { unreadable: 'is not valid text' } },
      'key is not valid text',
    ],
    [
      'with models of a megabyte',
      'laisky',
      { models: 'x'.repeat(1_048_576) },
      'models is longer than 100000 characters',
    ],
    [
      'with a priority of 33 bits',
      'one-api',
      { priority: 2 ** 31 },
      'priority is not between -2147483647 and 2147483647',
    ],
    ['whose keys are not described in JSON', 'new-api', { channel_info: '{' }, 'channel_info is not a JSON object'],
    [
      'with a NUL hidden in JSON',
      'new-api',
      { setting: '{"system_prompt":"a\\u0000b"}' },
      'setting contains text that contains a NUL character',
    ],
    [
      'with half a character hidden in JSON',
      'one-api',
      { config: '{"api_version":"\\ud800"}' },
      'config contains text that is not well-formed text',
    ],
  ])('%s is left out with the field and the rule', (_, family, change, problem) => {
    expect(fault(family, change)).toBe(problem)
  })
})

describe('a channel of One API or of the fork of Laisky', () => {
  it('takes the credentials of AWS and Vertex from its config, whatever the key says', () => {
    const aws = of('one-api', {
      type: 33,
      key: 'ak|sk|us-east-1',
      config: '{"ak":"AK","sk":"SK","region":"us-east-1"}',
    })
    expect([aws.key, aws.config]).toEqual(['', { ak: 'AK', sk: 'SK', region: 'us-east-1' }])
    const vertex = of('laisky', { type: 42, config: '{"region":"r","vertex_ai_project_id":"p","vertex_ai_adc":"{}"}' })
    expect([vertex.key, vertex.config]).toEqual(['', { region: 'r', vertex_ai_project_id: 'p', vertex_ai_adc: '{}' }])
  })

  it('has the version of Azure in its config, or in an old row in `other`', () => {
    expect(of('one-api', { type: 3, config: '{"api_version":"2024-06-01"}' }).other).toBe('2024-06-01')
    expect(of('one-api', { type: 3, other: '2023-05-15', config: '' }).other).toBe('2023-05-15')
  })

  it('has the account of Cloudflare and the bot of Coze in its config', () => {
    expect(of('one-api', { type: 37, config: '{"user_id":"account"}' }).config).toEqual({ user_id: 'account' })
    expect(of('one-api', { type: 34, config: '{"user_id":"u"}' }).config).toEqual({ user_id: 'u' })
  })

  it('is switched off when it needs what has no counterpart here', () => {
    const { status, adapted } = of('laisky', {
      config: '{"custom_headers":{"x-team":"a"},"supported_endpoints":["chat"]}',
    })
    expect([status, adapted]).toEqual([
      OFF,
      [
        'config.custom_headers has no counterpart here: left out',
        'config.supported_endpoints has no counterpart here: left out',
        'status switched off: it needs custom_headers',
      ],
    ])
  })

  it('keeps prices of its own, its rate limit and the model that it is tested with', () => {
    const configs = '{"gpt-4o":{"ratio":1.25}}'
    const { modelConfigs, ratelimit, testingModel } = of('laisky', {
      model_configs: configs,
      ratelimit: 30,
      testing_model: 'gpt-4o',
    })
    expect([modelConfigs, ratelimit, testingModel]).toEqual([configs, 30, 'gpt-4o'])
  })
})
