import { randomBytes } from 'node:crypto'
import { CHANNEL_KINDS } from '@sluice/contract/channel-kinds'
import { settingsOfBody } from '@sluice/contract/fields/channel'
import { changeOptions, type OptionSubmission, readOptions } from '@sluice/store/options/options'
import { insertChannels, setChannelStatus } from '@sluice/store/queries/channels/channels'
import { setOptions } from '@sluice/store/queries/options'
import { writeKeys } from '@sluice/store/snapshots/key-list'
import { loadOptions } from '@sluice/store/snapshots/options'
import { createVault } from '@sluice/store/vault'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretResolver } from '../declared/document/secrets.ts'
import { configurationOf } from '../start/configuration-files.ts'
import { loadDocument } from './document/check-document.ts'

/** Each run fills and compares two gateways. */
const RUNS = process.env['SLUICE_TEST_LONG'] === undefined ? 30 : 200

const vault = createVault([randomBytes(32)])
let source: TestDatabase
let target: TestDatabase
beforeAll(async () => {
  source = await openTestDatabase('sqlite')
  target = await openTestDatabase('sqlite')
})
afterAll(async () => {
  await source.close()
  await target.close()
})

/** Types with one-word keys and a free address. */
const PLAIN_TYPES = CHANNEL_KINDS.filter(
  ({ plainKey, baseUrl, other, config }) =>
    plainKey === true && baseUrl === 'optional' && other === undefined && config.length === 0,
)
const AWS = 33

