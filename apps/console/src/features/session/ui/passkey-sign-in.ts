import { beginPasskeyLogin, credentialProof, finishPasskeyLogin } from '@sluice/contract/routes/passkeys'
import * as v from 'valibot'
import type { Call, Reply } from '~/lib/http/call.ts'

/**
 * Undefined when the visitor presented no passkey. `conditional`: the browser offers passkeys only among the suggestions of the
 * username field, if it can.
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

/** The credential as JSON; undefined when there is none, the visitor declined, or the request was aborted. */
async function show(options: object, mediation: CredentialMediationRequirement, signal: AbortSignal): Promise<unknown> {
  try {
    // The browser checks the options itself, and throws if they are not valid.
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
    const credential = await navigator.credentials.get({ publicKey, mediation, signal })
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined
  } catch {
    return undefined
  }
}
