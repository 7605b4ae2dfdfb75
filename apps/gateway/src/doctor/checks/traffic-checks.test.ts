import { randomBytes } from 'node:crypto'
import type { Found } from '@sluice/contract/findings/catalogue'
import { CURRENT_BOOK } from '@sluice/providers/prices/book'
import { type Options, readOptions } from '@sluice/store/options/options'
import type { LedgerCheckRow } from '@sluice/store/queries/ledger/ledger-checks'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import { createVault } from '@sluice/store/vault'
import { channelSnapshot } from '@sluice/testkit/channel-snapshot'
import { describe, expect, it } from 'vitest'
import type { Check } from '../check.ts'
import type { KnownReplica } from '../replica-facts.ts'
import { accountCheck } from './accounts.ts'
import { channelCheck, type ChannelFacts } from './channels.ts'
import { keyCheck } from './keys.ts'
import { ledgerCheck } from './ledger.ts'
import { modelCheck } from './models.ts'
import { settingCheck } from './settings.ts'

const NOW = Date.UTC(2026, 10, 24, 12)
const DAY_MS = 86_400_000
const examined = (check: Check): Promise<readonly Found[]> => check.examine(new AbortController().signal)
const optionsOf = (stored: Readonly<Record<string, string>> = {}): Options =>
  readOptions(new Map(Object.entries(stored)), (text) => text).options

const vault = createVault([randomBytes(32)])
const channel = (more: Partial<ChannelSnapshot> = {}): ChannelSnapshot =>
  channelSnapshot(7, {
    name: 'upstream',
    keySealed: vault.seal('channel_key', 'sk-canary'),
    models: [],
    modelConfigs: null,
    ...more,
  })

describe('channels', () => {
  const channels = async (all: readonly ChannelSnapshot[], more: Partial<ChannelFacts> = {}) =>
    await examined(channelCheck({ channels: async () => all, switchedOff: async () => new Map(), vault, ...more }))

  it('that work are counted, and none is worth a note', async () => {
    expect(await channels([channel()])).toEqual([{ id: 'channels.ok', params: { count: 1 } }])
    expect(await channels([])).toEqual([{ id: 'channels.none' }])
  })

  it('that are all switched off are found', async () => {
    expect(await channels([channel({ status: CHANNEL_STATUS.disabled })])).toEqual([
      { id: 'channels.all_off', params: { count: 1 } },
    ])
  })

  it('whose key no master key opens are found, without the key', { tags: 'S20' }, async () => {
    const other = createVault([randomBytes(32)])
    const found = await channels([channel({ keySealed: other.seal('channel_key', 'sk-canary') })])
    expect(found).toEqual([{ id: 'channels.key', subject: 'upstream', params: { channel: 7 } }])
  })

  it('that the gateway switched off are found with the reason and the time', async () => {
    const off = new Map([[7, { reason: 'it refused the key', since: NOW }]])
    const found = await channels([channel({ id: 8 }), channel({ status: CHANNEL_STATUS.autoDisabled })], {
      switchedOff: async () => off,
    })
    const params = { reason: 'it refused the key', since: '2026-11-24 12:00 UTC', channel: 7 }
    expect(found).toEqual([{ id: 'channels.off', subject: 'upstream', params }])
  })

  it('with half of their keys off are found', async () => {
    const keys = { keyCount: 4, disabledKeys: new Set(['a', 'b']) }
    expect(await channels([channel(keys)])).toEqual([
      { id: 'channels.keys_off', subject: 'upstream', params: { off: 2, all: 4, channel: 7 } },
    ])
  })

  it('with settings that cannot be read are found', async () => {
    expect(await channels([channel({ modelConfigs: '{' })])).toMatchObject([
      { id: 'channels.settings', subject: 'upstream', params: { reason: 'Invalid JSON format' } },
    ])
  })

  it('are called only when that was asked for, one after the other, and a failed test is found', async () => {
    const asked: number[] = []
    const test = async (id: number) => {
      asked.push(id)
      return id === 7 ? '' : 'The key is refused.'
    }
    const all = [channel(), channel({ id: 8, name: 'other' }), channel({ id: 9, status: CHANNEL_STATUS.disabled })]
    expect(await channels(all, { test })).toEqual([
      { id: 'channels.tested', params: { count: 1 } },
      { id: 'channels.test_failed', subject: 'other', params: { reason: 'The key is refused.', channel: 8 } },
    ])
    expect(asked).toEqual([7, 8])
  })
})

