import type { Channel } from '@sluice/contract/channel'
import { databaseEngines } from '@sluice/testkit/databases'
import { type ManagementBench, openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

/** How many statements a call is ahead of the file, so that the file comes between its check and its write. */
const LEADS = [1, 2, 3]

const FILE = `
version: 1
owner: team
options:
  RetryTimes: 3
channels:
  - name: main
    type: OpenAI
    key: \${env:SLUICE_SECRET_PAIR}
    models: [gpt-4o]
    status: enabled
`

describe.each(databaseEngines)('a call that meets a configuration file on %s', (engine) => {
  let bench: ManagementBench
  let root: TestCaller
  let main: Channel
  beforeAll(async () => {
    process.env['SLUICE_SECRET_PAIR'] = 'sk-one\nsk-two'
    bench = await openManagementBench(engine)
    root = await bench.addCaller('root', 100)
  })
  afterAll(async () => {
    delete process.env['SLUICE_SECRET_PAIR']
    expect(bench.reported).toEqual([])
    await bench.close()
  })

  const call = <D>(method: string, path: string, body?: unknown) =>
    bench.ask<D>(method, path, { as: root, ...(body === undefined ? {} : { body }) })
  const apply = async () => expect((await call('POST', '/api/config/apply', { document: FILE })).success).toBe(true)
  const pairKeys = async () => (await call<{ fingerprint: string }[]>('GET', `/api/channel/${main.id}/keys`)).data ?? []

  /** Applies the file and releases it, so that values are the file's and nobody owns them. */
  const giveBack = async () => {
    await apply()
    expect((await call('POST', '/api/config/release', { owner: 'team' })).data).toBe(2)
    const found = (await call<Channel[]>('GET', '/api/channel/?size=100')).data?.filter(({ name }) => name === 'main')
    expect(found).toHaveLength(1)
    const [only] = found ?? []
    if (only !== undefined) main = only
  }
  beforeEach(giveBack)

  const calls: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
    'sets an option': async () => () => call('PUT', '/api/option/', { key: 'RetryTimes', value: '7' }),
    'changes a channel': async () => () => call('PUT', '/api/channel/', { id: main.id, priority: 7 }),
    'switches a channel off': async () => () =>
      call('PUT', '/api/channel/?status_only=true', { id: main.id, status: 2 }),
    'sets prices': async () => () =>
      call('PUT', `/api/channel/pricing/${main.id}`, { model_configs: { 'gpt-4o': { ratio: 9 } } }),
    'deletes a key': async () => {
      const [first] = await pairKeys()
      return () => call('DELETE', `/api/channel/${main.id}/keys/${first?.fingerprint}`)
    },
    'deletes a channel': async () => () => call('DELETE', `/api/channel/${main.id}`),
  }

  it.each(Object.keys(calls))('and %s comes before the file, or is refused', async (name) => {
    for (const lead of LEADS) {
      const change = await calls[name]?.()
      const changed = change?.()
      for (let at = 0; at < lead; at++) await sql`select 1`.execute(bench.database.kysely)
      await Promise.all([changed, apply()])
      const plan = await call<{ changes: unknown[] }>('POST', '/api/config/plan', { document: FILE })
      expect([lead, plan.data?.changes]).toEqual([lead, []])
      await giveBack()
    }
  })
})
