import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { JsonObject } from '@sluice/dialects/json-value'
import type { SetupProblem } from '../channel-setup.ts'

/** Larger keys sign more slowly, and no provider requires them. */
const MODULUS_BITS_MAX = 8_192
const MODULUS_BITS_MIN = 1_024

/** A JSON web token signed with RSA and SHA-256 (RFC 7515). `header` has `typ` and `kid`. */
export function rs256(header: JsonObject, claims: JsonObject, key: KeyObject): string {
  const text = unsigned({ alg: 'RS256', ...header }, claims)
  return `${text}.${rs256Signature(text, key)}`
}

/** The signature of `text`, which is a token's header and claims. */
export function rs256Signature(text: string, key: KeyObject): string {
  return sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')
}

export function hs256(header: JsonObject, claims: JsonObject, secret: string): string {
  const text = unsigned({ alg: 'HS256', ...header }, claims)
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** Reads the private key of a document. The problem contains no part of it. */
export function readRsaKey(pem: unknown): { readonly key: KeyObject } | SetupProblem {
  if (typeof pem !== 'string') return UNREADABLE
  try {
    const key = createPrivateKey(pem)
    const bits = key.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0
    if (bits < MODULUS_BITS_MIN || bits > MODULUS_BITS_MAX) return UNREADABLE
    // A key with inconsistent numbers can be read but cannot sign.
    rs256Signature('', key)
    return { key }
  } catch {
    return UNREADABLE
  }
}

const UNREADABLE = {
  problem: `private_key must be an RSA key of ${MODULUS_BITS_MIN} to ${MODULUS_BITS_MAX} bits in PEM form`,
} as const

function unsigned(header: JsonObject, claims: JsonObject): string {
  return `${encode(header)}.${encode(claims)}`
}

const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url')
