import type { Data } from '@sluice/contract/route'
import { self } from '@sluice/contract/routes/account'
import { listOwnSessions, type OwnSession } from '@sluice/contract/routes/own-sessions'
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
  listPasskeys,
  newCredential,
} from '@sluice/contract/routes/passkeys'
import { status } from '@sluice/contract/routes/system'
import { totpStatus } from '@sluice/contract/routes/totp'
import type { SystemStatus } from '@sluice/contract/status'
import type { User } from '@sluice/contract/user'
import * as v from 'valibot'
import { type Call, type Failure, successOf } from '~/lib/http/call.ts'
import type { Queries, QuerySpec } from '~/lib/query/queries.ts'

export const OWN_ACCOUNT = ['account', 'self'] as const

export function ownAccountQuery(call: Call): QuerySpec<User> {
  return {
    queryKey: OWN_ACCOUNT,
    queryFn: async ({ signal }) => successOf(await call(self, { signal })).data,
  }
}

/** The current public settings, including those that the console does not keep. */
export function publicSettingsQuery(call: Call): QuerySpec<SystemStatus> {
  return {
    queryKey: ['account', 'public-settings'],
    queryFn: async ({ signal }) => successOf(await call(status, { signal })).data,
  }
}

export function totpStatusQuery(
  call: Call,
): QuerySpec<{ totp_enabled: boolean; recovery_codes_left?: number | undefined }> {
  return {
    queryKey: ['account', 'totp'],
    queryFn: async ({ signal }) => successOf(await call(totpStatus, { signal })).data,
  }
}

export const SESSIONS = ['account', 'sessions'] as const

export function sessionListQuery(call: Call): QuerySpec<readonly OwnSession[]> {
  return {
    queryKey: SESSIONS,
    queryFn: async ({ signal }) => successOf(await call(listOwnSessions, { signal })).data,
  }
}

export const PASSKEYS = ['account', 'passkeys'] as const
export type Passkey = Data<typeof listPasskeys>[number]

export function passkeyListQuery(call: Call): QuerySpec<readonly Passkey[]> {
  return {
    queryKey: PASSKEYS,
    queryFn: async ({ signal }) => successOf(await call(listPasskeys, { signal })).data,
  }
}

export type PasskeyOutcome = 'added' | 'cancelled' | 'known' | 'failed' | Failure

export async function addPasskey(call: Call, name: string): Promise<PasskeyOutcome> {
  const begun = await call(beginPasskeyRegistration, {})
  if (!begun.ok) return begun
  const made = await makeCredential(begun.data.publicKey)
  if (typeof made === 'string') return made
  const finished = await call(finishPasskeyRegistration, { body: { credential_name: name, credential: made } })
  return finished.ok ? 'added' : finished
}

type Credential = v.InferInput<typeof newCredential>

async function makeCredential(options: object): Promise<Credential | 'cancelled' | 'known' | 'failed'> {
  try {
    // The gateway sends the standard's JSON form, which the browser checks.
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as PublicKeyCredentialCreationOptionsJSON,
    )
    const made = await navigator.credentials.create({ publicKey })
    const json: unknown = made instanceof PublicKeyCredential ? made.toJSON() : undefined
    return v.is(newCredential, json) ? json : 'failed'
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled'
    return name === 'InvalidStateError' ? 'known' : 'failed'
  }
}

/** Browsers create passkeys only at https addresses with a host name, and on this machine. */
export function canMakePasskeys(): boolean {
  return (
    'PublicKeyCredential' in window &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    !/^[\d.]+$|:/.test(window.location.hostname)
  )
}

export function prefetchPersonalTab(queries: Queries, call: Call): void {
  queries.prefetch(ownAccountQuery(call))
  queries.prefetch(totpStatusQuery(call))
  queries.prefetch(passkeyListQuery(call))
  queries.prefetch(sessionListQuery(call))
}
