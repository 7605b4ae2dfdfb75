import { beginPasskeyRegistration, finishPasskeyRegistration, newCredential } from '@sluice/contract/routes/passkeys'
import * as v from 'valibot'
import type { Call, Failure } from '../../../lib/http/call.ts'

/** How adding a passkey ended: what the browser did with the request, or why the gateway refused. */
export type PasskeyOutcome = 'added' | 'cancelled' | 'known' | 'failed' | Failure

/** Has the browser make a passkey for the signed-in account and stores it under a name. */
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
    // The gateway sends the JSON form of the standard; the browser checks it.
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

/** Browsers make passkeys at https addresses with a name only, and on this machine. */
export function canMakePasskeys(): boolean {
  return (
    'PublicKeyCredential' in window &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    !/^[\d.]+$|:/.test(window.location.hostname)
  )
}
