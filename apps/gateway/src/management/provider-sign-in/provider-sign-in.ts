import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { QueryOutput } from '@sluice/contract/route'
import * as routes from '@sluice/contract/routes/providers'
import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { USER_STATUS } from '@sluice/contract/user'
import type { Options } from '@sluice/store/options/options'
import { findSignInUser, unbindIdentity } from '@sluice/store/queries/accounts/identities'
import type { Context } from 'hono'
import {
  type Identified,
  type ProvidedIdentity,
  type Provider,
  type SignInProviders,
} from '../../sign-in-providers/provider.ts'
import { PROVIDERS } from '../../sign-in-providers/provider.ts'
import type { NewAccountDeps } from '../account/new-account.ts'
import { type Binding, bind } from '../bind.ts'
import type { SecondFactor } from '../identity/second-factor.ts'
import type { SharedPorts } from '../ports.ts'
import { knownFor, type KnownDevices } from '../sessions/known-devices.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { signedInOnWire } from '../sessions/sign-in.ts'
import { type BegunSignIn, createBegunSignIns, stateName } from './begun-sign-ins.ts'
import { bindTo, findOrOpenAccount, PROVIDER_NAMES } from './enter.ts'
import { createProviderThrottle } from './provider-throttle.ts'
import { isEnabled, signInMethods } from './sign-in-methods.ts'

export interface ProviderSignInDeps
  extends NewAccountDeps, Pick<SharedPorts, 'isSecure' | 'basePath' | 'clientAddress'> {
  /** GitHub, Lark, OpenID Connect and WeChat, as they are set up now. */
  readonly signInProviders: SignInProviders
}

export interface ProviderSignInParts {
  readonly deps: ProviderSignInDeps
  readonly sessions: Sessions
  readonly secondFactor: SecondFactor
  readonly devices: KnownDevices
}

/** Stored as the provider in a state: the provider has answered, and the user's second step is awaited. */
const SECOND_STEP = 'second-step'
/** For all calls to a provider together: consoles wait 10 s. */
const TIMEOUT_MS = 9_000

type SignedIn = { readonly data: SignedInUser | undefined; readonly message?: string }