describe('models', () => {
  const models = async (
    all: readonly ChannelSnapshot[],
    more: {
      readonly now?: number
      readonly requests?: ReadonlyMap<string, number>
      readonly policy?: string
      readonly alarms?: number
    } = {},
  ) =>
    await examined(
      modelCheck({
        channels: async () => all,
        requestsSince: async () => more.requests ?? new Map(),
        options: () => optionsOf({ UnpricedModelPolicy: more.policy ?? 'refuse' }),
        overrides: () => new Map(),
        openAlarms: async () => more.alarms ?? 0,
        now: () => more.now ?? NOW,
      }),
    )

  it('without a price are found by channel, and only noted where they are charged anyway', async () => {
    const all = [channel({ models: ['nobody-sells-this'] })]
    const rest = { subject: 'upstream', params: { channel: 7, count: 1, models: 'nobody-sells-this' } }
    expect(await models(all)).toEqual([{ id: 'models.unpriced', ...rest }])
    expect(await models(all, { policy: 'fallback' })).toEqual([{ id: 'models.unpriced_charged', ...rest }])
    expect(
      await models([channel({ models: ['nobody-sells-this'], modelConfigs: '{"nobody-sells-this":{"ratio":1}}' })]),
    ).toEqual([{ id: 'models.ok', params: { days: 60 } }])
  })

  it('that their vendors end are found with the day and the traffic, and those that have ended too', async () => {
    const [ending] = CURRENT_BOOK.sellers.flatMap(({ kinds, resold, models: sold }) =>
      resold === true
        ? []
        : Object.entries(sold).flatMap(([model, { retires }]) =>
            retires === undefined ? [] : [{ type: kinds[0], model, retires }],
          ),
    )
    if (ending === undefined) throw new Error('no model of the price book ends')
    const { type = 0, model, retires: until } = ending
    const all = [channel({ type, models: ['alias'], modelMapping: JSON.stringify({ alias: model }) })]
    const now = Date.parse(until) - 10 * DAY_MS
    const rest = { subject: 'upstream', params: { channel: 7, model: 'alias', until } }
    const requests = new Map([['7 alias', 12]])
    expect(await models(all, { now, requests })).toContainEqual({
      id: 'models.ending',
      subject: 'upstream',
      params: { ...rest.params, requests: 12 },
    })
    expect(await models(all, { now })).toContainEqual({ id: 'models.ending_unused', ...rest })
    expect(await models(all, { now: now + 11 * DAY_MS })).toContainEqual({ id: 'models.ended', ...rest })
    expect((await models(all, { now: now - 90 * DAY_MS })).map(({ id }) => id)).not.toContain('models.ending_unused')
  })

  it('leave alarms that nobody has dismissed', async () => {
    expect(await models([], { alarms: 3 })).toEqual([{ id: 'models.alarms', params: { count: 3 } }])
  })
})

describe('accounts', () => {
  const accounts = async (host: string, isDefault: boolean, hasSecondStep: boolean) =>
    await examined(
      accountCheck({
        powerfulUsers: async () => [{ username: 'root', role: 100, passwordHash: 'hash', hasSecondStep }],
        isDefaultPassword: async () => isDefault,
        host,
      }),
    )

  it('with passwords of their own and a second step are in order', async () => {
    expect(await accounts('0.0.0.0', false, true)).toEqual([{ id: 'accounts.ok' }])
  })

  it('with the well-known password are a problem once others can reach the gateway', { tags: 'S22' }, async () => {
    expect(await accounts('0.0.0.0', true, true)).toEqual([
      { id: 'accounts.default_password', subject: 'root', params: { host: '0.0.0.0' } },
    ])
    for (const host of ['127.0.0.1', 'localhost', '::1']) {
      expect(await accounts(host, true, true)).toEqual([{ id: 'accounts.default_password_local', subject: 'root' }])
    }
  })

  it('that a password alone opens are noted', async () => {
    expect(await accounts('::', false, false)).toEqual([
      { id: 'accounts.one_step', params: { count: 1, names: 'root' } },
    ])
  })
})

