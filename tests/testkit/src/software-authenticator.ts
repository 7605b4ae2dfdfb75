import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/**
 * A passkey device in software: one ES256 credential, attestation "none". It builds the exact bytes of WebAuthn Level 3 (sections
 * 6.1 authenticator data, 6.5 attestation, 6.3.3 assertion) and lies on request.
 */
export interface SoftwareAuthenticator {
  create(options: CeremonyOptions, lies?: Lies): NewCredential
  get(options: CeremonyOptions, lies?: Lies): CredentialProof
}

/** The part of WebAuthn's options that a device reads. */
export interface CeremonyOptions {
  readonly publicKey: Readonly<Record<string, unknown>>
}

export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly unverified?: boolean
  /** The claimed counter; by default it increases with every use. */
  readonly signCount?: number
  readonly userHandle?: string
  readonly badSignature?: boolean
  /** Answers with another credential's id (base64url). */
  readonly id?: string
  /** All flags of the authenticator data, instead of the true ones. */
  readonly flags?: number
  /** CBOR of the attestation format and statement, instead of `none` and an empty map. */
  readonly attestation?: { readonly fmt: string; readonly statement: Buffer }
  /** Bytes after the credential's key: extensions if the flags say so. */
  readonly extensions?: Buffer
}

interface Credential<Response> {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: Response
  readonly clientExtensionResults: Readonly<Record<string, never>>
}
export type NewCredential = Credential<{
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: string[]
}>
export type CredentialProof = Credential<{
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle: string
}>

/** `origin` of the page; `counts`: false if the counter stays 0, as in phones; `idBytes`: length of the credential id. */
export function createSoftwareAuthenticator(
  origin: string,
  { counts = true, idBytes = 32 } = {},
): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(idBytes)
  let userHandle = ''
  let uses = 0

  const identity = (name = base64url(id)) =>
    ({ id: name, rawId: name, type: 'public-key', clientExtensionResults: {} }) as const
  const clientData = (type: string, options: CeremonyOptions, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? text(options.publicKey['challenge']),
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authenticatorData = (flags: number, lies: Lies, attested = Buffer.alloc(0)): Buffer => {
    if (counts) uses += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(lies.signCount ?? uses)
    const rpIdHash = sha256(Buffer.from(lies.rpId ?? new URL(origin).hostname))
    const told = lies.flags ?? flags | (lies.unverified ? 0 : VERIFIED)
    return Buffer.concat([rpIdHash, Buffer.of(told), counter, attested, lies.extensions ?? Buffer.alloc(0)])
  }

  return {
    create: (options, lies = {}) => {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const coseKey = cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
        [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(AAGUID_BYTES), length, id, coseKey])
      const attestation = cborMap([
        [cborText('fmt'), cborText(lies.attestation?.fmt ?? 'none')],
        [cborText('attStmt'), lies.attestation?.statement ?? cborMap([])],
        [cborText('authData'), cborBytes(authenticatorData(PRESENT | ATTESTED, lies, attested))],
      ])
      userHandle = userIdOf(options)
      return {
        ...identity(lies.id),
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options, lies)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      }
    },
    get: (options, lies = {}) => {
      const json = clientData('webauthn.get', options, lies)
      const data = authenticatorData(PRESENT, lies)
      const signed = lies.badSignature ? Buffer.from('something else') : Buffer.concat([data, sha256(json)])
      return {
        ...identity(lies.id),
        response: {
          clientDataJSON: base64url(json),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', signed, privateKey)),
          userHandle: lies.userHandle ?? userHandle,
        },
      }
    },
  }
}

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40
const AAGUID_BYTES = 16

function userIdOf({ publicKey }: CeremonyOptions): string {
  const user = publicKey['user']
  return typeof user === 'object' && user !== null && 'id' in user ? text(user.id) : ''
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** RFC 8949, as far as needed here: lengths and numbers below 65,536. */
function cborHead(major: number, size: number): Buffer {
  if (size < 24) return Buffer.of((major << 5) | size)
  return size < 256 ? Buffer.of((major << 5) | 24, size) : Buffer.of((major << 5) | 25, size >> 8, size & 255)
}

function cborInt(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
}

export function cborBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

export function cborText(value: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
}

export function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
}
