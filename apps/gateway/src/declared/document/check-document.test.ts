import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { loadDocument } from './check-document.ts'
import { problemText } from './read-document.ts'
import { createSecretResolver } from './secrets.ts'

const resolve = createSecretResolver({
  environment: { KEY: 'sk-canary', EMPTY: ' ', MASKED: '****', PATH: 'own', DATABASE_URL: 'canary-url' },
  readFile: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' })),
  isOwnVariable: (name) => name === 'DATABASE_URL',
  isRemote: false,
})

const channel = (fields: string) => `version: 1\nchannels:\n  - name: a\n    type: 1\n    ${fields}\n`
const option = (line: string) => `version: 1\noptions:\n  ${line}\n`
const problemsIn = async (content: string | Uint8Array): Promise<readonly string[]> => {
  const loaded = await loadDocument(content, resolve)
  return 'problems' in loaded ? loaded.problems.map(problemText) : []
}

/** The fault, the file, and the reported place and text. */
const WRONG: readonly (readonly [what: string, file: string | Uint8Array, said: string])[] = [
  ['nothing', '', 'line 1, column 1: the file must be a mapping that begins with "version: 1"'],
  ['a list', '- version: 1', 'line 1, column 1: the file must be a mapping that begins with "version: 1"'],
  ['not UTF-8', Uint8Array.of(0x76, 0xff), 'line 1, column 1: the file is not UTF-8'],
  ['too large', `version: 1 #${'x'.repeat(2_100_000)}`, 'line 1, column 1: the file has more than 2097152 bytes'],
  [
    'an open bracket',
    'version: 1\noptions: {',
    'line 2, column 11: the file has invalid YAML indentation or an unclosed bracket',
  ],
  [
    'an open quote',
    'version: 1\noptions:\n  SystemName: "a',
    'line 3, column 17: the file is not valid YAML here (missing char)',
  ],
  [
    'indented with a tab',
    'version: 1\noptions:\n\tSystemName: a',
    'line 3, column 1: the file is indented with a tab, which YAML does not allow',
  ],
  [
    'a key twice',
    'version: 1\noptions:\n  RetryTimes: 1\n  RetryTimes: 2',
    'line 4, column 3: the file contains a key twice in one mapping',
  ],
  [
    'the key __proto__',
    'version: 1\noptions:\n  __proto__: x',
    'line 3, column 3: the file cannot have a key "__proto__"',
  ],
  [
    'the key constructor',
    'version: 1\noptions:\n  constructor: x',
    'line 3, column 3: the file cannot have a key "constructor"',
  ],
  [
    'a key twice in JSON',
    '{"version": 1, "version": 1}',
    'line 1, column 16: the file contains a key twice in one mapping',
  ],
  ['two documents', 'version: 1\n---\nversion: 1\n', 'line 2, column 1: the file contains more than one document'],
  [
    'a tag',
    'version: 1\nowner: !env X',
    'line 2, column 8: the file has a tag, which is not allowed in a configuration file',
  ],
  [
    'an alias of nothing',
    'version: 1\nowner: *nobody',
    'line 2, column 8: the file contains an alias without an anchor',
  ],
  [
    'deep nesting',
    `version: 1\noptions: ${'['.repeat(2_000)}`,
    'line 1, column 1: the file has more than 1000 open brackets',
  ],
  [
    'nesting too deep to read',
    option(`Groups: ${'{a: '.repeat(70)}1${'}'.repeat(70)}`),
    'the file is nested more than 64 levels deep',
  ],
  [
    'anchors within anchors',
    `version: 1\noptions:\n  a: &a [x,x,x,x,x,x,x,x,x,x]\n  b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n  c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n  d: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`,
    'line 1, column 1: the file uses aliases more than 100 times',
  ],
  ['no version', 'owner: a', 'line 1, column 1: version is required'],
  ['a version to come', 'version: 2', 'line 1, column 10: version must be 1'],
  [
    'an unknown field',
    'version: 1\noption:\n  RetryTimes: 1',
    'line 2, column 1: option is not a field; did you mean options?',
  ],
  [
    'an unknown field of a channel',
    channel('model: [a]'),
    'line 5, column 5: channels[0].model is not a field; did you mean models?',
  ],
  ['a wrong type', channel('models: gpt-4o'), 'line 5, column 13: channels[0].models must be a list'],
  [
    'a number in place of a text',
    channel('base_url: 5'),
    'line 5, column 15: channels[0].base_url must be text; put it in quotes',
  ],
  ['a fraction', channel('weight: 1.5'), 'line 5, column 13: channels[0].weight must be an integer'],
  ['a negative weight', channel('weight: -1'), 'line 5, column 13: channels[0].weight must be at least 0'],
  [
    'a type that is not known',
    'version: 1\nchannels:\n  - name: a\n    type: OpenAl',
    'line 4, column 11: channels[0].type must be the name or the number of a channel type',
  ],
  ['a channel without a name', 'version: 1\nchannels:\n  - type: 1', 'line 3, column 5: channels[0].name is required'],
  [
    'a comma in a name of a model',
    channel('models: ["a,b"]'),
    'line 5, column 14: channels[0].models[0] must be a name without commas and without leading or trailing spaces',
  ],
  [
    'an invalid status',
    channel('status: paused'),
    'line 5, column 13: channels[0].status must be "enabled" or "disabled"',
  ],
  [
    'two channels of one name',
    `${channel('weight: 1')}  - name: a\n    type: 1\n`,
    'line 6, column 11: channels[1].name is also the name of channels[0]',
  ],
  [
    'a label with a space',
    'version: 1\nowner: "a b"',
    'line 2, column 8: owner must be 1 to 64 characters from A-Z, a-z, 0-9 and . _ / -',
  ],
  [
    'a key in the clear',
    channel('key: sk-canary-literal'),
    'line 5, column 10: channels[0].key must be a reference: ${env:NAME} or ${file:/path}',
  ],
  [
    'a credential in the clear',
    channel('config: { ak: canary-literal }'),
    'line 5, column 19: channels[0].config.ak is a secret: replace it with a reference, ${env:NAME} or ${file:/path}',
  ],
  [
    'a credential that is a number',
    channel('config: { sk: 123456 }'),
    'line 5, column 19: channels[0].config.sk is a secret: replace it with a reference, ${env:NAME} or ${file:/path}',
  ],
  [
    'a secret option in the clear',
    option('SMTPToken: canary-literal'),
    'line 3, column 14: options.SMTPToken is a secret: replace it with a reference, ${env:NAME} or ${file:/path}',
  ],
  [
    'a relative file',
    channel('key: "${file:key.txt}"'),
    'line 5, column 10: channels[0].key must be a reference: ${env:NAME} or ${file:/path}',
  ],
  [
    'a variable that is not set',
    channel('key: "${env:NO}"'),
    'line 5, column 10: channels[0].key refers to the environment variable NO, which is not set',
  ],
  [
    'a variable that is empty',
    channel('key: "${env:EMPTY}"'),
    'line 5, column 10: channels[0].key refers to EMPTY, which is empty',
  ],
  [
    'a variable that holds a mask',
    channel('key: "${env:MASKED}"'),
    'line 5, column 10: channels[0].key refers to MASKED, which contains only a mask',
  ],
  [
    'a variable of the gateway',
    channel('key: "${env:DATABASE_URL}"'),
    'line 5, column 10: channels[0].key refers to DATABASE_URL, which is a variable of the gateway itself',
  ],
  [
    'a file that is missing',
    channel('key: "${file:/no/such}"'),
    'line 5, column 10: channels[0].key names the file /no/such, which does not exist',
  ],
  [
    'a reference outside secrets',
    channel('base_url: "${env:KEY}"'),
    'line 5, column 15: channels[0].base_url is a reference, but references are only for secrets: write the value itself',
  ],
  [
    'a reference in an option that is no secret',
    option('SystemName: "${env:KEY}"'),
    'line 3, column 15: options.SystemName is a reference, but references are only for secrets: write the value itself',
  ],
  [
    'an unknown option',
    option('RetryTime: 1'),
    'line 3, column 14: options.RetryTime is not an option; did you mean RetryTimes?',
  ],
  [
    'an option of the family that is not used',
    option('ModelRatio: {}'),
    'line 3, column 3: options.ModelRatio is not used: prices come from the price book; PriceOverrides and a channel’s model configs override them',
  ],
  [
    'a part of the groups',
    option('GroupRatio: {}'),
    'line 3, column 3: options.GroupRatio is part of Groups: set it there',
  ],
  [
    'an option of the gateway itself',
    option('LogClearedBefore: 1'),
    'line 3, column 21: options.LogClearedBefore is set by the gateway itself',
  ],
  [
    'a flag that is a text',
    option('RegisterEnabled: "true"'),
    'line 3, column 20: options.RegisterEnabled must be true or false',
  ],
  [
    'a number out of bounds',
    option('RetryTimes: 99'),
    'line 3, column 15: options.RetryTimes must be an integer from 0 to 10',
  ],
  [
    'a number that is not a number',
    option('RetryTimes: .nan'),
    'line 3, column 15: options.RetryTimes must be a number',
  ],
  [
    'an invalid choice',
    option('LossPolicy: ignore'),
    'line 3, column 15: options.LossPolicy must be one of report, refuse',
  ],
  [
    'an invalid address',
    option('ServerAddress: here'),
    'line 3, column 18: options.ServerAddress must be an http:// or https:// address without a user name and password',
  ],
  [
    'a list that is a text',
    option('SharedObjects: a'),
    'line 3, column 18: options.SharedObjects must be a list of strings without commas',
  ],
  [
    'a price that is not finite',
    option('PriceOverrides: { a: { ratio: .inf } }'),
    'line 3, column 3: options.PriceOverrides must be a mapping of finite numbers and strings',
  ],
  [
    'groups without the default one',
    option('Groups: { vip: {} }'),
    'line 3, column 3: options.Groups must name the group "default", to which new users belong',
  ],
  [
    'limits of a group that is not there',
    option('Groups: { default: {} }\n  GroupLimits: { vip: { rpm: 1 } }'),
    'line 4, column 3: options.GroupLimits names the group "vip", which is not in GroupRatio',
  ],
  [
    'fallbacks of a model to itself',
    option('ModelFallbacks: { a: [a] }'),
    'line 3, column 3: options.ModelFallbacks names a model twice for "a"',
  ],
  [
    'a mapping to a number',
    channel('model_mapping: { a: 1 }'),
    'line 5, column 25: channels[0].model_mapping.a must be text; put it in quotes',
  ],
  [
    'model configs that say nothing',
    channel('model_configs: { a: {} }'),
    'line 5, column 5: channels[0].model_configs Model "a" needs at least one of ratio, completion_ratio, max_tokens',
  ],
]

