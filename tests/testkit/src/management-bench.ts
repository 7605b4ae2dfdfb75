import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope } from '@sluice/contract/route'
import { openLedger } from '@sluice/ledger/commit/group-commit'
import type { Ledger } from '@sluice/ledger/ledger'
import { systemTimers } from '@sluice/ledger/timers'
import type { Health } from '@sluice/routing/health'
import { createHealth } from '@sluice/routing/lane-health'
import type { Database } from '@sluice/store/database'
import { freeBytesOf } from '@sluice/store/free-bytes'
import { type Options, readOptions } from '@sluice/store/options/options'
import { openOwnKey } from '@sluice/store/own-key-seal'
import { insertSession } from '@sluice/store/queries/accounts/sessions'
import { insertUser } from '@sluice/store/queries/accounts/users'
import { loadOptions } from '@sluice/store/snapshots/options'
import { findTokenByKeyHash } from '@sluice/store/snapshots/tokens'
import { createVault, type Vault } from '@sluice/store/vault'
import { openLedgerChecks } from '../../../apps/gateway/src/jobs/ledger-checks.ts'
import { createChannelKinds } from '../../../apps/gateway/src/management/channel-kinds.ts'
import type { TestChannel, TestDraft, Routing } from '../../../apps/gateway/src/management/channels/channel-ports.ts'
import { createChannelBalances } from '../../../apps/gateway/src/management/channels/jobs/channel-balance.ts'
import { createChannelTests } from '../../../apps/gateway/src/management/channels/jobs/channel-test.ts'
import type { Examining } from '../../../apps/gateway/src/management/doctor/doctor.ts'
import type { Importing } from '../../../apps/gateway/src/management/imports/imports.ts'
import { openUploads } from '../../../apps/gateway/src/management/imports/uploads.ts'
import { openRunningFeed } from '../../../apps/gateway/src/management/logs/running-feed.ts'
import { createManagement, type ManagementDeps } from '../../../apps/gateway/src/management/management.ts'
import { createSignInLink } from '../../../apps/gateway/src/management/sessions/sign-in-link.ts'
import type { WrittenMail } from '../../../apps/gateway/src/messages/mail-texts.ts'
import type { Notice, Notify } from '../../../apps/gateway/src/messages/mail.ts'
import { createOutbox } from '../../../apps/gateway/src/messages/outbox.ts'
import { createAddressGuard } from '../../../apps/gateway/src/outbound/address-guard.ts'
import { openGuardedClient } from '../../../apps/gateway/src/outbound/guarded-client.ts'
import type { FetchGuarded } from '../../../apps/gateway/src/outbound/guarded-fetch.ts'
import { authenticate } from '../../../apps/gateway/src/relay/caller/authenticate.ts'
import { createTokenDirectory } from '../../../apps/gateway/src/relay/caller/token-directory.ts'
import { PROVIDER_ADDRESSES, type ProviderAddresses } from '../../../apps/gateway/src/sign-in-providers/provider.ts'
import { createSignInProviders } from '../../../apps/gateway/src/sign-in-providers/sign-in-providers.ts'
import { remoteConfigurationOf } from '../../../apps/gateway/src/start/open-management.ts'
import { openTestDatabase, type TestEngine } from './databases.ts'
import { openTestLedgerEngine } from './ledger/ledger-engine.ts'

/** No relay runs here. */
const NO_CALLS = { list: () => Promise.resolve([]), stop: () => Promise.resolve(false) }

/** The management API on a database and ledger of its own, called without a socket. */
export interface ManagementBench {
  readonly database: Database
  readonly ledger: Ledger
  readonly vault: Vault
  readonly deps: ManagementDeps
  /** Unix milliseconds; tests advance it. */
  readonly clock: { now: number }
  /** Tests replace this and the next four. */
  testChannel: TestChannel
  testDraft: TestDraft
  explain: Routing['explain']
  importing: Importing
  doctor: Examining
  readonly uploadDirectory: string
  readonly health: Health
  /** Address that checks bot challenge answers; unused unless a test listens there. */
  turnstileAddress: string
  /** Release feed; empty unless a test sets it. */
  releaseFeed: string
  /** Reported failures; empty unless there is a bug. */
  readonly reported: unknown[]
  ask<D = unknown>(method: string, path: string, options?: AskOptions): Promise<Reply<D>>
  fetch(request: Request): Promise<Response>
  /** Notifications to operators, oldest first. */
  readonly notices: readonly Notice[]
  /** Outbox, oldest first; empty unless options `SMTPServer` and `SMTPFrom` are set. */
  mails(): Promise<readonly TestMail[]>
  /** A user with a session, written directly into the database. */
  addCaller(username: string, role: number): Promise<TestCaller>
  stop(): void
  settleBackground(): Promise<void>
  close(): Promise<void>
}

