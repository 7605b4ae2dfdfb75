import { settingsOfBody } from '@sluice/contract/fields/channel'
import { columnsOfSettings, PLAIN_TOKEN } from '@sluice/contract/fields/token'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadChannels } from './channels.ts'
import { loadOptions } from './options.ts'
import { findTokenById, findTokenByKeyHash } from './tokens.ts'
import { bumpVersion, readVersions } from './versions.ts'

const HASH = 'a'.repeat(64)

describe.each(databaseEngines)('snapshots on %s', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  const addUser = async (): Promise<void> => {
    const user = {
      username: 'ada',
      password_hash: 'x',
      display_name: 'Ada',
      role: 10,
      status: 1,
      email: '',
      group_name: 'vip',
      aff_code: null,
      created_time: 1,
    }
    await database.kysely.insertInto('user').values(user).execute()
  }
  const addToken = async (keyHash: string): Promise<void> => {
    const token = {
      ...columnsOfSettings({ ...PLAIN_TOKEN, name: 'laptop', models: 'gpt-4o, gpt-4o-mini,,gpt-4o' }),
      user_id: 1,
      key_hash: keyHash,
      key_sealed: 's',
      status: 1,
      created_time: 1,
    }
    await database.kysely.insertInto('token').values(token).execute()
  }
  const addAccount = async (kind: string, owner: number, posted: bigint, unlimited: number): Promise<void> => {
    const account = { spent: 0n, requests: 0, credit_floor: -5n, last_ms: 0, held: 7n }
    await database.kysely
      .insertInto('account')
      .values({ ...account, kind, owner_id: owner, posted, unlimited })
      .execute()
  }

  describe('the token behind a key', () => {
    test('comes with its owner and both balances', async () => {
      await addUser()
      await addToken(HASH)
      await addAccount('user', 1, 9_007_199_254_740_993n, 0)
      await addAccount('token', 1, 50n, 1)
      expect(await findTokenByKeyHash(database.kysely, HASH)).toEqual({
        token: {
          id: 1,
          name: 'laptop',
          status: 1,
          expiredTime: -1,
          unlimited: false,
          models: ['gpt-4o', 'gpt-4o-mini'],
          subnet: [],
          groups: [],
          limits: { rpm: 0, tpm: 0, concurrency: 0 },
          guard: { sessionQuota: 0n, repeatRpm: 0, quietHours: null },
        },
        user: { id: 1, username: 'ada', status: 1, role: 10, group: 'vip' },
        userAccount: { id: 1, posted: 9_007_199_254_740_993n, held: 7n, creditFloor: -5n, unlimited: false },
        tokenAccount: { id: 2, posted: 50n, held: 7n, creditFloor: -5n, unlimited: true },
      })
    })

    test('is the same by the id of its row', async () => {
      await addUser()
      await addToken(HASH)
      expect(await findTokenById(database.kysely, 1)).toEqual(await findTokenByKeyHash(database.kysely, HASH))
      expect(await findTokenById(database.kysely, 2)).toBeUndefined()
    })

    test('is found before its accounts are opened', async () => {
      await addUser()
      await addToken(HASH)
      expect(await findTokenByKeyHash(database.kysely, HASH)).toMatchObject({
        userAccount: undefined,
        tokenAccount: undefined,
      })
    })

    test('never takes the account of another kind or owner', async () => {
      await addUser()
      await addToken(HASH)
      await addAccount('token', 2, 50n, 0)
      await addAccount('system', 1, 50n, 0)
      expect(await findTokenByKeyHash(database.kysely, HASH)).toMatchObject({
        userAccount: undefined,
        tokenAccount: undefined,
      })
    })

    test('is found by the whole digest only', { tags: 'S9' }, async () => {
      await addUser()
      await addToken(HASH)
      expect(await findTokenByKeyHash(database.kysely, HASH.slice(0, 63))).toBeUndefined()
      expect(await findTokenByKeyHash(database.kysely, `${HASH.slice(0, 63)}b`)).toBeUndefined()
      expect(await findTokenByKeyHash(database.kysely, HASH.toUpperCase())).toBeUndefined()
    })

    test.each([`' or '1'='1`, `' union select * from token --`, '%', '', 'a" or 1=1 --', '\\'])(
      'is not found by %j',
      { tags: 'S6' },
      async (hash) => {
        await addUser()
        await addToken(HASH)
        expect(await findTokenByKeyHash(database.kysely, hash)).toBeUndefined()
      },
    )
  })

  describe('channels', () => {
    const channel = {
      name: 'first',
      type: 1,
      key_sealed: 'v1.sealed',
      base_url: 'https://api.example.com',
      other: '',
      models: 'gpt-4o, o3 ,',
      model_mapping: '{"gpt-4o":"gpt-4o-2024"}',
      model_configs: null,
      system_prompt: null,
      group_names: 'default,vip',
      priority: -1,
      weight: 3,
      ratelimit: 0,
      status: 2,
      response_time: 12,
      test_time: 1_700_000_000,
      testing_model: null,
      created_time: 1,
      inference_profile_arn_map: null,
      config: '{}',
    }

    test('come in every status, by id, with lists split and the key still sealed', async () => {
      await database.kysely
        .insertInto('channel')
        .values([
          { ...channel, key_count: 0 },
          { ...channel, name: 'second', status: 1, key_count: 2 },
        ])
        .execute()
      const off = { channel_id: 2, fingerprint: 'abcdef012345', status: 3, reason: 'revoked', since_ms: 7 }
      await database.kysely.insertInto('channel_key').values(off).execute()
      const channels = await loadChannels(database.kysely)
      expect(channels.map(({ id, name, status }) => ({ id, name, status }))).toEqual([
        { id: 1, name: 'first', status: 2 },
        { id: 2, name: 'second', status: 1 },
      ])
      const { testingModel: _testingModel, ...unset } = settingsOfBody({})
      expect(channels[0]).toEqual({
        ...unset,
        id: 1,
        name: 'first',
        type: 1,
        status: 2,
        keySealed: 'v1.sealed',
        keyCount: 0,
        disabledKeys: new Set(),
        baseUrl: 'https://api.example.com',
        other: '',
        models: ['gpt-4o', 'o3'],
        groups: ['default', 'vip'],
        priority: -1,
        weight: 3,
        ratelimit: 0,
        modelMapping: '{"gpt-4o":"gpt-4o-2024"}',
        modelConfigs: null,
        systemPrompt: null,
        config: '{}',
        inferenceProfileArnMap: null,
      })
      expect(channels[1]).toMatchObject({ keyCount: 2, disabledKeys: new Set(['abcdef012345']) })
    })
  })

  test('options are those that were set', async () => {
    await database.kysely.insertInto('option').values({ key: 'SystemName', value: 'Sluice' }).execute()
    expect(await loadOptions(database.kysely)).toEqual(new Map([['SystemName', 'Sluice']]))
  })

  describe('a version', () => {
    test('moves with the transaction that changes its rows', async () => {
      const before = await readVersions(database.kysely)
      await database.kysely.transaction().execute((trx) => bumpVersion(trx, 'channels'))
      const after = await readVersions(database.kysely)
      expect(after).toEqual({ ...before, channels: before.channels + 1 })
    })

    test('stays when that transaction is undone', async () => {
      const before = await readVersions(database.kysely)
      const undone = database.kysely.transaction().execute(async (trx) => {
        await bumpVersion(trx, 'tokens')
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await readVersions(database.kysely)).toEqual(before)
    })

    test('counts every one of many changes at once', async () => {
      const before = await readVersions(database.kysely)
      const bump = () => database.kysely.transaction().execute((trx) => bumpVersion(trx, 'users'))
      await Promise.all(Array.from({ length: 20 }, bump))
      expect(await readVersions(database.kysely)).toEqual({ ...before, users: before.users + 20 })
    })
  })
})