/** Signing in, signing up and binding with GitHub, Lark, an OpenID Connect provider and WeChat. */
export function providerRoutes(parts: ProviderSignInParts): readonly Binding[] {
  const { deps, sessions, devices } = parts
  const throttle = createProviderThrottle(deps)
  const begun = createBegunSignIns(deps)

  /** The second step, if the user has one, and the session. `again` names the call that sends the second step. */
  const enter = async (
    context: Context,
    userId: number,
    totpCode: string,
    again: string,
  ): Promise<SignedIn | Refusal> => {
    const user = await findSignInUser(deps.database.kysely, userId)
    if (user === undefined || user.status !== USER_STATUS.enabled) return { code: 'account_disabled' }
    const place = knownFor(devices.read(context), user.username)
    const refusal = await parts.secondFactor.check(userId, totpCode, place)
    if (refusal !== undefined) {
      await begun.putBack(context, again, { provider: SECOND_STEP, userId, affCode: '' })
      return refusal
    }
    await sessions.start(context, userId)
    devices.remember(context, [user.username])
    return { data: signedInOnWire(user) }
  }

  const finish = async (
    provider: Provider,
    query: QueryOutput<typeof routes.oauthGitHub>,
    context: Context,
  ): Promise<SignedIn | Refusal> => {
    const refusal = disabled(deps.options(), provider)
    if (refusal !== undefined) return refusal
    const found = await begun.take(context, query.state)
    if (found === undefined) return { code: 'oauth_state_invalid' }
    if (found.provider === SECOND_STEP) {
      return await enter(context, found.userId, query.totp_code, stateName(query.state))
    }
    // OpenID Connect needs the marks that were sent with a state of its own.
    if (found.provider !== provider && (found.provider !== '' || provider === 'oidc')) {
      return { code: 'oauth_state_invalid' }
    }
    const callback = { code: query.code, issuer: query.iss, marks: found.marks }
    const identified = await deps.signInProviders.identify(provider, callback, AbortSignal.timeout(TIMEOUT_MS))
    if (!identified.ok) {
      // Consoles of the family repeat the call after a failure.
      if (identified.isUnasked) await begun.restore(context, found)
      return failed(provider, identified)
    }
    if (found.userId > 0) return await bindSignedIn(context, found, provider, identified)
    const user = await findOrOpenAccount(deps, provider, identified.identity, found.affCode)
    return isRefusal(user) ? user : await enter(context, user.id, query.totp_code, stateName(query.state))
  }

  const askWeChat = async (code: string): Promise<ProvidedIdentity | Refusal> => {
    const refusal = disabled(deps.options(), 'wechat')
    if (refusal !== undefined) return refusal
    const identified = await deps.signInProviders.identifyWeChat(code, AbortSignal.timeout(TIMEOUT_MS))
    return identified.ok ? identified.identity : failed('wechat', identified)
  }

  /** Without a state: the browser never leaves this page, and a page of another site cannot send the call. */
  const finishWeChat = async (
    query: QueryOutput<typeof routes.oauthWeChat>,
    context: Context,
  ): Promise<SignedIn | Refusal> => {
    // The WeChat server accepts a code once; the second step is sent with the same one.
    const again = `wechat ${query.code}`
    const awaited = await begun.takeNamed(context, again)
    if (awaited !== undefined) return await enter(context, awaited.userId, query.totp_code, again)
    const identified = await askWeChat(query.code)
    if (isRefusal(identified)) return identified
    const user = await findOrOpenAccount(deps, 'wechat', identified, query.aff)
    return isRefusal(user) ? user : await enter(context, user.id, query.totp_code, again)
  }

  /** Only for the user who began, if still signed in. */
  const bindSignedIn = async (
    context: Context,
    { userId }: BegunSignIn,
    provider: Provider,
    { identity }: Identified & { readonly ok: true },
  ): Promise<SignedIn | Refusal> => {
    const caller = await sessions.identify(context)
    if (isRefusal(caller) || caller.id !== userId) return { code: 'oauth_state_invalid' }
    return (await bindTo(deps, userId, provider, identity)) ?? { data: undefined, message: 'bind' }
  }

  return [
    bind(routes.oauthState, async ({ query, context }) => {
      const { provider, aff: affCode } = query
      const refusal =
        throttle.begin(context) ?? (provider === '' ? allDisabled(deps.options()) : disabled(deps.options(), provider))
      if (refusal !== undefined) return refusal
      const caller = await sessions.identify(context)
      const userId = isRefusal(caller) ? 0 : caller.id
      const marks = await begun.begin(context, { provider, userId, affCode })
      if (marks === undefined) return { code: 'overloaded', params: { limit: 'sign-ins under way' }, retryAfter: 60 }
      if (provider === '') return { data: marks.state, extra: { authorization_url: '' } }
      const page = await deps.signInProviders.authorizationUrl(provider, marks, AbortSignal.timeout(TIMEOUT_MS))
      if ('reason' in page) return failed(provider, page)
      return { data: marks.state, extra: { authorization_url: page.url } }
    }),

    bind(routes.oauthGitHub, ({ query, context }) => throttle.attempt(context, () => finish('github', query, context))),
    bind(routes.oauthLark, ({ query, context }) => throttle.attempt(context, () => finish('lark', query, context))),
    bind(routes.oauthOidc, ({ query, context }) => throttle.attempt(context, () => finish('oidc', query, context))),

    bind(routes.oauthWeChat, ({ query, context }) => throttle.attempt(context, () => finishWeChat(query, context))),
    bind(routes.bindWeChat, ({ query, caller, context }) =>
      throttle.attempt(context, async () => {
        const identified = await askWeChat(query.code)
        if (isRefusal(identified)) return identified
        return (await bindTo(deps, caller.id, 'wechat', identified)) ?? {}
      }),
    ),

    bind(routes.unbindIdentity, async ({ query: { provider }, caller }) => {
      const answer = await unbindIdentity(deps.database.kysely, caller.id, provider, signInMethods(deps.options()))
      if (answer === 'last') return { code: 'last_sign_in' }
      return answer === 'unbound' ? {} : { code: 'not_found', params: { what: 'Binding' } }
    }),
  ]
}

function disabled(options: Options, provider: Provider | 'wechat'): Refusal | undefined {
  if (isEnabled(options, provider)) return undefined
  return { code: 'provider_disabled', params: { provider: PROVIDER_NAMES[provider] ?? '' } }
}

/** Without a provider to come back from, a state would be a row for nothing, written for any guest. */
function allDisabled(options: Options): Refusal | undefined {
  return PROVIDERS.some((provider) => isEnabled(options, provider))
    ? undefined
    : { code: 'provider_disabled', params: { provider: 'a provider' } }
}

function failed(provider: string, { reason }: { readonly reason: string }): Refusal {
  return { code: 'provider_failed', params: { provider: PROVIDER_NAMES[provider] ?? provider, reason } }
}
