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
import { type Answer, type Binding, bind, type Call } from '../bind.ts'
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

type ProviderQuery = QueryOutput<typeof routes.oauthGitHub>
type SignedIn = { readonly data: SignedInUser | undefined; readonly message?: string }

export function providerRoutes(parts: ProviderSignInParts): readonly Binding[] {
  const signIn = new ProviderSignIn(parts)
  return [
    bind(routes.oauthState, (call) => signIn.begin(call)),
    bind(routes.oauthGitHub, ({ query, context }) => signIn.finish('github', query, context)),
    bind(routes.oauthLark, ({ query, context }) => signIn.finish('lark', query, context)),
    bind(routes.oauthOidc, ({ query, context }) => signIn.finish('oidc', query, context)),
    bind(routes.oauthWeChat, (call) => signIn.finishWeChat(call)),
    bind(routes.bindWeChat, (call) => signIn.bindWeChat(call)),
    bind(routes.unbindIdentity, (call) => unbind(parts.deps, call)),
  ]
}

class ProviderSignIn {
  readonly #deps: ProviderSignInDeps
  readonly #sessions: Sessions
  readonly #secondFactor: SecondFactor
  readonly #devices: KnownDevices
  readonly #throttle: ReturnType<typeof createProviderThrottle>
  readonly #begun: ReturnType<typeof createBegunSignIns>

  constructor({ deps, sessions, secondFactor, devices }: ProviderSignInParts) {
    this.#deps = deps
    this.#sessions = sessions
    this.#secondFactor = secondFactor
    this.#devices = devices
    this.#throttle = createProviderThrottle(deps)
    this.#begun = createBegunSignIns(deps)
  }