describe('a wrong configuration file', () => {
  test.each(WRONG)('with %s is refused where it is wrong', async (_, file, said) => {
    const problems = await problemsIn(file)
    expect(problems.join('\n')).toContain(said)
    expect(problems.join('\n')).not.toContain('canary')
  })

  test('shows every problem, up to twenty', async () => {
    const wrong = Array.from({ length: 30 }, (_, at) => `  Option${at}: 1`).join('\n')
    expect(await problemsIn(`version: 1\noptions:\n${wrong}\n`)).toHaveLength(20)
    expect(await problemsIn('version: 1\nowner: "a b"\nrevision: -1\n')).toHaveLength(2)
  })
})

describe('a configuration file', () => {
  test('is valid as the how-to shows it', async () => {
    const page = await readFile(
      new URL('../../../../../docs/how-to/keep-configuration-in-git.md', import.meta.url),
      'utf8',
    )
    const [, shown = ''] = /```yaml\n(version[^`]+)```/.exec(page) ?? []
    const loaded = await loadDocument(shown, async () => ({ value: 'sk-some-key' }))
    expect('problems' in loaded ? loaded.problems : loaded.channels.map(({ form }) => form.name)).toEqual([
      'openai-main',
      'claude',
    ])
  })

  test('can be JSON, and repeat parts by anchors', async () => {
    expect(await problemsIn('{"version": 1, "options": {"RetryTimes": 1}}')).toEqual([])
    expect(
      await problemsIn(
        'version: 1\nchannels:\n  - { name: a, type: 1, models: &m [x] }\n  - { name: b, type: 1, models: *m }\n',
      ),
    ).toEqual([])
  })

  test('says where a problem is behind an alias', async () => {
    const file =
      'version: 1\nchannels:\n  - { name: a, type: 1, models: &m [x, 5] }\n  - { name: b, type: 1, models: *m }\n'
    expect(await problemsIn(file)).toEqual([
      'line 3, column 40: channels[0].models[1] must be text; put it in quotes',
      'line 3, column 40: channels[1].models[1] must be text; put it in quotes',
    ])
  })

  test('has each option in the form of its type', async () => {
    const loaded = await loadDocument(
      option(
        'RegisterEnabled: false\n  QuotaPerUnit: 500000.5\n  SharedObjects: [aa, bb]\n  ModelFallbacks: { a: [b] }\n  SMTPToken: "${env:KEY}"',
      ),
      resolve,
    )
    expect('problems' in loaded ? loaded.problems : loaded.options).toEqual([
      { key: 'RegisterEnabled', text: 'false' },
      { key: 'QuotaPerUnit', text: '500000.5' },
      { key: 'SharedObjects', text: 'aa,bb' },
      { key: 'ModelFallbacks', text: '{"a":["b"]}' },
      { key: 'SMTPToken', text: 'sk-canary' },
    ])
  })
})