const name = fc.stringMatching(/^[A-Za-z0-9 ._:#&*!?'"{}[\]-]{1,20}$/).map((text) => text.trim() || 'x')
const model = fc.stringMatching(/^[a-z0-9][a-z0-9:./-]{0,15}$/)
const plainChannel = fc.record({
  name: fc.oneof(name, fc.constantFrom('主渠道', 'yes', '1', '~', '- a', 'a: b', '"q"')),
  type: fc.constantFrom(...PLAIN_TYPES.map(({ code }) => code)),
  baseUrl: fc.constantFrom('', 'https://example.com/v1'),
  models: fc.uniqueArray(model, { maxLength: 4 }),
  mapping: fc.dictionary(model, model, { maxKeys: 2 }),
  prompt: fc.oneof(
    fc.constant(''),
    fc.constantFrom('be brief', 'line one\n  line two\n', '# not a comment: x', '${env:X} inside'),
  ),
  groups: fc.constantFrom('default', 'default,vip', 'vip'),
  priority: fc.integer({ min: -5, max: 5 }),
  weight: fc.integer({ min: 0, max: 9 }),
  ratelimit: fc.integer({ min: 0, max: 9 }),
  keys: fc.uniqueArray(fc.stringMatching(/^sk-[a-z0-9]{8,12}$/), { minLength: 1, maxLength: 3 }),
  config: fc.constant(''),
  isOff: fc.boolean(),
})
const awsChannel = plainChannel.map((channel) => ({
  ...channel,
  type: AWS,
  baseUrl: '',
  keys: ['AKIAEXAMPLEEXAMPLE|secretsecretsecret|us-east-1'],
  config: '{"region":"us-east-1"}',
}))
const instance = fc.record({
  options: fc.record(
    {
      SystemName: fc.constantFrom('Weir', 'yes', '007', ' a # b'),
      RetryTimes: fc.integer({ min: 0, max: 10 }),
      QuotaPerUnit: fc.constantFrom('500000', '500000.50', '1.5'),
      RegisterEnabled: fc.boolean(),
      LossPolicy: fc.constantFrom('report', 'refuse'),
      SharedObjects: fc.constantFrom('', '*', 'file-a,file-b'),
      SMTPToken: fc.constantFrom('secret one', 'other'),
      Notice: fc.constantFrom('', 'two\nlines', '---'),
      ModelFallbacks: fc.constantFrom('{"b":["a"],"a":["b","c"]}', '{}'),
      GroupLimits: fc.constantFrom('{"vip":{"rpm":5}}', '{"default":{"tpm":7,"rpm":1}}'),
      PriceOverrides: fc.constantFrom(
        '{"z":{"ratio":0.125},"a":{"ratio":1,"completion_ratio":3}}',
        '{}',
        '{ "a" : {"max_tokens": 10} }',
      ),
      Groups: fc.constantFrom(
        '{"default":{},"vip":{"ratio":0.5,"usable_by":["*"],"order":1}}',
        '{"vip":{"ratio":2,"title":"Fast","ratio_for":{"default":1.25}},"default":{"ratio":1}}',
      ),
    },
    { requiredKeys: [] },
  ),
  channels: fc.uniqueArray(fc.oneof({ weight: 5, arbitrary: plainChannel }, awsChannel), {
    maxLength: 5,
    selector: (channel) => channel.name,
  }),
})
type Instance = typeof instance extends fc.Arbitrary<infer T> ? T : never

const openSecret = (sealed: string) => {
  const opened = vault.open('option', sealed)
  return opened.ok ? opened.text : undefined
}

/** Writes an instance as its administrators would have. */
async function fill({ options, channels }: Instance): Promise<void> {
  const db = source.kysely
  const submitted: OptionSubmission[] = Object.entries(options).map(([key, value]) => ({ key, value }))
  const changed = changeOptions(submitted, readOptions(await loadOptions(db), openSecret).options)
  if (changed.outcome === 'refused') throw new Error(changed.problem)
  await setOptions(
    db,
    changed.changes.map(({ key, text, secret }) => ({ key, value: secret ? vault.seal('option', text) : text })),
  )
  for (const channel of channels) {
    const { text, count } = writeKeys(channel.keys)
    const settings = {
      ...settingsOfBody({}),
      name: channel.name,
      type: channel.type,
      baseUrl: channel.baseUrl,
      models: channel.models.join(','),
      modelMapping: Object.keys(channel.mapping).length === 0 ? null : JSON.stringify(channel.mapping),
      systemPrompt: channel.prompt === '' ? null : channel.prompt,
      groups: channel.groups,
      priority: channel.priority,
      weight: channel.weight,
      ratelimit: channel.ratelimit,
      testingModel: channel.models[0] ?? null,
      config: channel.config,
    }
    const [id = 0] = await insertChannels(
      db,
      settings,
      [{ keySealed: vault.seal('channel_key', text), keyCount: count }],
      1,
    )
    if (channel.isOff) await setChannelStatus(db, id, 2)
  }
}

test(
  'what is exported and applied to an empty gateway is exported again as the same file',
  { tags: 'slow' },
  async () => {
    const [from, to] = [source, target].map((database) =>
      configurationOf({ upstreamPrivate: 'allow', callerKeyOrigins: [] }, { database, vault, now: Date.now }),
    )
    if (from === undefined || to === undefined) throw new Error('two gateways')
    await fc.assert(
      fc.asyncProperty(instance, async (made) => {
        await source.reset()
        await target.reset()
        await fill(made)
        const exported = await from.export()
        if (!('document' in exported)) throw new Error('names are unique here')
        for (const key of [...made.channels.flatMap(({ keys }) => keys), 'secret one', 'secretsecret']) {
          expect(exported.document).not.toContain(key)
        }
        const secrets = new Map(made.channels.map(({ name: channel, keys }) => [channel, keys.join('\n')]))
        const environment = await environmentFor(exported.document, secrets, made.options.SMTPToken ?? '')
        const resolve = createSecretResolver({ environment, isOwnVariable: () => false, isRemote: false })
        const declared = await loadDocument(exported.document, resolve)
        if ('problems' in declared) throw new Error(`${JSON.stringify(declared.problems)}\n${exported.document}`)
        const applied = await to.apply(declared, {
          prune: false,
          actor: { id: 0, name: 't', role: 100, address: '' },
          action: 't',
        })
        if (!('changes' in applied)) throw new Error(`${JSON.stringify(applied)}\n${exported.document}`)
        expect(await to.export()).toEqual(exported)
        expect(await to.drift()).toEqual([])
        const again = await to.plan(declared, true)
        expect('changes' in again && again.changes).toEqual([])
      }),
      { numRuns: RUNS },
    )
  },
)

/** Values for the references of a document: each channel's keys and the option's secret. */
async function environmentFor(document: string, keys: ReadonlyMap<string, string>, token: string) {
  const environment: Record<string, string> = { SLUICE_SECRET_OPTION_SMTPTOKEN: token }
  await loadDocument(document, async (reference) => {
    if (reference.from === 'env') environment[reference.name] ??= 'unset'
    return { value: 'unset' }
  })
  const { parse } = await import('yaml')
  const { channels = [] } = parse(document) as { channels?: readonly { name: string; key: string }[] }
  for (const channel of channels) environment[channel.key.slice('${env:'.length, -1)] = keys.get(channel.name) ?? ''
  return environment
}
