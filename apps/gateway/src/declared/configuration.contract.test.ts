import { randomBytes } from 'node:crypto'
import type { AppliedConfiguration, ConfigurationPlan } from '@sluice/contract/configuration/plan'
import { disableChannel, findChannel } from '@sluice/store/queries/channels/channels'
import { setOption } from '@sluice/store/queries/options'
import { loadOptions } from '@sluice/store/snapshots/options'
import { createVault } from '@sluice/store/vault'
import { verifyAudit } from '@sluice/store/verify-audit'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel } from '@sluice/testkit/rows'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configurationOf } from '../start/configuration-files.ts'
import type { Configuration } from './configuration.ts'
import { loadDocument } from './document/check-document.ts'
import { createSecretResolver } from './document/secrets.ts'

const ENVIRONMENT = {
  KEY: 'sk-canary-one',
  OTHER: 'sk-canary-two',
  TOKEN: 'canary-token',
  TWO: 'sk-canary-a\nsk-canary-b',
}
const ACTOR = { id: 0, name: 'test', role: 100, address: '' }
const FILE = `
version: 1
owner: team
revision: 2
options:
  SystemName: Weir
  RetryTimes: 3
  SMTPToken: \${env:TOKEN}
  Groups: { default: {}, vip: { ratio: 0.5 } }
channels:
  - name: main
    type: OpenAI
    key: \${env:KEY}
    models: [gpt-4o, gpt-4o-mini]
    groups: [default, vip]
    priority: 5
  - name: spare
    type: 1
    key: \${env:TWO}
    models: [gpt-4o]
    status: disabled
`

