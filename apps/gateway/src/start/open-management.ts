import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import { systemTimers } from '@sluice/ledger/timers'
import type { RunningCalls } from '@sluice/observe/running-call'
import { freeBytesOf } from '@sluice/store/free-bytes'
import type { Context, Hono } from 'hono'
import type { Callers } from '../edge/client-address.ts'
import { newRequestId } from '../edge/request-id.ts'
import type { Config } from '../environment/environment.ts'
import type { RemoteConfiguration } from '../management/configuration/configuration-routes.ts'
import type { Examining } from '../management/doctor/doctor.ts'
import { TURNSTILE_ADDRESS } from '../management/identity/bot-challenge.ts'
import { openUploads, type Uploads } from '../management/imports/uploads.ts'
import { openRunningFeed, type RunningFeed } from '../management/logs/running-feed.ts'
import { createManagement, type ManagementDeps } from '../management/management.ts'
import type { SignInLink } from '../management/sessions/sign-in-link.ts'
import { VERSION } from '../process/identity.ts'
import { PROVIDER_ADDRESSES } from '../sign-in-providers/provider.ts'
import { createSignInProviders } from '../sign-in-providers/sign-in-providers.ts'
import { importingOf, importRunnerOf } from './import-runner.ts'
import type { Data, Start } from './open-data.ts'
import type { Traffic } from './open-traffic.ts'
import type { Upkeep } from './open-upkeep.ts'

export interface ManagedParts {
  readonly runningCalls: RunningCalls
  readonly doctor: Examining
  readonly signInLink: SignInLink
  readonly callers: Callers
}

export async function openManagement(
  start: Start,
  data: Data,
  upkeep: Upkeep,
  traffic: Traffic,
  { runningCalls, doctor, signInLink, callers }: ManagedParts,
): Promise<{ readonly management: Hono; readonly feed: RunningFeed }> {
  const { config, log } = start
  const { database, vault, ledger, options, now, replica, sharing } = data
  const uploads = await openImportUploads(start, now)
  const feed = openRunningFeed({
    calls: runningCalls,
    now,
    timers: systemTimers,
    onError: (error) => log.error({ error }, 'the running calls could not be listed'),
  })
  const { guard, fetchGuarded, messages, ledgerChecks } = upkeep
  const { guard: tokenGuard, background, kinds, latestRefusals } = traffic
  const runner = importRunnerOf({ database, ledger, vault, now, replica }, { config, guard, kinds })
  const management = createManagement({
    ...channelPorts(start, data, upkeep, traffic),
    ...callerPorts(traffic, callers),
    database,
    vault,
    ledger,
    ledgerChecks,
    options,
    versions: sharing.versions,
    now,
    randomBytes,
    newId: newRequestId,
    fetchGuarded,
    enqueueMail: messages.enqueueMail,
    running: { calls: runningCalls, feed },
    onReleased: (pause) => tokenGuard.released(pause),
    latestRefusals,
    uploads,
    importing: importingOf(runner, background),
    doctor,
    signInLink,
    signInProviders: createSignInProviders({ fetchGuarded, options, addresses: PROVIDER_ADDRESSES, now }),
    turnstileAddress: TURNSTILE_ADDRESS,
    basePath: config.basePath,
    version: VERSION,
    releaseFeed: config.releaseFeed,
    publicRateLimit: config.publicRateLimit,
    startTime: Math.floor(now() / 1_000),
    inBackground: background.run,
    report: (error, { method, path }) => log.error({ error, method, path }, 'a management call failed unexpectedly'),
  })
  return { management, feed }
}

async function openImportUploads({ config, log, opening }: Start, now: () => number): Promise<Uploads> {
  const uploads = await openUploads({
    directory: join(config.dataDir, 'import'),
    newId: () => randomBytes(16).toString('hex'),
    now,
    timers: systemTimers,
    freeBytes: freeBytesOf,
    onError: (error) => log.error({ error }, 'an uploaded file could not be removed'),
  })
  opening.defer(() => uploads.close())
  return uploads
}

type ChannelPort =
  | 'kinds'
  | 'channelTests'
  | 'channelBalances'
  | 'testDraft'
  | 'routing'
  | 'configuration'
  | 'callerKeyOrigins'
  | 'isHostAllowed'

function channelPorts(
  { config }: Start,
  { database, vault, now, sharing: { health } }: Data,
  { guard }: Upkeep,
  { relay, kinds, channelTests, channelBalances }: Traffic,
): Pick<ManagementDeps, ChannelPort> {
  const forget = (channel: number): void => health.forget(channel)
  return {
    kinds,
    channelTests,
    channelBalances,
    testDraft: relay.testDraft,
    routing: { explain: relay.explain, lanes: relay.lanes, forget },
    configuration: remoteConfigurationOf(config, { database, vault, now }, forget),
    callerKeyOrigins: config.callerKeyOrigins,
    isHostAllowed: (host) => isIP(host) === 0 || guard.allows(host),
  }
}

/** The ports through which the management API learns a request's caller, from the edge and the relay. */
function callerPorts(
  { relay }: Traffic,
  callers: Callers,
): Pick<ManagementDeps, 'clientAddress' | 'isSecure' | 'holderOfKey'> {
  const clientAddress = (context: Context): string => callers.addressOf(incomingOf(context))
  return {
    clientAddress,
    isSecure: (context) => callers.isSecure(incomingOf(context)),
    holderOfKey: (context) =>
      relay.holderOfKey({
        headers: incomingOf(context).headers,
        client: clientAddress(context),
        path: context.req.path,
        query: new URL(context.req.url).search.slice(1),
      }),
  }
}

const incomingOf = (context: Context): HttpBindings['incoming'] => (context.env as HttpBindings).incoming

/** Configuration files over the API. The first call loads their code, which most gateways never need. */
export function remoteConfigurationOf(
  config: Pick<Config, 'upstreamPrivate' | 'callerKeyOrigins'>,
  data: Pick<Data, 'database' | 'vault' | 'now'>,
  forget: (channel: number) => void,
): RemoteConfiguration {
  let loaded: Promise<RemoteConfiguration> | undefined
  const load = async (): Promise<RemoteConfiguration> => {
    const [{ configurationOf, remoteSecrets }, { createRemoteConfiguration }] = await Promise.all([
      import('./configuration-files.ts'),
      import('../declared/remote-configuration.ts'),
    ])
    const configuration = configurationOf(config, data, (channels) => channels.forEach(forget))
    return createRemoteConfiguration(configuration, remoteSecrets(process.env))
  }
  const open = () => (loaded ??= load())
  return {
    export: async () => await (await open()).export(),
    schema: async () => await (await open()).schema(),
    plan: async (document, prune) => await (await open()).plan(document, prune),
    apply: async (document, order) => await (await open()).apply(document, order),
    release: async (owner, actor) => await (await open()).release(owner, actor),
  }
}