export interface AskOptions {
  readonly body?: unknown
  readonly as?: TestCaller | string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Reply<D> extends Envelope<D> {
  readonly status: number
  readonly headers: Headers
  readonly time?: number
  readonly modelName?: string
}

export interface TestMail extends WrittenMail {
  readonly kind: string
  readonly to: string
}

export interface TestCaller {
  readonly id: number
  readonly username: string
  /** `session=…` */
  readonly cookie: string
}

/** Address of test callers, unless a request's `x-test-address` differs. */
const ADDRESS = '127.0.0.1'

export interface BenchWorld {
  readonly providerAddresses?: ProviderAddresses
  readonly fetchGuarded?: FetchGuarded
  readonly publicRateLimit?: number
}

export async function openManagementBench(
  engine: TestEngine = 'sqlite',
  world: BenchWorld = {},
): Promise<ManagementBench> {
  const database = await openTestDatabase(engine)
  const db = database.kysely
  const clock = { now: Date.UTC(2026, 10, 20, 12) }
  const now = () => clock.now
  const reported: unknown[] = []
  const notices: Notice[] = []
  const ledger = await openLedger({
    engine: await openTestLedgerEngine(database),
    replica: 'test',
    alone: true,
    now,
    maxBacklog: 1_000,
    drainMs: 1_000,
    onDead: () => reported.push('dead'),
    onFailure: (error) => reported.push(error),
  })
  const vault = createVault([randomBytes(32)])
  const openSecret = (sealed: string): string | undefined => {
    const opened = vault.open('option', sealed)
    return opened.ok ? opened.text : undefined
  }
  const readAll = async (): Promise<Options> => readOptions(await loadOptions(db), openSecret).options
  let options = await readAll()

  const stopping = new AbortController()
  const background = new Set<Promise<void>>()
  const settleBackground = async (): Promise<void> => void (await Promise.all(background))

  const guard = createAddressGuard('allow')
  const guarded = openGuardedClient(guard)
  const fetchGuarded = world.fetchGuarded ?? guarded.fetch
  const bench = {
    testChannel: succeed,
    testDraft: succeedAsDraft,
    explain: findNobody,
    turnstileAddress: 'http://127.0.0.1:9/',
    releaseFeed: '',
    importing: nothingToImport,
    doctor: nothingToFind,
  }
  const health = createHealth({ capacity: 100, random: () => 0.5 })
  const tokens = createTokenDirectory({
    find: (digest) => findTokenByKeyHash(db, digest),
    openOwnKey: (place, sealed) => openOwnKey(vault, place, sealed),
    onError: (error) => reported.push(error),
  })
  const notify: Notify = async (notice) => void notices.push(notice)
  const ledgerChecks = openLedgerChecks({
    database,
    replica: 'test',
    hour: undefined,
    now,
    timers: systemTimers,
    notify,
    // A wrong ledger is a finding, not a failure.
    log: { info: () => {}, error: (fields) => void ('error' in fields && reported.push(fields.error)) },
  })
  const versions = {
    check: async () => {
      tokens.clear()
      options = await readAll()
    },
  }
  const inBackground: ManagementDeps['inBackground'] = (work) => {
    const task: Promise<void> = work(stopping.signal)
      .catch((error: unknown) => void reported.push(error))
      .finally(() => background.delete(task))
    background.add(task)
  }
  const ownDirectory = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  const uploadDirectory = join(ownDirectory, 'import')
  const uploads = await openUploads({
    directory: uploadDirectory,
    newId: () => randomBytes(16).toString('hex'),
    now,
    timers: systemTimers,
    freeBytes: freeBytesOf,
    onError: (error) => reported.push(error),
  })
  const kinds = createChannelKinds(now, () => options.PriceOverrides)
  const ofChannels = {
    database,
    vault,
    kinds,
    options: () => options,
    versions,
    now,
    inBackground,
    notify,
    fetchGuarded,
    forget: (channel: number) => health.forget(channel),
    replica: 'test',
    timers: systemTimers,
    testChannel: (...asked: Parameters<TestChannel>) => bench.testChannel(...asked),
  }
  const deps: ManagementDeps = {
    publicRateLimit: world.publicRateLimit ?? 0,
    database,
    ledger,
    ledgerChecks,
    vault,
    options: () => options,
    signInLink: createSignInLink({ randomBytes, now }),
    uploads,
    importing: {
      start: (order) => bench.importing.start(order),
      stop: () => bench.importing.stop(),
    },
    doctor: { examine: (language) => bench.doctor.examine(language) },
    versions,
    now,
    channelTests: createChannelTests(ofChannels),
    channelBalances: createChannelBalances(ofChannels),
    onReleased: () => {},
    running: {
      calls: NO_CALLS,
      feed: openRunningFeed({ calls: NO_CALLS, now, timers: systemTimers, onError: (error) => reported.push(error) }),
    },
    randomBytes: (size) => randomBytes(size),
    newId: () => randomUUIDv7().replaceAll('-', ''),
    enqueueMail: createOutbox({ vault, options: () => options, now, wake: () => {} }),
    signInProviders: createSignInProviders({
      fetchGuarded,
      options: () => options,
      addresses: world.providerAddresses ?? PROVIDER_ADDRESSES,
      now,
    }),
    holderOfKey: (context) =>
      authenticate(
        { tokens, ledger, options: () => options, now },
        {
          headers: context.req.header(),
          client: context.req.header('x-test-address') ?? ADDRESS,
          path: context.req.path,
          query: new URL(context.req.url).search.slice(1),
        },
        'look',
      ),
    latestRefusals: { of: () => undefined },
    testDraft: (draft, model, signal) => bench.testDraft(draft, model, signal),
    routing: {
      explain: (request) => bench.explain(request),
      lanes: () =>
        health
          .views(clock.now)
          .map((view) => ({ ...view, channelName: `channel ${view.channel}`, position: 1, of: 1 })),
      forget: ofChannels.forget,
    },
    fetchGuarded,
    get turnstileAddress() {
      return bench.turnstileAddress
    },
    clientAddress: (context) => context.req.header('x-test-address') ?? ADDRESS,
    isSecure: (context) => context.req.header('x-test-secure') !== undefined,
    basePath: '',
    version: '0.0.0-test',
    get releaseFeed() {
      return bench.releaseFeed
    },
    configuration: remoteConfigurationOf(
      { upstreamPrivate: 'allow', callerKeyOrigins: [] },
      { database, vault, now },
      () => {},
    ),
    startTime: 1_763_600_000,
    kinds,
    callerKeyOrigins: [],
    isHostAllowed: (host) => isIP(host) === 0 || guard.allows(host),
    inBackground,
    report: (error) => reported.push(error),
  }
  const app = createManagement(deps)

  return Object.assign(bench, {
    database,
    ledger,
    vault,
    deps,
    clock,
    health,
    uploadDirectory,
    reported,
    notices,
    fetch: async (request: Request) => await app.fetch(request),
    ask: async <D>(method: string, path: string, { body, as, headers }: AskOptions = {}): Promise<Reply<D>> => {
      const cookie = typeof as === 'string' ? as : (as?.cookie ?? '')
      const response = await app.fetch(
        new Request(`http://localhost:3000${path}`, {
          method,
          headers: {
            host: 'localhost:3000',
            ...(cookie === '' ? {} : { cookie }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
      const envelope = (await response.json()) as Envelope<D>
      return { ...envelope, status: response.status, headers: response.headers }
    },
    mails: async (): Promise<readonly TestMail[]> => {
      const rows = await db.selectFrom('outbox').selectAll().where('state', '=', 'waiting').orderBy('id').execute()
      return rows.map(({ kind, recipient, content_sealed: sealed }) => {
        const opened = vault.open('message', sealed)
        if (!opened.ok) throw new Error(`a mail cannot be opened: ${opened.reason}`)
        return { kind, to: recipient, ...(JSON.parse(opened.text) as WrittenMail) }
      })
    },
    addCaller: async (username: string, role: number): Promise<TestCaller> => {
      const user = await insertUser(db, {
        username,
        passwordHash: '',
        displayName: username,
        role,
        email: '',
        group: 'default',
        createdTime: Math.floor(clock.now / 1_000),
      })
      if (user === 'name_taken') throw new Error(`there is a user ${username} already`)
      await ledger.openAccount('user', user.id, false)
      return { id: user.id, username, cookie: await addSession(user.id) }
    },
    stop: () => stopping.abort(),
    settleBackground,
    close: async () => {
      stopping.abort()
      await settleBackground()
      await uploads.close()
      await rm(ownDirectory, { recursive: true })
      await ledgerChecks.close()
      await guarded.close()
      await ledger.close()
      await database.close()
    },
  })

  async function addSession(userId: number): Promise<string> {
    const id = randomBytes(32).toString('base64url')
    const now = Math.floor(clock.now / 1_000)
    const idHash = createHash('sha256').update(id).digest('hex')
    await insertSession(db, { idHash, userId, now, expires: now + 7 * 24 * 3600, replaces: undefined })
    return `session=${id}`
  }
}

const succeed: TestChannel = async (_id, model) => ({
  ok: true,
  model: model ?? 'cheapest',
  elapsedMs: 120,
  message: 'four',
})

const nothingToImport: Importing = { start: async () => 'busy', stop: async () => {} }

const nothingToFind: Examining = {
  examine: async () => ({ format: 1, version: '', examined_at: 0, elapsed_ms: 0, worst: 'ok', findings: [] }),
}

const findNobody: Routing['explain'] = ({ model }) => ({
  decision: undefined,
  refusal: { code: 'model_not_found', params: { model, where: '' } },
})

const succeedAsDraft: TestDraft = async (_, model) => {
  return { ok: true, model: model ?? 'cheapest', elapsedMs: 120, message: 'four' }
}
