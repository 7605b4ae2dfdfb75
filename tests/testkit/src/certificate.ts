import { generateKeyPairSync, sign } from 'node:crypto'

export interface TestCertificate {
  readonly cert: string
  readonly key: string
}

/**
 * A new certificate for `localhost` and `127.0.0.1`, generated so that the project contains no private key. Node cannot write
 * certificates, so this writes the few DER fields that a verifier reads (RFC 5280 section 4.1).
 */
export function selfSigned(validUntil = new Date('2049-12-31T23:59:59Z')): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from('localhost')))))
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time('200101000000Z'), time(utcTime(validUntil))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension('551d11', names), extension('551d13', isAuthority))),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts))
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, Buffer.concat(parts))
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
/** `YYMMDDhhmmssZ`, for years up to 2049 (RFC 5280 section 4.1.2.5). */
const utcTime = (date: Date): string => `${date.toISOString().slice(2, 19).replace(/[-T:]/g, '')}Z`
const time = (utc: string): Buffer => der(0x17, Buffer.from(utc))
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value))
