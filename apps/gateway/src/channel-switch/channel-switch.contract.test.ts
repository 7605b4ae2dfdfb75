import { createHash, randomBytes } from 'node:crypto'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'
import type { CalledLane } from '@sluice/routing/lane'
import { listSwitchedOffKeys, switchKeyOff } from '@sluice/store/queries/channels/channel-keys'
import { findChannel } from '@sluice/store/queries/channels/channels'
import { createVault } from '@sluice/store/vault'
import { openTestDatabase, type TestDatabase } from '@sluice/testkit/databases'
import { type ManualTimers, openManualTimers } from '@sluice/testkit/manual-timers'
import { addChannel } from '@sluice/testkit/rows'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Notice } from '../messages/mail.ts'
import { type ChannelSwitch, openChannelSwitch } from './channel-switch.ts'

const MINUTE_MS = 60_000
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const fingerprint = (key: string) => keyFingerprint(key, sha256)

describe.each(['sqlite', 'postgres'] as const)(
  'channels switched by their calls on %s',
  { tags: 'postgres' },
  (engine) => {
    const vault = createVault([randomBytes(32)])
    let database: TestDatabase
    let timers: ManualTimers
    let notices: Notice[]
    let errors: unknown[]
    let options: { AutomaticDisableChannelEnabled: boolean; ChannelDisableThreshold: number }
    let checks: number
    beforeAll(async () => {
      database = await openTestDatabase(engine)
    })
    beforeEach(async () => {
      await database.reset()
      timers = openManualTimers()
      notices = []
      errors = []
      options = { AutomaticDisableChannelEnabled: true, ChannelDisableThreshold: 5 }
      checks = 0
    })
    afterEach(() => expect(errors).toEqual([]))
    afterAll(() => database.close())

    const open = (): ChannelSwitch =>
      openChannelSwitch({
        database,
        vault,
        timers,
        options: () => options,
        versions: { check: async () => void checks++ },
        now: timers.now,
        notify: async (notice) => void notices.push(notice),
        forget: () => {},
        log: { error: (fields) => void errors.push(fields) },
      })
    /** Reports calls to a replica, which writes and evaluates them when it closes. */
    const hear = async (calls: readonly CalledLane[]) => {
      const replica = open()
      for (const each of calls) replica.onCalled(each)
      await replica.close()
    }
    const add = (keys: string | readonly string[], name = 'east') =>
      addChannel(database.kysely, {
        name,
        key_sealed: vault.seal('channel_key', typeof keys === 'string' ? keys : JSON.stringify(keys)),
        key_count: typeof keys === 'string' ? 0 : keys.length,
      })
    const call = (channel: number, more: Partial<CalledLane> & { readonly secret?: string } = {}): CalledLane => ({
      channel,
      key: fingerprint(more.secret ?? 'k'),
      model: 'm',
      cause: 'answered',
      user: 7,
      code: '',
      status: 200,
      started: timers.now(),
      elapsedMs: 10,
      firstByteMs: 5,
      cooldown: undefined,
      ...more,
    })
    const failing = { cause: 'provider', status: 502 } as const
    const channel = (id: number) => findChannel(database.kysely, id)
    const counted = async () => {
      const rows = await database.kysely.selectFrom('channel_minute').select('calls').execute()
      return rows.reduce((sum, { calls }) => sum + calls, 0)
    }
    const logs = async () =>
      (await database.kysely.selectFrom('log').selectAll().orderBy('id').execute()).map(({ type, content }) => [
        type,
        content,
      ])

    it('counts the calls of several users on several replicas, and reports the switch once', async () => {
      const id = await add('k')
      const users = [1, 2, 3, 4, 5, 6, 7, 8]
      const calls = () => users.map((user) => call(id, { user, ...(user > 4 ? failing : {}) }))
      for (let minute = 0; minute < 3; minute++) {
        expect((await channel(id))?.status).toBe(1)
        await Promise.all([hear(calls()), hear(calls())])
        await timers.advance(MINUTE_MS)
      }
      const reason = expect.stringMatching(/^\d+ of \d+ calls failed within 15 minutes$/)
      expect(notices).toEqual([{ kind: 'channel_disabled', channel: 'east', id, reason }])
      expect(checks).toBe(1)
      expect(await channel(id)).toMatchObject({ status: 3, disabledReason: reason })
      expect(await logs()).toEqual([[4, expect.stringContaining(`Channel east (id ${id}) disabled by its calls: `)]])
    })

    it(
      'leaves keys on that are refused by providers whose clock differs, and logs it once',
      { tags: 'S45' },
      async () => {
        const id = await add('k')
        for (let minute = 0; minute < 4; minute++) {
          const refused = [1, 2, 3].flatMap((user) =>
            [401, 403].map((status) => call(id, { user, cause: 'account', status, clocksDiffer: true })),
          )
          const replica = open()
          for (const each of [...refused, ...refused]) replica.onCalled(each)
          await replica.close()
          expect(errors.splice(0)).toEqual([{ channel: id, status: 401 }])
          await timers.advance(MINUTE_MS)
        }
        expect((await channel(id))?.status).toBe(1)
        await hear([call(id, { cause: 'account', status: 401 })])
        expect((await channel(id))?.status).toBe(3)
      },
    )

    it('leaves a channel on when the calls of only one user fail', async () => {
      const id = await add('k')
      for (let minute = 0; minute < 6; minute++) {
        await hear([
          ...[1, 2, 3, 4].map((user) => call(id, { user })),
          ...Array.from({ length: 50 }, () => call(id, { user: 99, ...failing })),
        ])
        await timers.advance(MINUTE_MS)
      }
      expect((await channel(id))?.status).toBe(1)
      expect(await counted()).toBe(6 * 54)
    })

    it('blames no channel for minutes in which none of several channels answered', async () => {
      const both = [await add('k'), await add('k', 'west')]
      for (let minute = 0; minute < 6; minute++) {
        await hear(both.flatMap((id) => [1, 2, 3, 4].map((user) => call(id, { user, ...failing }))))
        await timers.advance(MINUTE_MS)
      }
      expect(await Promise.all(both.map(async (id) => (await channel(id))?.status))).toEqual([1, 1])
      const [east = 0, west = 0] = both
      for (let minute = 0; minute < 3; minute++) {
        await hear([1, 2, 3, 4, 5].flatMap((user) => [call(east, { user, ...failing }), call(west, { user })]))
        await timers.advance(MINUTE_MS)
      }
      expect(await Promise.all(both.map(async (id) => (await channel(id))?.status))).toEqual([3, 1])
    })

    it('counts nothing while the option is off, and never counts tests', async () => {
      const id = await add('k')
      await hear([call(id, { user: 0, ...failing }), call(id, { user: 0, cause: 'account', status: 401 })])
      options.AutomaticDisableChannelEnabled = false
      await hear([call(id, failing), call(id, { cause: 'account', status: 401 })])
      expect((await channel(id))?.status).toBe(1)
      expect(await counted()).toBe(0)
    })

    it('switches a channel off at once when its only key is refused', async () => {
      const id = await add('k')
      await hear([call(id, { cause: 'account', status: 403 })])
      expect((await channel(id))?.status).toBe(1)
      const refused = call(id, { cause: 'account', status: 401 })
      await Promise.all([hear([refused, refused]), hear([refused])])
      const reason = 'the provider refuses its key or account (status 401)'
      expect(await channel(id)).toMatchObject({ status: 3, disabledReason: reason })
      expect(notices).toEqual([{ kind: 'channel_disabled', channel: 'east', id, reason }])
    })

    it('leaves a channel alone whose key was replaced while its last calls were under way', async () => {
      const id = await add('new key')
      await hear([call(id, { cause: 'account', status: 401, secret: 'old key' })])
      expect((await channel(id))?.status).toBe(1)
    })

    it('switches off the key that is refused, and the channel when none is left', async () => {
      const id = await add(['k1', 'k2', 'k3'])
      const refusal = (secret: string) => call(id, { cause: 'account', status: 402, secret })
      const keySealed = (await channel(id))?.keySealed ?? ''
      const byPerson = { keySealed, status: 2, reason: '', sinceMs: 1 } as const
      await switchKeyOff(database.kysely, { channel: id, fingerprint: fingerprint('k3') }, byPerson)
      await Promise.all([hear([refusal('k2')]), hear([refusal('k2'), refusal('k3')])])
      const reason = 'the provider refuses its key or account (status 402)'
      expect(notices).toEqual([{ kind: 'channel_key_disabled', channel: 'east', id, key: 2, reason }])
      expect((await channel(id))?.status).toBe(1)
      const off = await listSwitchedOffKeys(database.kysely, id)
      expect(new Map(off.map((key) => [key.fingerprint, [key.status, key.reason]]))).toEqual(
        new Map([
          [fingerprint('k3'), [2, '']],
          [fingerprint('k2'), [3, reason]],
        ]),
      )
      await hear([refusal('k1')])
      // The key is only in the log, because the operators were just notified of another one.
      expect(notices.slice(1)).toEqual([
        { kind: 'channel_disabled', channel: 'east', id, reason: 'it has no enabled key left' },
      ])
      expect(await logs()).toContainEqual([4, `Key 1 of channel east (id ${id}) disabled by its calls: ${reason}`])
    })

    it('reports refused keys at most once an hour for each channel', async () => {
      const id = await add(['k1', 'k2', 'k3', 'k4'])
      const refuse = (secret: string) => hear([call(id, { cause: 'account', status: 401, secret })])
      await refuse('k1')
      await timers.advance(59 * MINUTE_MS)
      await refuse('k2')
      expect(notices).toHaveLength(1)
      await timers.advance(61 * MINUTE_MS)
      await refuse('k3')
      expect(notices).toMatchObject([{ key: 1 }, { key: 3 }])
    })

    it('catches up when its tables are available again', async () => {
      const id = await add(['k1', 'k2'])
      const rename = (from: string, to: string) =>
        sql.raw(`alter table ${from} rename to ${to}`).execute(database.kysely)
      const replica = open()
      await rename('channel_key', 'away_key')
      await rename('channel_minute', 'away_minute')
      replica.onCalled(call(id, { cause: 'account', status: 401, secret: 'k2' }))
      replica.onCalled(call(id))
      await timers.advance(1_000)
      await vi.waitFor(() => expect(errors.splice(0)).toHaveLength(1))
      await rename('away_key', 'channel_key')
      await rename('away_minute', 'channel_minute')
      await replica.close()
      expect(await listSwitchedOffKeys(database.kysely, id)).toHaveLength(1)
      expect(await counted()).toBe(1)
    })

    it('writes reported calls within a second', async () => {
      const id = await add('k')
      const replica = open()
      replica.onCalled(call(id))
      await timers.advance(1_000)
      await vi.waitFor(async () => expect(await counted()).toBe(1))
      await replica.close()
    })

    it('forgets old minutes', async () => {
      const id = await add('k')
      await hear([call(id)])
      await timers.advance(40 * MINUTE_MS)
      await hear([call(id)])
      expect(await counted()).toBe(1)
    })
  },
)