  async begin({ query, context }: Call<typeof routes.oauthState>): Promise<Answer<typeof routes.oauthState> | Refusal> {
    const { provider, aff: affCode } = query
    const refusal =
      this.#throttle.begin(context) ??
      (provider === '' ? allDisabled(this.#deps.options()) : disabled(this.#deps.options(), provider))
    if (refusal !== undefined) return refusal
    const caller = await this.#sessions.identify(context)
    const userId = isRefusal(caller) ? 0 : caller.id
    const marks = await this.#begun.begin(context, { provider, userId, affCode })
    if (marks === undefined) return { code: 'overloaded', params: { limit: 'sign-ins in progress' }, retryAfter: 60 }
    if (provider === '') return { data: marks.state, extra: { authorization_url: '' } }
    const page = await this.#deps.signInProviders.authorizationUrl(provider, marks, AbortSignal.timeout(TIMEOUT_MS))
    if ('reason' in page) return failed(provider, page)
    return { data: marks.state, extra: { authorization_url: page.url } }
  }

  finish(provider: Provider, query: ProviderQuery, context: Context): Promise<SignedIn | Refusal> {
    return this.#throttle.attempt(context, () => this.#finish(provider, query, context))
  }

  async #finish(provider: Provider, query: ProviderQuery, context: Context): Promise<SignedIn | Refusal> {
    const refusal = disabled(this.#deps.options(), provider)
    if (refusal !== undefined) return refusal
    const found = await this.#begun.take(context, query.state)
    if (found === undefined) return { code: 'oauth_state_invalid' }
    if (found.provider === SECOND_STEP) {
      return await this.#enter(context, found.userId, query.totp_code, stateName(query.state))
    }
    // OpenID Connect needs the marks that were sent with its own state.
    if (found.provider !== provider && (found.provider !== '' || provider === 'oidc')) {
      return { code: 'oauth_state_invalid' }
    }
    const callback = { code: query.code, issuer: query.iss, marks: found.marks }
    const identified = await this.#deps.signInProviders.identify(provider, callback, AbortSignal.timeout(TIMEOUT_MS))
    if (!identified.ok) {
      // Consoles of the family repeat the call after a failure.
      if (identified.isUnasked) await this.#begun.restore(context, found)
      return failed(provider, identified)
    }
    if (found.userId > 0) return await this.#bindSignedIn(context, found, provider, identified)
    const user = await findOrOpenAccount(this.#deps, provider, identified.identity, found.affCode)
    return isRefusal(user) ? user : await this.#enter(context, user.id, query.totp_code, stateName(query.state))
  }

  /** Binds only for the user who began, if still signed in. */
  async #bindSignedIn(
    context: Context,
    { userId }: BegunSignIn,
    provider: Provider,
    { identity }: Identified & { readonly ok: true },
  ): Promise<SignedIn | Refusal> {
    const caller = await this.#sessions.identify(context)
    if (isRefusal(caller) || caller.id !== userId) return { code: 'oauth_state_invalid' }
    return (await bindTo(this.#deps, userId, provider, identity)) ?? { data: undefined, message: 'bind' }
  }

  finishWeChat({ query, context }: Call<typeof routes.oauthWeChat>): Promise<SignedIn | Refusal> {
    return this.#throttle.attempt(context, () => this.#finishWeChat(query, context))
  }

  /** Needs no state: the browser never leaves this page, and a page of another site cannot send the call. */
  async #finishWeChat(query: QueryOutput<typeof routes.oauthWeChat>, context: Context): Promise<SignedIn | Refusal> {
    // The WeChat server accepts a code only once, but the second step sends the same one.
    const again = `wechat ${query.code}`
    const awaited = await this.#begun.takeNamed(context, again)
    if (awaited !== undefined) return await this.#enter(context, awaited.userId, query.totp_code, again)
    const identified = await this.#askWeChat(query.code)
    if (isRefusal(identified)) return identified
    const user = await findOrOpenAccount(this.#deps, 'wechat', identified, query.aff)
    return isRefusal(user) ? user : await this.#enter(context, user.id, query.totp_code, again)
  }

  bindWeChat({ query, caller, context }: Call<typeof routes.bindWeChat>): Promise<object | Refusal> {
    return this.#throttle.attempt(context, async () => {
      const identified = await this.#askWeChat(query.code)
      if (isRefusal(identified)) return identified
      return (await bindTo(this.#deps, caller.id, 'wechat', identified)) ?? {}
    })
  }

  async #askWeChat(code: string): Promise<ProvidedIdentity | Refusal> {
    const refusal = disabled(this.#deps.options(), 'wechat')
    if (refusal !== undefined) return refusal
    const identified = await this.#deps.signInProviders.identifyWeChat(code, AbortSignal.timeout(TIMEOUT_MS))
    return identified.ok ? identified.identity : failed('wechat', identified)
  }

  /** Demands the second step, if the user has one, and starts the session. `again` names the call that sends the second step. */
  async #enter(context: Context, userId: number, totpCode: string, again: string): Promise<SignedIn | Refusal> {
    const user = await findSignInUser(this.#deps.database.kysely, userId)
    if (user === undefined || user.status !== USER_STATUS.enabled) return { code: 'account_disabled' }
    const place = knownFor(this.#devices.read(context), user.username)
    const refusal = await this.#secondFactor.check(userId, totpCode, place)
    if (refusal !== undefined) {
      await this.#begun.putBack(context, again, { provider: SECOND_STEP, userId, affCode: '' })
      return refusal
    }
    await this.#sessions.start(context, userId)
    this.#devices.remember(context, [user.username])
    return { data: signedInOnWire(user) }
  }
}

async function unbind(
  deps: ProviderSignInDeps,
  { query: { provider }, caller }: Call<typeof routes.unbindIdentity>,
): Promise<object | Refusal> {
  const answer = await unbindIdentity(deps.database.kysely, caller.id, provider, signInMethods(deps.options()))
  if (answer === 'last') return { code: 'last_sign_in' }
  return answer === 'unbound' ? {} : { code: 'not_found', params: { what: 'Binding' } }
}

function disabled(options: Options, provider: Provider | 'wechat'): Refusal | undefined {
  if (isEnabled(options, provider)) return undefined
  return { code: 'provider_disabled', params: { provider: PROVIDER_NAMES[provider] ?? '' } }
}

/** Without an enabled provider, a state would be a useless row, written for any guest. */
function allDisabled(options: Options): Refusal | undefined {
  return PROVIDERS.some((provider) => isEnabled(options, provider))
    ? undefined
    : { code: 'provider_disabled', params: { provider: 'a provider' } }
}

function failed(provider: string, { reason }: { readonly reason: string }): Refusal {
  return { code: 'provider_failed', params: { provider: PROVIDER_NAMES[provider] ?? provider, reason } }
}
