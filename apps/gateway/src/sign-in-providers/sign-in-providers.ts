import type { Options } from '@sluice/store/options/options'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { gitHubPage, identifyByGitHub } from './github.ts'
import { identifyByLark, larkPage } from './lark.ts'
import { type ExplicitClient, explicitPage, identifyByEndpoints } from './oidc-by-hand.ts'
import { discover, type OidcClient, oidcPage, type OidcSetup } from './oidc.ts'
import type { Identified, Provider, ProviderAddresses, SignInProviders } from './provider.ts'
import { identifyByWeChat } from './wechat.ts'

export interface SignInProviderDeps {
  readonly fetchGuarded: FetchGuarded
  readonly options: () => Options
  readonly addresses: ProviderAddresses
  /** Unix milliseconds. */
  readonly now: () => number
}

/** A discovery document and its keys are requested again after this long. */
const DISCOVERY_MS = 10 * 60_000

/** Calls the providers, each as configured at the moment of the call. */
export function createSignInProviders(deps: SignInProviderDeps): SignInProviders {
  const { fetchGuarded, options, addresses, now } = deps
  const discovered = createDiscoveryCache(deps)

  const oidcSetup = async (signal: AbortSignal): Promise<OidcSetup | ExplicitClient | undefined> => {
    const settings = options()
    const { OidcWellKnown: wellKnown, OidcClientId: id, OidcClientSecret: secret } = settings
    if (id === '') return undefined
    return wellKnown === '' ? explicitClient(settings) : await discovered({ wellKnown, id, secret }, signal)
  }

  const identify: SignInProviders['identify'] = async (provider, callback, signal) => {
    const settings = options()
    const redirect = redirectAddress(settings, provider)
    const { code } = callback
    switch (provider) {
      case 'github':
        return await identifyByGitHub(fetchGuarded, addresses, { client: gitHubClient(settings), code, signal })
      case 'lark':
        return await identifyByLark(fetchGuarded, addresses, { client: larkClient(settings), code, redirect, signal })
      case 'oidc': {
        const setup = await oidcSetup(signal)
        if (setup === undefined) return { ok: false, reason: NOT_SET_UP }
        if (!('ok' in setup)) {
          return await identifyByEndpoints(fetchGuarded, { client: setup, redirect, callback, now: now(), signal })
        }
        if (!setup.ok) return setup
        // Loaded when first needed, because most gateways have no such provider.
        const { identifyByOidc } = await import('./oidc-exchange.ts')
        return await identifyByOidc(fetchGuarded, setup, { redirect, callback, signal })
      }
    }
  }

  return {
    authorizationUrl: async (provider, marks, signal) => {
      const settings = options()
      const redirect = redirectAddress(settings, provider)
      switch (provider) {
        case 'github':
          return { url: gitHubPage(addresses, gitHubClient(settings), redirect, marks.state) }
        case 'lark':
          return { url: larkPage(addresses, larkClient(settings), redirect, marks.state) }
        case 'oidc': {
          const setup = await oidcSetup(signal)
          if (setup === undefined) return { reason: NOT_SET_UP }
          if (!('ok' in setup)) return { url: explicitPage(setup, redirect, marks) }
          return setup.ok ? { url: oidcPage(setup, redirect, marks) } : { reason: setup.reason }
        }
      }
    },

    identify: async (provider, callback, signal) => withSubject(await identify(provider, callback, signal)),

    identifyWeChat: async (code, signal): Promise<Identified> => {
      const { WeChatServerAddress: address, WeChatServerToken: token } = options()
      if (address === '') return { ok: false, reason: NOT_SET_UP }
      return withSubject(await identifyByWeChat(fetchGuarded, { server: { address, token }, code, signal }))
    },
  }
}

const NOT_SET_UP = 'it is not set up'

/** The longest that OpenID Connect permits (Core section 2), far below the limit of a database index. */
const SUBJECT_MAX = 255

/** Refuses control characters and halves of surrogate pairs in ids: databases refuse or replace them, so two ids could be one. */
function withSubject(identified: Identified): Identified {
  if (!identified.ok) return identified
  const { subject } = identified.identity
  const isOne = subject !== '' && subject.length <= SUBJECT_MAX && !/[\p{Cc}\p{Cs}]/u.test(subject)
  return isOne ? identified : { ok: false, reason: 'it did not identify the user' }
}

function redirectAddress({ ServerAddress: server }: Options, provider: Provider): string {
  return `${server.replace(/(?<!\/)\/+$/, '')}/oauth/${provider}`
}

const gitHubClient = (options: Options) => ({ id: options.GitHubClientId, secret: options.GitHubClientSecret })
const larkClient = (options: Options) => ({ id: options.LarkClientId, secret: options.LarkClientSecret })

function explicitClient(options: Options): ExplicitClient | undefined {
  const client = {
    id: options.OidcClientId,
    secret: options.OidcClientSecret,
    authorizationEndpoint: options.OidcAuthorizationEndpoint,
    tokenEndpoint: options.OidcTokenEndpoint,
    userinfoEndpoint: options.OidcUserinfoEndpoint,
  }
  const isWhole = client.authorizationEndpoint !== '' && client.tokenEndpoint !== '' && client.userinfoEndpoint !== ''
  return isWhole ? client : undefined
}

/** Caches one document, because there is one provider. Does not cache failures. */
function createDiscoveryCache({ fetchGuarded, now }: SignInProviderDeps) {
  let last: { readonly key: string; readonly at: number; readonly setup: OidcSetup } | undefined
  return async (client: OidcClient, signal: AbortSignal): Promise<OidcSetup> => {
    const key = JSON.stringify(client)
    // The cached document is also dropped if the clock was set back.
    if (last !== undefined && last.key === key && Math.abs(now() - last.at) < DISCOVERY_MS) return last.setup
    const setup = await discover(fetchGuarded, client, signal)
    if (setup.ok) last = { key, at: now(), setup }
    return setup
  }
}
