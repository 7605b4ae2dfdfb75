import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { FINDINGS } from '@sluice/contract/findings/catalogue'
import { insertSession } from '@sluice/store/queries/accounts/sessions'
import { insertUser } from '@sluice/store/queries/accounts/users'
import { isCallOut, putOutCall, takeBackCall } from '@sluice/store/queries/doctor/doctor-calls'
import * as overview from '@sluice/store/queries/doctor/overview'
import { listLiveReplicas, writeReplicaFacts } from '@sluice/store/queries/doctor/replicas'
import { createVault } from '@sluice/store/vault'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../environment/environment.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { openGuardedClient } from '../outbound/guarded-client.ts'
import { type Examination, examine, reportOf } from './doctor.ts'
import type { DoctorParts } from './wire-checks.ts'

const NOW = Date.now()
const DAY_MS = 86_400_000

describe.each(databaseEngines)('the doctor on %s', (engine) => {
  let database: TestDatabase
  let dataDir: string
  const vault = createVault([randomBytes(32)])
  const guard = createAddressGuard('allow')
  const guarded = openGuardedClient(guard)
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(async () => {
    await database.reset()
    dataDir = await mkdtemp(join(tmpdir(), 'sluice-doctor-'))
    await mkdir(dataDir, { recursive: true })
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))
  afterAll(async () => {
    await guarded.close()
    await database.close()
  })

  const errors: unknown[] = []
  const examined = async (over: Partial<DoctorParts> = {}): Promise<Examination> => {
    const { config } = loadConfig({ SLUICE_DATA_DIR: dataDir })
    if (config === undefined) throw new Error('the configuration is wrong')
    errors.length = 0
    return await examine(
      {
        config,
        database,
        vault,
        guard,
        fetchGuarded: guarded.fetch,
        machine: 'here',
        now: Date.now,
        own: Date.now,
        steady: () => performance.now(),
        pause: async (ms, signal) => await delay(ms, undefined, { signal }),
        newValue: () => randomBytes(32).toString('hex'),
        isDefaultPassword: async () => false,
        onError: (error) => errors.push(error),
        ...over,
      },
      new AbortController().signal,
    )
  }
  const idsOf = ({ found }: Examination): readonly string[] => found.map(({ id }) => id)
  const addUser = async (username: string, role: number): Promise<number> => {
    const user = await insertUser(database.kysely, {
      username,
      passwordHash: 'hash',
      displayName: username,
      role,
      email: '',
      group: 'default',
      createdTime: Math.floor(NOW / 1_000),
    })
    if (user === 'name_taken') throw new Error('the name is taken')
    return user.id
  }

  it('finds nothing worse than notes in an empty installation, and no check fails', async () => {
    const examination = await examined()
    expect(errors).toEqual([])
    expect(examination.found.map(({ id }) => FINDINGS[id].severity)).not.toContain('warning')
    expect(reportOf(examination, 'english').worst).toBe('note')
    expect(idsOf(examination)).toEqual(expect.arrayContaining(['replicas.none', 'mail.none']))
  })

  it('reads what the checks need: rows from the future, old holds, dead mails, channels that were switched off', async () => {
    const db = database.kysely
    const user = await addUser('root', 100)
    const ahead = Math.floor((NOW + 30 * DAY_MS) / 1_000)
    await insertSession(db, { idHash: 'x', userId: user, now: ahead, expires: ahead + 60, replaces: undefined })
    for (const id of [1, 2])
      await sql`insert into account (id, kind, owner_id) values (${id}, 'user', ${id})`.execute(db)
    await sql`insert into hold (request_id, account, limit_account, amount, replica, opened_ms, touched_ms)
      values ('r1', 1, 2, 5, 'gone', ${NOW - DAY_MS}, ${NOW - DAY_MS})`.execute(db)
    await sql`insert into outbox (kind, recipient, content_sealed, state, attempts, due_ms, expires_ms, lease, problem, created_ms, done_ms)
      values ('reset', 'a@b.c', '', 'dead', 10, 0, 0, '', 'no delivery: ECONNREFUSED', 0, ${NOW - 1_000})`.execute(db)
    await sql`insert into channel (name, type, key_sealed, base_url, other, models, group_names, priority, weight, ratelimit,
        status, response_time, test_time, created_time, config, disabled_reason, disabled_ms)
      values ('broken', 50, ${vault.seal('channel_key', 'k')}, '', '', 'm', 'default', 0, 0, 0, 3, 0, 0, 0, '', 'refused', ${NOW})`.execute(
      db,
    )
    const ids = idsOf(await examined())
    expect(errors).toEqual([])
    for (const id of [
      'clock.rows_ahead',
      'ledger.holds',
      'mail.dead',
      'channels.off',
      'channels.all_off',
      'accounts.one_step',
    ])
      expect(ids).toContain(id)
    expect(await overview.listSwitchedOff(db)).toEqual(new Map([[1, { reason: 'refused', since: NOW }]]))
  })

  it('counts the requests of a model per channel, and knows who has a second step', async () => {
    const db = database.kysely
    const today = Math.floor(NOW / DAY_MS)
    for (const [day, requests] of [
      [today, 2],
      [today - 3, 5],
      [today - 30, 100],
    ] as const) {
      await sql`insert into usage_daily_model (day, model, channel_id, requests, prompt_tokens, completion_tokens, amount)
        values (${day}, 'gpt', 7, ${requests}, 1, 1, 1)`.execute(db)
    }
    expect(await overview.requestsSince(db, today - 6)).toEqual(new Map([['7 gpt', 7]]))
    await addUser('root', 100)
    const admin = await addUser('admin', 10)
    await addUser('user', 1)
    await sql`update "user" set totp_sealed = 'x' where id = ${admin}`.execute(db)
    expect(await overview.listPowerfulUsers(db)).toMatchObject([
      { username: 'root', hasSecondStep: false },
      { username: 'admin', hasSecondStep: true },
    ])
  })

  it('lists live replicas with what they say, and a value that it has put out is known until it is taken back', async () => {
    const db = database.kysely
    for (const [id, ageMs, dead] of [
      ['alive', 0, 0],
      ['silent', 60_000, 0],
      ['dead', 0, 1],
    ] as const) {
      await sql`insert into replica (id, heartbeat_ms, started_ms, dead) values (${id}, ${Date.now() - ageMs}, 0, ${dead})`.execute(
        db,
      )
    }
    await writeReplicaFacts(db, 'alive', '{"version":"1"}')
    expect(await listLiveReplicas(database)).toEqual([{ id: 'alive', facts: '{"version":"1"}' }])
    expect(idsOf(await examined())).toContain('replicas.silent')

    await putOutCall(database, 'a', 60_000)
    await putOutCall(database, 'over', -1)
    expect([await isCallOut(database, 'a'), await isCallOut(database, 'b'), await isCallOut(database, 'over')]).toEqual(
      [true, false, false],
    )
    await takeBackCall(db, 'a')
    expect(await isCallOut(database, 'a')).toBe(false)
  })

  it('says which secrets no present master key opens', async () => {
    const other = createVault([randomBytes(32)])
    await sql`insert into "option" (key, value) values ('SMTPToken', ${other.seal('option', 'canary')})`.execute(
      database.kysely,
    )
    const examination = await examined()
    expect(examination.found).toContainEqual({ id: 'keys.missing', subject: other.keyId })
    expect(idsOf(examination)).toContain('settings.unreadable')
    expect(JSON.stringify(reportOf(examination, 'chinese'))).not.toContain('canary')
  })

  it('goes on when a part of the database is gone', async () => {
    await sql`alter table alarm rename to alarm_away`.execute(database.kysely)
    try {
      const { found } = await examined()
      expect(found.filter(({ id }) => id === 'doctor.failed')).toMatchObject([{ subject: 'Models' }])
      expect(errors).toHaveLength(1)
    } finally {
      await sql`alter table alarm_away rename to alarm`.execute(database.kysely)
    }
  })
})
