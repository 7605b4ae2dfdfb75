import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { BodyOutput } from '@sluice/contract/route'
import type { finishPasskeyLogin, finishPasskeyRegistration } from '@sluice/contract/routes/passkeys'
import { beginCeremony, type CeremonyAction, finishCeremony } from '@sluice/store/queries/accounts/ceremonies'
import * as passkeys from '@sluice/store/queries/accounts/passkeys'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'

const CEREMONY_SECONDS = 300
const CHALLENGE_BYTES = 32
const PASSKEYS_PER_USER = 20
/** Web Authentication Level 3, section 7.1: longer ids should be refused. They would not fit PostgreSQL's index either. */
const CREDENTIAL_ID_BYTES = 1_023
/** EdDSA, ES256, RS256: https://www.iana.org/assignments/cose/cose.xhtml#algorithms */
const ALGORITHMS = [-8, -7, -257]

const UNAVAILABLE: Refusal = { code: 'passkeys_unavailable' }
const REFUSED: Refusal = { code: 'passkey_refused' }
const CROWDED: Refusal = { code: 'overloaded', params: { limit: 'passkey requests' }, retryAfter: 60 }
const NOT_BEGUN: Refusal = { code: 'passkey_not_begun' }

type NewCredential = BodyOutput<typeof finishPasskeyRegistration>
type CredentialProof = BodyOutput<typeof finishPasskeyLogin>['credential']

/** Loaded with the first ceremony: library and decoders take 0.2 s and 25 MB, which most starts do not need. */
const webAuthn = () => import('@simplewebauthn/server')

type PublicKey = Record<string, unknown>

export type CeremonyDeps = Pick<SharedPorts, 'database' | 'options' | 'now' | 'randomBytes'>

/**
 * WebAuthn ceremonies. A challenge belongs to one owner (a session, an access token, a browser's cookie) and one action, expires
 * after five minutes and can be answered once (class S13). The authenticator must have verified its user, so a passkey counts as
 * both steps of sign-in.
 */
export class PasskeyCeremonies {
  readonly #deps: CeremonyDeps
  readonly #db: CeremonyDeps['database']['kysely']

  constructor(deps: CeremonyDeps) {
    this.#deps = deps
    this.#db = deps.database.kysely
  }

  async beginRegistration(caller: Caller): Promise<{ readonly publicKey: PublicKey } | Refusal> {
    const relying = this.#party()
    if (relying === undefined) return UNAVAILABLE
    const held = await passkeys.listPasskeys(this.#db, caller.id)
    if (held.length >= PASSKEYS_PER_USER) return full()
    const challenge = await this.#newChallenge(caller.proof, 'passkey_register')
    if (isRefusal(challenge)) return challenge
    const { generateRegistrationOptions } = await webAuthn()
    const publicKey = await generateRegistrationOptions({
      rpName: this.#deps.options().SystemName,
      rpID: relying.id,
      userName: caller.username,
      userDisplayName: caller.username,
      userID: userHandle(caller.id),
      challenge,
      timeout: CEREMONY_SECONDS * 1_000,
      attestationType: 'none',
      excludeCredentials: held.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: transports.split(',').filter(Boolean),
      })),
      // A passkey sign-in has no username, so the authenticator must know the user.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return { publicKey: { ...publicKey } }
  }