describe('the ledger', () => {
  const proof = (outcome: string, daysAgo: number, firstWrong: string | null = null): LedgerCheckRow => ({
    id: 1,
    mode: 'incremental',
    startedBy: 0,
    startedByName: '',
    outcome,
    begun: NOW - daysAgo * DAY_MS,
    ended: NOW - daysAgo * DAY_MS,
    since: '',
    results: [
      {
        invariant: 'I1',
        place: 1,
        statement: 'balances are the sums',
        checked: 1,
        elapsedMs: 1,
        recounted: false,
        firstWrong,
      },
    ],
  })
  const ledger = async (
    proofs: readonly LedgerCheckRow[],
    more: { readonly holds?: number; readonly replicas?: readonly KnownReplica[] } = {},
  ) =>
    await examined(
      ledgerCheck({
        proofs: async () => proofs,
        holdsUntouchedSince: async () => ({ count: more.holds ?? 0, oldest: NOW - DAY_MS }),
        replicas: async () => more.replicas ?? [],
        now: () => NOW,
      }),
    )

  it('that was proved last night is in order, also while the next proof runs', async () => {
    expect(await ledger([proof('running', 0), proof('sound', 1)])).toEqual([
      { id: 'ledger.ok', params: { at: '2026-11-23 12:00 UTC' } },
    ])
  })

  it('that is wrong, was not proved to the end, long ago or never is found', async () => {
    const at = '2026-11-23 12:00 UTC'
    const wrong = await ledger([proof('wrong', 1, '{}'), proof('sound', 2)])
    expect(wrong).toEqual([{ id: 'ledger.wrong', params: { at, statement: 'balances are the sums' } }])
    expect(await ledger([proof('failed', 1), proof('sound', 2)])).toEqual([{ id: 'ledger.failed', params: { at } }])
    expect(await ledger([proof('sound', 5)])).toEqual([{ id: 'ledger.old', params: { at: '2026-11-19 12:00 UTC' } }])
    expect(await ledger([proof('stopped', 1)])).toEqual([{ id: 'ledger.never' }])
  })

  it('with holds that nobody renews, or charges that need to be looked at, is found', async () => {
    expect(await ledger([proof('sound', 1)], { holds: 4 })).toEqual([
      { id: 'ledger.holds', params: { count: 4, at: '2026-11-23 12:00 UTC' } },
    ])
    const facts = { uncharged: 2 } as NonNullable<KnownReplica['facts']>
    expect(
      await ledger([proof('sound', 1)], {
        replicas: [
          { id: 'a', facts },
          { id: 'b', facts: undefined },
        ],
      }),
    ).toEqual([{ id: 'ledger.uncharged', subject: 'a', params: { count: 2 } }])
  })
})

describe('master keys', () => {
  const keys = async (present: readonly [string, ...string[]], lost: readonly string[], inUse: readonly string[]) =>
    await examined(keyCheck({ present, lost, inUse: async () => inUse }))

  it('of which one seals everything are in order', async () => {
    expect(await keys(['new'], [], ['new'])).toEqual([{ id: 'keys.ok', params: { key: 'new' } }])
  })

  it('that are missing, lost, or can be removed are found', async () => {
    expect(await keys(['new'], [], ['new', 'gone'])).toEqual([{ id: 'keys.missing', subject: 'gone' }])
    expect(await keys(['new'], ['gone'], ['new', 'gone'])).toEqual([{ id: 'keys.lost', subject: 'gone' }])
    expect(await keys(['new'], ['gone'], ['new'])).toEqual([{ id: 'keys.lost_unused', subject: 'gone' }])
    expect(await keys(['new', 'old'], [], ['new', 'old'])).toEqual([
      { id: 'keys.rotate', subject: 'old', params: { key: 'new' } },
    ])
    expect(await keys(['new', 'old'], [], ['new'])).toEqual([
      { id: 'keys.removable', subject: 'old', params: { key: 'new' } },
    ])
  })
})

describe('settings', () => {
  const settings = async (stored: Readonly<Record<string, string>>, problems: readonly string[] = []) =>
    await examined(settingCheck({ options: () => optionsOf(stored), problems: () => problems }))

  it('that agree are in order', async () => {
    expect(await settings({})).toEqual([{ id: 'settings.ok' }])
  })

  it('that cannot be read are found', async () => {
    expect(await settings({}, ['SMTPToken cannot be decrypted with the current master key'])).toEqual([
      {
        id: 'settings.unreadable',
        subject: 'SMTPToken',
        params: { reason: 'SMTPToken cannot be decrypted with the current master key' },
      },
    ])
  })

  it('that need another one which is not set are found', async () => {
    expect(await settings({ TurnstileCheckEnabled: 'true', TurnstileSiteKey: 'site' })).toEqual([
      { id: 'settings.needs', subject: 'TurnstileCheckEnabled', params: { missing: 'TurnstileSecretKey' } },
    ])
  })

  it('that need mail without any are a problem, as are gifts without verified addresses', async () => {
    expect(await settings({ EmailVerificationEnabled: 'true' })).toEqual([
      { id: 'settings.no_mail', subject: 'EmailVerificationEnabled' },
    ])
    expect(await settings({ QuotaForNewUser: '500' })).toEqual([{ id: 'settings.gifts', subject: 'QuotaForNewUser' }])
  })

  it('by which something never happens are found', async () => {
    const stored = { AutomaticEnableChannelEnabled: 'true', ChannelRecoveryMinutes: '0' }
    expect(await settings(stored)).toEqual([
      {
        id: 'settings.never',
        subject: 'AutomaticEnableChannelEnabled',
        params: { option: 'ChannelRecoveryMinutes', value: 0 },
      },
    ])
  })
})
