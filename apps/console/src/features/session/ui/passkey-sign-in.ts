import { beginPasskeyLogin, credentialProof, finishPasskeyLogin } from '@sluice/contract/routes/passkeys'
import * as v from 'valibot'
import type { Call, Reply } from '../../../lib/http/call.ts'

/**
 * Asks the browser for a passkey and the gateway whether it is one. Undefined when the visitor showed none. `conditional`:
 * the browser asks by suggestions of the username field only, where it can.
 */
export async function signInWithPasskey(
  call: Call,
  mediation: 'optional' | 'conditional',
  signal: AbortSignal,
): Promise<Reply<typeof finishPasskeyLogin> | undefined> {
  if (mediation === 'conditional' && !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined
  const begun = await call(beginPasskeyLogin, { signal })
  if (!begun.ok) return begun
  const shown = await show(begun.data.publicKey, mediation, signal)
  const proof = v.safeParse(credentialProof, shown)
  return proof.success ? call(finishPasskeyLogin, { body: { credential: proof.output }, signal }) : undefined
}

/** JSON form of the credential; undefined when there is none, the visitor declined or nobody waits any more. */
async function show(options: object, mediation: CredentialMediationRequirement, signal: AbortSignal): Promise<unknown> {
  try {
    // Checked by the browser itself: it throws for what is no such thing.
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
    const credential = await navigator.credentials.get({ publicKey, mediation, signal })
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined
  } catch {
    return undefined
  }
}