  async finishRegistration(
    caller: Caller,
    { credential: made, credential_name: name }: NewCredential,
  ): Promise<Refusal | undefined> {
    const relying = this.#party()
    if (relying === undefined) return UNAVAILABLE
    const expectedChallenge = await finishCeremony(this.#db, caller.proof, 'passkey_register', this.#nowSeconds())
    if (expectedChallenge === undefined) return NOT_BEGUN
    const verified = await verifyNewCredential(made, expectedChallenge, relying).catch(() => undefined)
    if (verified?.registrationInfo === undefined) return REFUSED
    const { credential } = verified.registrationInfo
    const idBytes = Buffer.byteLength(credential.id, 'base64url')
    if (credential.id !== made.id || idBytes > CREDENTIAL_ID_BYTES) return REFUSED
    const stored = await passkeys.insertPasskey(
      this.#db,
      {
        userId: caller.id,
        name,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        signCount: credential.counter,
        transports: made.response.transports.join(','),
        createdTime: this.#nowSeconds(),
      },
      PASSKEYS_PER_USER,
    )
    if (stored === 'full') return full()
    return stored === 'taken' ? REFUSED : undefined
  }

  /** `owner`: digest of the cookie that the browser will send back. */
  async beginLogin(owner: string): Promise<{ readonly publicKey: PublicKey } | Refusal> {
    const relying = this.#party()
    if (relying === undefined) return UNAVAILABLE
    // A list of credentials would reveal who is registered here (class S31).
    const challenge = await this.#newChallenge(owner, 'passkey_login')
    if (isRefusal(challenge)) return challenge
    const { generateAuthenticationOptions } = await webAuthn()
    const publicKey = await generateAuthenticationOptions({
      rpID: relying.id,
      challenge,
      timeout: CEREMONY_SECONDS * 1_000,
      userVerification: 'required',
    })
    return { publicKey: { ...publicKey } }
  }

  async finishLogin(owner: string, proof: CredentialProof): Promise<passkeys.PasskeyHolder | Refusal> {
    const relying = this.#party()
    if (relying === undefined) return UNAVAILABLE
    const expectedChallenge = await finishCeremony(this.#db, owner, 'passkey_login', this.#nowSeconds())
    if (expectedChallenge === undefined) return NOT_BEGUN
    const held = await passkeys.findPasskey(this.#db, proof.id)
    const { clientDataJSON, authenticatorData, signature, userHandle: handle } = proof.response
    if (held === undefined || !isOwnHandle(held.userId, handle)) return REFUSED
    const { verifyAuthenticationResponse } = await webAuthn()
    const verified = await verifyAuthenticationResponse({
      response: { ...identified(proof), response: { clientDataJSON, authenticatorData, signature } },
      expectedChallenge,
      expectedOrigin: relying.origin,
      expectedRPID: relying.id,
      credential: {
        id: held.credentialId,
        publicKey: Uint8Array.from(Buffer.from(held.publicKey, 'base64url')),
        // The statement that stores the new counter compares it with the stored one.
        counter: 0,
      },
    }).catch(() => undefined)
    if (verified?.verified !== true) return REFUSED
    const use = { signCount: verified.authenticationInfo.newCounter, now: this.#nowSeconds() }
    return (await passkeys.usePasskey(this.#db, held.id, use)) ? held : REFUSED
  }

  #party(): RelyingParty | undefined {
    return relyingPartyOf(this.#deps.options().ServerAddress)
  }

  async #newChallenge(owner: string, action: CeremonyAction): Promise<Uint8Array<ArrayBuffer> | Refusal> {
    const bytes = Uint8Array.from(this.#deps.randomBytes(CHALLENGE_BYTES))
    const now = this.#nowSeconds()
    const content = Buffer.from(bytes).toString('base64url')
    const begun = await beginCeremony(this.#db, { owner, action, content, now, expires: now + CEREMONY_SECONDS })
    return begun === 'begun' ? bytes : CROWDED
  }

  #nowSeconds(): number {
    return Math.floor(this.#deps.now() / 1_000)
  }
}

/** Throws if the library does. */
async function verifyNewCredential(
  made: NewCredential['credential'],
  expectedChallenge: string,
  relying: RelyingParty,
) {
  const { verifyRegistrationResponse } = await webAuthn()
  const attestationObject = await withoutStatement(made.response.attestationObject)
  return await verifyRegistrationResponse({
    response: { ...identified(made), response: { ...made.response, attestationObject } },
    expectedChallenge,
    expectedOrigin: relying.origin,
    expectedRPID: relying.id,
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/**
 * The attestation without the device's statement about its maker, which was not requested. The library would follow all its
 * certificates and fetch revocation lists from whatever addresses they name, bypassing the address guard (class S3).
 */
async function withoutStatement(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const none = new Map<string, string | Map<string, never> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(none))
}

/** The part of a credential that the library reads besides `response`. */
function identified({ id, rawId, type }: Pick<CredentialProof, 'id' | 'rawId' | 'type'>) {
  return { id, rawId, type, clientExtensionResults: {} }
}

/** The id of a user for authenticators. Reveals only which passkeys belong together. */
function userHandle(userId: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(`sluice/passkey-user/${userId}`).digest())
}

function isOwnHandle(userId: number, given: string | null | undefined): boolean {
  return given === undefined || given === null || given === Buffer.from(userHandle(userId)).toString('base64url')
}

function full(): Refusal {
  return { code: 'refused', params: { reason: `An account is limited to ${PASSKEYS_PER_USER} passkeys.` } }
}

/** The site for which passkeys are created (WebAuthn: relying party). */
interface RelyingParty {
  /** The name in the address bar, without port. */
  readonly id: string
  /** The pages that may use the passkeys: scheme, name and port. */
  readonly origin: string
}

/** Derived only from the setting ServerAddress. Undefined if that is not a name, or not https except on this machine. */
function relyingPartyOf(serverAddress: string): RelyingParty | undefined {
  if (!URL.canParse(serverAddress)) return undefined
  const { protocol, hostname, origin } = new URL(serverAddress)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  return protocol === 'https:' || hostname === 'localhost' ? { id: hostname, origin } : undefined
}
