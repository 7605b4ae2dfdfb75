import { randomBytes } from 'node:crypto'
import type { PriceEffect } from '@sluice/contract/configuration/plan'
import { setOptions } from '@sluice/store/queries/options'
import { createVault } from '@sluice/store/vault'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel, addTransfer, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { configurationOf } from '../start/configuration-files.ts'
import { loadDocument } from './document/check-document.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const DAY = 86_400_000
const PRICES = '{"m":{"ratio":2,"completion_ratio":2},"other":{"ratio":1}}'

describe.each(databaseEngines)('whose prices a file changes, on %s', (engine) => {
  let database: TestDatabase
  let channel: number
  let ann: number
  let bob: number
  const vault = createVault([randomBytes(32)])
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  afterAll(() => database.close())

  beforeEach(async () => {
    await database.reset()
    const db = database.kysely
    await setOptions(db, [
      { key: 'PriceOverrides', value: PRICES },
      { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' },
    ])
    channel = await addChannel(db, { name: 'a', models: 'm,other', key_sealed: vault.seal('channel_key', 'sk') })
    ann = await addUser(db, { username: 'ann' })
    bob = await addUser(db, { username: 'bob', group_name: 'vip' })
    await db
      .insertInto('price')
      .values(
        [1_000_000n, 500_000n].map((ratio, at) => ({
          id: at + 1,
          content: `price ${ratio}`,
          input: 2_000_000_000n,
          cached_input: 0n,
          cache_write_5m: 0n,
          cache_write_1h: 0n,
          output: 4_000_000_000n,
          units: null,
          group_ratio: ratio,
          source: 'override',
        })),
      )
      .execute()
    // 10 input and 5 output tokens per charge.
    await addCharge(ann, { at: NOW - DAY, price: 1 })
    await addCharge(ann, { at: NOW - 2 * DAY, price: 1 })
    await addCharge(bob, { at: NOW - DAY, price: 2 })
    await addCharge(bob, { at: NOW - DAY, price: 2, model: 'other' })
    await addCharge(bob, { at: NOW - 8 * DAY, price: 2 })
  })

  let number = 0
  const addCharge = async (user: number, { at, price, model = 'm' }: { at: number; price: number; model?: string }) => {
    const { id } = await database.kysely
      .selectFrom('account')
      .select('id')
      .where('kind', '=', 'user')
      .where('owner_id', '=', user)
      .executeTakeFirstOrThrow()
    number += 1
    await addTransfer(database.kysely, {
      request_id: at.toString(16).padStart(12, '0') + String(number).padStart(20, '0'),
      at_ms: at,
      kind: 'consume',
      debit: id,
      credit: id,
      amount: 1n,
      price_id: price,
      input_tokens: 10,
      output_tokens: 5,
      channel_id: channel,
      model,
    })
  }
  const effectOf = async (file: string): Promise<PriceEffect> => {
    const configuration = configurationOf(
      { upstreamPrivate: 'allow', callerKeyOrigins: [] },
      { database, vault, now: () => NOW },
    )
    const declared = await loadDocument(`version: 1\n${file}`, async () => ({ value: 'sk' }))
    if ('problems' in declared) throw new Error(JSON.stringify(declared.problems))
    const plan = await configuration.plan(declared, true)
    if (!('prices' in plan)) throw new Error(JSON.stringify(plan))
    return plan.prices
  }

  test('is computed from what was used in seven days', async () => {
    const effect = await effectOf(
      'options:\n  PriceOverrides: { m: { ratio: 4, completion_ratio: 2 }, other: { ratio: 1 } }\n',
    )
    expect(effect).toEqual({
      since: (NOW - 7 * DAY) / 1_000,
      charges: 3,
      complete: true,
      before: '100',
      after: '200',
      users: [
        { id: ann, username: 'ann', before: '80', after: '160' },
        { id: bob, username: 'bob', before: '20', after: '40' },
      ],
      models: [{ model: 'm', before: '100', after: '200' }],
    })
  })

  test('follows the groups, and the prices of a channel', async () => {
    const groups = await effectOf('options:\n  Groups: { default: {}, vip: { ratio: 0.25 } }\n')
    expect(groups).toMatchObject({ charges: 2, users: [{ username: 'bob', before: '27.5', after: '13.75' }] })
    const own = await effectOf(
      'channels:\n  - { name: a, type: 1, models: [m, other], model_configs: { other: { ratio: 3 } } }\n',
    )
    expect(own).toMatchObject({ charges: 1, models: [{ model: 'other', before: '7.5', after: '22.5' }] })
  })

  test('is nothing where prices stay, however they are written', async () => {
    const effect = await effectOf(
      'options:\n  RetryTimes: 1\n  PriceOverrides: { other: { ratio: 1.0 }, m: { completion_ratio: 2, ratio: 2 } }\n',
    )
    expect(effect).toMatchObject({ charges: 0, before: '0', after: '0', users: [] })
  })
})
