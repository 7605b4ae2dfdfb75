import { randomBytes } from 'node:crypto'
import { deleteChannel } from '@sluice/store/queries/channels/channels'
import { listAlarms } from '@sluice/store/queries/ledger/alarms'
import { setOption } from '@sluice/store/queries/options'
import { createVault } from '@sluice/store/vault'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadDocument } from '../declared/document/check-document.ts'
import { createSecretResolver } from '../declared/document/secrets.ts'
import { openConfigurationDrift } from './configuration-drift.ts'
import { configurationOf } from './configuration-files.ts'

const FILE = `
version: 1
owner: team
options: { RetryTimes: 3 }
channels: [{ name: main, type: OpenAI, key: '\${env:KEY}', models: [gpt-4o] }]
`
const ACTOR = { id: 0, name: 'test', role: 100, address: '' }
const config = { upstreamPrivate: 'allow' as const, callerKeyOrigins: [] }
const vault = createVault([randomBytes(32)])

let database: TestDatabase
let now = 1_000
beforeEach(async () => {
  database = await openTestDatabase('sqlite')
  now = 1_000
})
afterEach(() => database.close())

const files = () => configurationOf(config, { database, vault, now: () => now })
const apply = async () => {
  const secrets = createSecretResolver({ environment: { KEY: 'sk-x' }, isOwnVariable: () => false, isRemote: false })
  const declared = await loadDocument(FILE, secrets)
  if ('problems' in declared) throw new Error(JSON.stringify(declared.problems))
  const applied = await files().apply(declared, { prune: false, actor: ACTOR, action: 'test' })
  if (!('changes' in applied)) throw new Error(JSON.stringify(applied))
}

/** Runs each change and then a check; returns the alarms after each. */
async function watch(between: readonly (() => Promise<unknown>)[]) {
  const failed: unknown[] = []
  const log = { warn: () => {}, info: () => {}, error: (fields: unknown) => void failed.push(fields) }
  const seen: string[][] = []
  for (const step of between) {
    await step()
    now += 60_000
    const drift = openConfigurationDrift({ config, database, vault, now: () => now, log, every: () => () => {} })
    // Waits for the check that a start begins with.
    await drift.close()
    const { rows } = await listAlarms(database.kysely, { offset: 0, limit: 10 })
    expect(drift.count()).toBe(rows.length)
    seen.push(rows.map(({ kind, subject, channelId, occurrences }) => `${kind} ${subject} ${channelId} ${occurrences}`))
  }
  expect(failed).toEqual([])
  return seen.map((alarms) => alarms.toSorted())
}

it('keeps an alarm for each thing that is no longer as its file left it, until it is again', async () => {
  const [option, channel] = ['configuration_drift RetryTimes 0 0', 'configuration_drift main 1 0']
  const seen = await watch([
    apply,
    () => setOption(database.kysely, 'RetryTimes', '7'),
    () => deleteChannel(database.kysely, 1),
    () => setOption(database.kysely, 'RetryTimes', '3'),
    apply,
    () => setOption(database.kysely, 'RetryTimes', '7'),
    () => files().release('team', ACTOR, 'test'),
  ])
  expect(seen).toEqual([[], [option], [option, channel], [channel], [], [option], []])
})