describe.each(databaseEngines)('a configuration file on %s', (engine) => {
  let database: TestDatabase
  const vault = createVault([randomBytes(32)])
  let configuration: Configuration
  beforeAll(async () => {
    database = await openTestDatabase(engine)
    configuration = configurationOf(
      { upstreamPrivate: 'allow', callerKeyOrigins: [] },
      { database, vault, now: Date.now },
    )
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const secrets = createSecretResolver({ environment: ENVIRONMENT, isOwnVariable: () => false, isRemote: false })
  const declared = async (text: string) => {
    const loaded = await loadDocument(text, secrets)
    if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
    return loaded
  }
  const plan = async (text: string, prune = false) => await configuration.plan(await declared(text), prune)
  const planned = async (text: string, prune = false): Promise<ConfigurationPlan> => {
    const made = await plan(text, prune)
    if (!('changes' in made)) throw new Error(JSON.stringify(made))
    return made
  }
  const apply = async (text: string, { prune = false, state }: { prune?: boolean; state?: string } = {}) =>
    await configuration.apply(await declared(text), { prune, state, actor: ACTOR, action: 'test' })
  const applied = async (
    text: string,
    order: { prune?: boolean; state?: string } = {},
  ): Promise<AppliedConfiguration> => {
    const done = await apply(text, order)
    if (!('changes' in done)) throw new Error(JSON.stringify(done))
    return done
  }
  const actions = ({ changes }: Pick<ConfigurationPlan, 'changes'>) =>
    changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`).sort()
  const channelNamed = async (name: string) => {
    const { id } = await database.kysely
      .selectFrom('channel')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const channel = await findChannel(database.kysely, id)
    if (channel === undefined) throw new Error(`no channel ${name}`)
    return channel
  }

  test('is planned, applied, and then has nothing to do', async () => {
    const made = await planned(FILE)
    expect(actions(made)).toEqual([
      'create channel main',
      'create channel spare',
      'create option Groups',
      'create option RetryTimes',
      'create option SMTPToken',
      'create option SystemName',
    ])
    expect(made).toMatchObject({ owner: 'team', revision: 2, unchanged: 0, prices: { charges: 0 } })
    expect(actions(await applied(FILE, { state: made.state }))).toEqual(actions(made))
    expect(await planned(FILE)).toMatchObject({ changes: [], unchanged: 6 })
    expect(await applied(FILE)).toMatchObject({ changes: [], unchanged: 6 })
    expect(await channelNamed('main')).toMatchObject({
      type: 1,
      models: 'gpt-4o,gpt-4o-mini',
      groups: 'default,vip',
      priority: 5,
      status: 1,
      keyCount: 0,
    })
    expect(await channelNamed('spare')).toMatchObject({ status: 2, keyCount: 2 })
    expect((await loadOptions(database.kysely)).get('GroupRatio')).toBe('{"default":1,"vip":0.5}')
    expect(await configuration.drift()).toEqual([])
  })

  test('shows field by field what changes, and never a secret', async () => {
    await applied(FILE)
    const next = FILE.replace('revision: 2', 'revision: 3')
      .replace('RetryTimes: 3', 'RetryTimes: 4')
      .replace('priority: 5', 'priority: 6')
      .replace('env:KEY', 'env:OTHER')
    const made = await planned(next)
    expect(made.changes).toEqual([
      {
        kind: 'option',
        name: 'RetryTimes',
        action: 'update',
        drifted: false,
        fields: [{ field: 'value', before: '3', after: '4' }],
      },
      {
        kind: 'channel',
        name: 'main',
        action: 'update',
        drifted: false,
        fields: [
          { field: 'priority', before: '5', after: '6' },
          { field: 'key', before: '(secret)', after: '(another secret)' },
        ],
      },
    ])
    await applied(next)
    expect(vault.open('channel_key', (await channelNamed('main')).keySealed)).toEqual({
      ok: true,
      text: 'sk-canary-two',
    })
  })

  test('is applied in full or not at all', async () => {
    const wrong = FILE.replace('groups: [default, vip]', 'groups: [default, nobody]')
    expect(await apply(wrong)).toEqual({
      problems: [{ line: 15, column: 23, path: 'channels[0].groups[1]', rule: 'names a group that is not in Groups' }],
    })
    expect(await loadOptions(database.kysely)).toEqual(new Map())
    expect(await database.kysely.selectFrom('channel').select('id').execute()).toEqual([])
  })

  test('is refused when the state has changed since the plan', async () => {
    const { state } = await planned(FILE)
    await setOption(database.kysely, 'SystemName', 'Changed')
    expect(await apply(FILE, { state })).toEqual({ code: 'configuration_stale' })
    expect(actions(await planned(FILE))).toContain('update option SystemName')
  })

  test('is applied once by two appliers at the same time', async () => {
    const other = await database.reopen()
    const second = configurationOf(
      { upstreamPrivate: 'allow', callerKeyOrigins: [] },
      { database: other, vault, now: Date.now },
    )
    const order = { prune: false, actor: ACTOR, action: 'test' }
    const file = await declared(FILE)
    const both = await Promise.all([configuration.apply(file, order), second.apply(file, order)])
    const counts = both.map((done) => ('changes' in done ? done.changes.length : -1))
    expect(new Set(counts)).toEqual(new Set([0, 6]))
    expect(await database.kysely.selectFrom('channel').select('id').execute()).toHaveLength(2)
    await other.close()
  })

  test('with a plan, is applied by one of two and refused for the other', async () => {
    const other = await database.reopen()
    const second = configurationOf(
      { upstreamPrivate: 'allow', callerKeyOrigins: [] },
      { database: other, vault, now: Date.now },
    )
    const { state } = await planned(FILE)
    const order = { prune: false, actor: ACTOR, action: 'test', state }
    const file = await declared(FILE)
    const both = await Promise.all([configuration.apply(file, order), second.apply(file, order)])
    expect(both.filter((done) => 'changes' in done)).toHaveLength(1)
    expect(both.filter((done) => 'code' in done)).toEqual([{ code: 'configuration_stale' }])
    await other.close()
  })

  test('takes over what exists under its names, and leaves everything else alone', async () => {
    await setOption(database.kysely, 'SystemName', 'Weir')
    await setOption(database.kysely, 'Notice', 'hello')
    const id = await addChannel(database.kysely, { name: 'main', key_sealed: vault.seal('channel_key', 'sk-old') })
    await addChannel(database.kysely, { name: 'another' })
    const made = await planned(FILE)
    expect(made.left_alone).toBe(2)
    expect(actions(made)).toContain('adopt option SystemName')
    expect(actions(made)).toContain('update channel main')
    await applied(FILE)
    expect((await channelNamed('main')).id).toBe(id)
    expect(await database.kysely.selectFrom('channel').select('id').execute()).toHaveLength(3)
  })

  test('refuses a name that several channels have, and what another file owns', async () => {
    await addChannel(database.kysely, { name: 'main' })
    await addChannel(database.kysely, { name: 'main' })
    expect(await plan(FILE)).toMatchObject({
      problems: [{ path: 'channels[0].name', rule: 'is the name of 2 channels: rename them first' }],
    })
    await database.reset()
    await applied(FILE)
    expect(await plan('version: 1\nowner: other\noptions:\n  RetryTimes: 1\n')).toMatchObject({
      problems: [
        { line: 4, column: 15, path: 'options.RetryTimes', rule: 'is managed by the configuration file "team"' },
      ],
    })
    expect(await plan('version: 1\nowner: other\nchannels:\n  - name: main\n    type: 1\n')).toMatchObject({
      problems: [{ path: 'channels[0].name', rule: 'is managed by the configuration file "team"' }],
    })
  })

  test('gives back what it no longer names, or removes it with prune', async () => {
    await applied(FILE)
    const less = 'version: 1\nowner: team\nrevision: 3\noptions:\n  SystemName: Weir\n'
    expect(actions(await planned(less))).toEqual([
      'release channel main',
      'release channel spare',
      'release option Groups',
      'release option RetryTimes',
      'release option SMTPToken',
    ])
    const pruned = await planned(less, true)
    expect(actions(pruned)).toEqual([
      'remove channel main',
      'remove channel spare',
      'remove option Groups',
      'remove option RetryTimes',
      'remove option SMTPToken',
    ])
    await addChannel(database.kysely, { name: 'of nobody' })
    await applied(less, { prune: true })
    expect((await database.kysely.selectFrom('channel').select('name').execute()).map(({ name }) => name)).toEqual([
      'of nobody',
    ])
    expect([...(await loadOptions(database.kysely)).keys()]).toEqual(['SystemName'])
    expect(await planned(less)).toMatchObject({ changes: [], unchanged: 1 })
  })

  test('does not remove what was released first', async () => {
    await applied(FILE)
    const less = 'version: 1\nowner: team\nrevision: 3\noptions:\n  SystemName: Weir\n'
    await applied(less)
    expect(await planned(less, true)).toMatchObject({ changes: [] })
    expect(await configuration.release('team', ACTOR, 'test')).toBe(1)
    expect(await configuration.release('team', ACTOR, 'test')).toBe(0)
    expect(await channelNamed('main')).toMatchObject({ status: 1 })
  })

  test('keeps a group to which users belong', async () => {
    await applied(FILE)
    await sql`insert into "user" (username, password_hash, display_name, role, status, email, group_name, created_time)
      values ('u', '', '', 1, 1, '', 'vip', 0)`.execute(database.kysely)
    const less = FILE.replace(', vip: { ratio: 0.5 }', '').replace('[default, vip]', '[default]')
    expect(await plan(less)).toMatchObject({
      problems: [{ path: 'options.Groups', rule: 'must keep the group "vip", because users belong to it' }],
    })
  })

  test('with a lower revision, or other content under the same one, is not applied', async () => {
    await applied(FILE)
    expect(await apply(FILE.replace('revision: 2', 'revision: 1'))).toMatchObject({ code: 'configuration_superseded' })
    expect(await apply(FILE.replace('RetryTimes: 3', 'RetryTimes: 4'))).toMatchObject({
      code: 'configuration_superseded',
    })
    const newer = FILE.replace('revision: 2', 'revision: 7').replace('RetryTimes: 3', 'RetryTimes: 4')
    expect(actions(await applied(newer))).toEqual(['update option RetryTimes'])
    expect((await loadOptions(database.kysely)).get('RetryTimes')).toBe('4')
  })

  test('notices what something else has changed, but not what the gateway switches off', async () => {
    await applied(FILE)
    const main = await channelNamed('main')
    await disableChannel(database.kysely, main.id, { reason: 'key refused', at: 1 })
    expect(await configuration.drift()).toEqual([])
    expect(await planned(FILE)).toMatchObject({ changes: [] })
    await sql`update channel set priority = 9 where id = ${main.id}`.execute(database.kysely)
    await setOption(database.kysely, 'RetryTimes', '1')
    expect((await configuration.drift()).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'channel main',
      'option RetryTimes',
    ])
    expect((await planned(FILE)).changes).toMatchObject([
      { name: 'RetryTimes', drifted: true },
      { name: 'main', drifted: true, fields: [{ field: 'priority', before: '9', after: '5' }] },
    ])
    await applied(FILE)
    expect(await configuration.drift()).toEqual([])
    expect(await channelNamed('main')).toMatchObject({ status: 3, priority: 5 })
  })

  test('is in the audit log, change by change, and no secret is anywhere', { tags: 'S20' }, async () => {
    const outputs: unknown[] = [await planned(FILE), await applied(FILE)]
    const next = FILE.replace('env:KEY', 'env:OTHER')
      .replace('env:TOKEN', 'env:OTHER')
      .replace('revision: 2', 'revision: 3')
    outputs.push(await planned(next), await applied(next), await configuration.export(), await configuration.drift())
    await configuration.release('team', ACTOR, 'test')
    const rows = await database.kysely.selectFrom('audit').selectAll().orderBy('seq').execute()
    expect(rows.map(({ target_kind, target_id }) => `${target_kind} ${target_id}`).slice(0, 6)).toEqual([
      'option SystemName',
      'option RetryTimes',
      'option SMTPToken',
      'option Groups',
      'channel 1',
      'channel 2',
    ])
    expect(rows).toHaveLength(6 + 2 + 6)
    expect(await verifyAudit(database.kysely, vault)).toMatchObject({ rows: 14 })
    const tables = ['configuration_item', 'configuration_owner', 'option', 'channel', 'channel_key'] as const
    for (const table of tables) outputs.push(await database.kysely.selectFrom(table).selectAll().execute())
    const text = JSON.stringify([rows, outputs], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(text).toContain('(another secret)')
    expect(text).not.toContain('canary')
  })

  test('shows nothing of credentials that a row from elsewhere holds in its config', { tags: 'S20' }, async () => {
    const config = '{"ak":"canary-ak","region":"us-east-1"}'
    await addChannel(database.kysely, { name: 'main', config, key_sealed: vault.seal('channel_key', 'sk') })
    const outputs = [await configuration.export(), await planned(FILE), await applied(FILE)]
    outputs.push(await applied('version: 1\nowner: team\nrevision: 9\n', { prune: true }))
    const rows = await database.kysely.selectFrom('audit').selectAll().execute()
    const text = JSON.stringify([outputs, rows])
    expect(text).toContain('us-east-1')
    expect(text).not.toContain('canary')
  })
})
