import { randomBytes } from 'node:crypto'
import { databaseEngines, openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { addChannel, addUser } from '@sluice/testkit/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readDatabaseTime } from './clocks.ts'
import { beginCeremony, finishCeremony, readCeremony } from './queries/accounts/ceremonies.ts'
import { putEmailCode, takeEmailCodeAttempt } from './queries/accounts/email-codes.ts'
import { insertOAuthState, takeOAuthState } from './queries/accounts/oauth-states.ts'
import { putPasswordReset, resetPassword } from './queries/accounts/password-resets.ts'
import { enableTotp, useTotpStep } from './queries/accounts/totp.ts'
import { adoptAuditCalls, beginAuditCall } from './queries/audit/audit.ts'
import { addChannelCalls, forgetOldCalls, readChannelHistory } from './queries/channels/channel-history.ts'
import { findLatestJobRun, insertJobRun, latestJobBegins } from './queries/job-runs.ts'
import { claimLease } from './queries/leases.ts'
import { dismissAlarm, listAlarms, reportAlarms } from './queries/ledger/alarms.ts'
import { endLedgerCheck, insertLedgerCheck, latestChecks, LEDGER_CHECK_JOB } from './queries/ledger/ledger-checks.ts'
import { claimMessages, insertMessage } from './queries/outbox.ts'
import { findStoredResponses, storeResponses } from './queries/stored-responses.ts'
import { endDueTransactions, moveTransaction, openTransaction } from './queries/tokens/token-transactions.ts'
import { createVault } from './vault.ts'

const NOW_MS = Date.UTC(2026, 10, 22)
const NOW = NOW_MS / 1_000
const YEAR_MS = 365 * 86_400_000
/** A clock that is a year ahead. */
const AHEAD_MS = NOW_MS + YEAR_MS
const AHEAD = AHEAD_MS / 1_000

describe.each(databaseEngines)('what a clock that was a year ahead left on %s', { tags: 'S45' }, (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  beforeEach(() => database.reset())
  afterAll(() => database.close())

  test('is not what the database says', async () => {
    const [before, reported, after] = [Date.now(), await readDatabaseTime(database), Date.now()]
    expect(reported).toBeGreaterThanOrEqual(before - 1)
    expect(reported).toBeLessThanOrEqual(after + 1)
  })

  test('keeps no job from running: neither by its lease nor by its last run', async () => {
    const { kysely } = database
    const claim = (job: string, now: number) => claimLease(kysely, { job, owner: 'r', now, until: now + 60_000 })
    const epoch = (await claim('job', AHEAD_MS)) ?? 0
    await insertJobRun(kysely, { job: 'job', epoch }, { scope: 'all', startedBy: 0, begun: AHEAD_MS })
    expect(await findLatestJobRun(kysely, 'job', NOW_MS)).toMatchObject({ outcome: 'stopped' })
    expect(await latestJobBegins(kysely, 'job', NOW_MS)).toEqual(new Map())
    expect(await claim('job', NOW_MS)).toBe(epoch + 1)
    expect(await claim('job', NOW_MS)).toBeUndefined()
  })

  test('keeps no nightly proof from running', async () => {
    const { kysely } = database
    const epoch = (await claimLease(kysely, { job: LEDGER_CHECK_JOB, owner: 'r', now: 0, until: 1 })) ?? 0
    const prove = async (begun: number) => {
      const check = await insertLedgerCheck(kysely, { mode: 'full', startedBy: 0, epoch, begun, since: '' })
      await endLedgerCheck(kysely, check, { outcome: 'sound', at: begun, epoch, bound: '' })
    }
    await prove(NOW_MS - 1)
    await prove(AHEAD_MS)
    expect(await latestChecks(kysely, NOW_MS)).toEqual({ any: NOW_MS - 1, full: NOW_MS - 1 })
  })

  test('holds no mail back', async () => {
    const { kysely } = database
    const mail = { kind: 'plain', recipient: 'a', contentSealed: 'sealed' }
    await insertMessage(kysely, { ...mail, now: AHEAD_MS, expires: AHEAD_MS + 1 })
    const claim = (lease: string) => claimMessages(kysely, { lease, now: NOW_MS, until: NOW_MS + 180_000, limit: 4 })
    expect(await claim('one')).toHaveLength(1)
    expect(await claim('two')).toEqual([])
  })

  test('locks no one out of the second step, and accepts no code twice', async () => {
    const { kysely } = database
    const id = await addUser(kysely, { username: 'ann' })
    await enableTotp(kysely, id, { sealed: 'sealed', step: Math.floor(AHEAD / 30), recoveryHashes: ['r'] })
    const step = Math.floor(NOW / 30)
    const uses = await Promise.all([useTotpStep(kysely, id, step), useTotpStep(kysely, id, step)])
    expect(uses.filter(Boolean)).toHaveLength(1)
    expect(await useTotpStep(kysely, id, step - 1)).toBe(false)
  })

  test('no longer vouches for anyone: codes, links, ceremonies and sign-ins under way', async () => {
    const { kysely } = database
    const user = await addUser(kysely, { username: 'ann', email: 'ann@example.org' })
    const expires = AHEAD + 600
    await putEmailCode(kysely, { holder: 'h', codeSealed: 's', attempts: 3, now: AHEAD, expires })
    await putPasswordReset(kysely, { userId: user, tokenHash: 't', expires })
    await beginCeremony(kysely, { owner: 'o', action: 'passkey_login', content: 'c', now: AHEAD, expires })
    const hashes = { state: 's', browser: 'b' }
    const row = { provider: 'oidc', userId: 0, affCode: '', expires: AHEAD_MS + 600_000 }
    await insertOAuthState(kysely, hashes, row, AHEAD_MS)
    const reset = { tokenHash: 't', email: 'ann@example.org', passwordHash: 'new', now: NOW }
    expect([
      await takeEmailCodeAttempt(kysely, 'h', NOW),
      await resetPassword(kysely, reset),
      await readCeremony(kysely, 'o', 'passkey_login', NOW),
      await finishCeremony(kysely, 'o', 'passkey_login', NOW),
      await takeOAuthState(kysely, hashes, NOW_MS),
    ]).toEqual([undefined, undefined, undefined, undefined, undefined])
    // Their slots are free again, as after any expiry.
    await beginCeremony(kysely, { owner: 'p', action: 'passkey_login', content: 'c', now: NOW, expires: NOW + 300 })
    await insertOAuthState(kysely, { ...hashes, state: 't' }, { ...row, expires: NOW_MS + 1 }, NOW_MS)
    expect(await kysely.selectFrom('ceremony').select('owner').execute()).toEqual([{ owner: 'p' }])
    expect(await kysely.selectFrom('oauth_state').select('state_hash').execute()).toEqual([{ state_hash: 't' }])
  })

  test('silences no alarm that was dismissed then', async () => {
    const { kysely } = database
    const raise = (at: number) =>
      reportAlarms(kysely, [
        { kind: 'unpriced_model', subject: 'm', channelId: 0, occurrences: 1, firstSeen: at, lastSeen: at },
      ])
    const listed = async () => (await listAlarms(kysely, { limit: 9, offset: 0 })).rows
    await raise(AHEAD_MS)
    await dismissAlarm(kysely, (await listed())[0]?.id ?? 0, AHEAD_MS)
    await raise(NOW_MS)
    expect(await listed()).toMatchObject([{ subject: 'm', firstSeen: NOW_MS, lastSeen: NOW_MS, occurrences: 2 }])
  })

  test('leaves no reservation of another program open: its time starts again', async () => {
    const { kysely } = database
    const opened = await openTransaction(kysely, {
      token_id: 1,
      transaction_id: 'job',
      user_id: 1,
      pre_quota: 5,
      reason: '',
      request_id: 'r',
      expires_time: AHEAD + 600,
      created_time: AHEAD,
    })
    await moveTransaction(kysely, opened?.id ?? 0, 0, { status: 1 })
    expect(await endDueTransactions(kysely, NOW)).toEqual([])
    expect(await endDueTransactions(kysely, NOW + 599)).toEqual([])
    expect(await endDueTransactions(kysely, NOW + 600)).toMatchObject([{ status: 3, final_quota: 5 }])
  })

  test('keeps no administrator’s call off the record when its process died then', async () => {
    const { kysely } = database
    const vault = createVault([randomBytes(32)])
    const call = {
      call_id: 'c',
      begun_ms: AHEAD_MS,
      action: 'PUT /api/user/',
      actor_id: 1,
      actor_name: 'root',
      actor_role: 100,
    }
    const rest = {
      address: '',
      outcome: 'done',
      target_kind: '',
      target_id: '',
      before_values: '{}',
      after_values: '{}',
    }
    await beginAuditCall(kysely, { ...call, ...rest })
    await adoptAuditCalls(kysely, vault, NOW_MS)
    const recorded = await kysely.selectFrom('audit').select(['call_id', 'outcome']).execute()
    expect(recorded).toEqual([{ call_id: 'c', outcome: 'unknown' }])
  })

  test('does not empty within the hour what is removed by age: the longer it was wrong, the more is gone', async () => {
    const { kysely } = database
    await addChannel(kysely, { id: 1, name: 'c' })
    const day = 86_400
    const slots = Array.from({ length: 50 }, (_, at) => ({
      channelId: 1,
      start: NOW - at * day,
      answered: 1,
      failed: 0,
    }))
    await addChannelCalls(kysely, slots)
    const [user, owner] = [1, { userId: 1, channelId: 1, key: 'k', model: 'm' }]
    const ids = Array.from({ length: 50 }, (_, at) => `resp_${at}`)
    for (const [at, id] of ids.entries()) await storeResponses(kysely, [id], owner, NOW_MS - 1_000 + at)

    await forgetOldCalls(kysely, AHEAD)
    await storeResponses(kysely, ['resp_new'], owner, AHEAD_MS)

    const range = { span: day, from: NOW - (NOW % day) - 60 * day, width: day, bars: 61 }
    expect(await readChannelHistory(kysely, [1], range)).toHaveLength(49)
    expect(await findStoredResponses(kysely, ids, user)).toHaveLength(48)
  })
})
