import { databaseEngines } from '@sluice/testkit/databases'
import type { TestSource } from '@sluice/testkit/import/foreign-sources'
import { type GeneratedGateway, writeGateway } from '@sluice/testkit/import/generated-gateway'
import { type ImportBench, openImportBench } from '@sluice/testkit/import/import-bench'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Configuration } from '../declared/configuration.ts'
import { loadDocument } from '../declared/document/check-document.ts'
import { createSecretResolver } from '../declared/document/secrets.ts'
import { configurationOf } from '../start/configuration-files.ts'

const person = { isRoot: false, hasCode: true, isDeleted: false, quota: 5, reward: 0, hostile: undefined }
const GATEWAY: GeneratedGateway = {
  family: 'one-api',
  users: [{ ...person, id: 2, name: 'ann' }],
  tokens: [],
  channels: [1, 2, 3].map((id) => ({ id, type: 1, createdTime: 1_700_000_000 + id, hostile: undefined })),
  codes: [],
  logs: [],
}
const channelOf = (id: number) => `
  - name: channel ${id}
    type: OpenAI
    key: \${env:KEY}
    models: [gpt-4o]`
const FILE = `
version: 1
owner: team
options:
  RetryTimes: 0
  Groups: { default: {} }
channels:${channelOf(1)}${channelOf(3)}
`
const ACTOR = { id: 0, name: 'test', role: 100, address: '' }

describe.each(databaseEngines)('an import beside a configuration file on %s', (engine) => {
  let bench: ImportBench
  let source: TestSource
  let configuration: Configuration
  beforeEach(async () => {
    bench = await openImportBench(engine)
    source = await writeGateway(GATEWAY)
    configuration = configurationOf({ upstreamPrivate: 'allow', callerKeyOrigins: [] }, bench)
    expect((await bench.bring(source.source)).outcome).toBe('done')
    const secrets = createSecretResolver({
      environment: { KEY: 'sk-of-the-file' },
      isOwnVariable: () => false,
      isRemote: false,
    })
    const declared = await loadDocument(FILE, secrets)
    if ('problems' in declared) throw new Error(JSON.stringify(declared.problems))
    const applied = await configuration.apply(declared, { prune: false, actor: ACTOR, action: 'test' })
    if (!('changes' in applied)) throw new Error(JSON.stringify(applied))
  })
  afterEach(async () => {
    await source.remove()
    expect(await bench.broken()).toEqual([])
    await bench.close()
  })

  const changeSource = (more = '') =>
    source.run(`
      create table options (key text primary key, value text);
      insert into options values ('RetryTimes', '7'), ('GroupRatio', '{"default":3,"vip":2}'), ('Notice', 'from there');
      update channels set models = 'gpt-4o,gpt-4o-mini', priority = 9 where id in (1, 2);
      delete from channels where id = 3;
      ${more}`)
  const channels = () =>
    bench.database.kysely.selectFrom('channel').select(['name', 'priority', 'status']).orderBy('id').execute()

  it('leaves what the file owns, brings the rest, and says so', async () => {
    await changeSource()
    const { outcome, reason, report } = await bench.bring(source.source)
    expect([outcome, reason]).toEqual(['done', ''])
    expect(await configuration.drift()).toEqual([])
    expect(await channels()).toEqual([
      { name: 'channel 1', priority: 0, status: 1 },
      { name: 'channel 2', priority: 9, status: 1 },
      // Gone at the source, but the file has it.
      { name: 'channel 3', priority: 0, status: 1 },
    ])
    expect(report?.notes).toEqual(
      expect.arrayContaining([
        'Channels owned by a configuration file stay as they are: "channel 1" (team).',
        'Channels owned by a configuration file stay as they are: "channel 3" (team).',
      ]),
    )
    const kept = { effect: 'kept', reason: 'is managed by the configuration file "team"' }
    expect(report?.settings).toEqual(
      expect.arrayContaining([
        { key: 'RetryTimes', ...kept },
        { key: 'GroupRatio', ...kept },
        { key: 'Notice', effect: 'set', reason: '' },
      ]),
    )
  })

  it('brings a channel again once the file has given it back', async () => {
    await changeSource()
    await bench.bring(source.source)
    await configuration.release('team', ACTOR, 'test')
    expect((await bench.bring(source.source)).outcome).toBe('done')
    expect((await channels())[0]).toMatchObject({ name: 'channel 1', priority: 9 })
  })

  it('refuses users of a group that the file does not have, and writes nothing', async () => {
    await changeSource(`update users set "group" = 'vip' where id = 2;`)
    const before = await bench.state()
    const { outcome, report } = await bench.bring(source.source)
    expect(outcome).toBe('refused')
    expect(report?.refused).toEqual([
      'Groups is managed by the configuration file "team", which lacks groups that the source uses: vip. Add them to the file first.',
    ])
    expect(await bench.state()).toEqual(before)
  })
})
