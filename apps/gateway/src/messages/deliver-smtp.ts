import { connect, isIP, type Socket } from 'node:net'
import type { Transporter } from 'nodemailer'
import { type AddressGuard, AddressRefused } from '../outbound/address-guard.ts'
import type { Deliver, Delivery } from './delivery.ts'
import type { SmtpTransport } from './mail-transport.ts'

const CONNECT_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000

export interface SmtpDeps {
  /** Checks addresses of mail servers like all others from settings. */
  readonly guard: AddressGuard
  /** True for addresses of this machine and of private networks. */
  readonly isNearby: (address: string) => boolean
  /** False accepts any certificate, for servers with a self-signed one. */
  readonly verifyCertificate: boolean
}

/**
 * One mail in one SMTP conversation, encrypted as option `SMTPTransportSecurity` says. `require` sends nothing without TLS and a
 * trusted certificate. `when_offered` sends in clear text to a server that does not offer STARTTLS; on this machine and on private
 * networks it also sends credentials in clear text, and accepts any certificate. `none` uses no TLS, and sends only to this machine
 * and private networks. Over the internet, credentials are sent only over TLS.
 */
export function createSmtpDelivery(deps: SmtpDeps): Deliver<SmtpTransport> {
  return (transport, mail, signal) =>
    converse(deps, transport, signal, async (sender) => {
      const { from } = transport
      await sender.sendMail({
        from,
        // An object is treated as one address and never parsed as a list.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.deliveryId}@${from.address.split('@').at(-1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      })
    })
}

/** The same conversation up to the sign-in. Shows whether mail could be sent, but sends none. */
export function createSmtpCheck(deps: SmtpDeps): (transport: SmtpTransport, signal: AbortSignal) => Promise<Delivery> {
  return (transport, signal) => converse(deps, transport, signal, async (sender) => void (await sender.verify()))
}

type Sender = Pick<Transporter, 'sendMail' | 'verify' | 'close'>

async function converse(
  { guard, isNearby, verifyCertificate }: SmtpDeps,
  transport: SmtpTransport,
  signal: AbortSignal,
  say: (sender: Sender) => Promise<void>,
): Promise<Delivery> {
  const { host, port, account, password, implicitTls } = transport
  const connected = await openSocket({ guard, host, port, signal }).catch((error: unknown) => failureOf(error))
  if ('ok' in connected) return connected
  const security = securityAt(transport, isNearby(connected.remoteAddress ?? ''))
  if (security === undefined) {
    connected.destroy()
    return failed('SMTPTransportSecurity none is only for mail servers on loopback or a private network')
  }
  // Loaded with the first mail, because many gateways never send one.
  const { createTransport } = await import('nodemailer')
  const { isVerified, ...encryption } = security
  const sender = createTransport({
    host,
    port,
    secure: implicitTls,
    ...encryption,
    ...(account === '' ? {} : { auth: { user: account, pass: password } }),
    tls: { rejectUnauthorized: verifyCertificate && isVerified, minVersion: 'TLSv1.2' },
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: unknown, done: SocketAnswer) => done(null, { connection: connected }),
  })
  try {
    await say(sender)
    return { ok: true }
  } catch (error) {
    return failureOf(error)
  } finally {
    sender.close()
    connected.destroy()
  }
}

/** The library's options for STARTTLS; undefined if nothing may be sent. */
function securityAt({ implicitTls, security, account }: SmtpTransport, isNear: boolean) {
  if (implicitTls || security === 'require') return { requireTLS: !implicitTls, isVerified: true }
  if (security === 'when_offered') return { requireTLS: account !== '' && !isNear, isVerified: !isNear }
  return isNear ? { ignoreTLS: true, isVerified: true } : undefined
}

interface Destination {
  readonly guard: AddressGuard
  readonly host: string
  readonly port: number
  readonly signal: AbortSignal
}

type SocketAnswer = (error: Error | null, socket?: { readonly connection: Socket }) => void

/** Opens a connection to a checked address, on which the library conducts the conversation. */
function openSocket({ guard, host, port, signal }: Destination): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // A literal address never reaches `lookup`.
    if (isIP(host) !== 0 && !guard.allows(host)) return reject(new AddressRefused())
    const socket = connect({ host, port, lookup: guard.lookup, timeout: CONNECT_TIMEOUT_MS, signal })
    socket.once('error', reject)
    // The library's listener might be gone by the time the signal ends the socket.
    socket.on('error', () => {})
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })))
    socket.once('connect', () => {
      socket.off('error', reject).removeAllListeners('timeout').setTimeout(0)
      resolve(socket)
    })
  })
}

interface SmtpFailure {
  readonly code: string
  readonly command: string
  readonly responseCode: number
  readonly response: string
}

/** Codes of faults in the message itself, which a retry does not fix. */
const MESSAGE_FAULTS: readonly string[] = ['EENVELOPE', 'EMESSAGE']

/** The mail is tried again later: a setting might be corrected, or a server might come back. */
function failed(problem: string): Delivery {
  return { ok: false, permanent: false, problem }
}

function failureOf(error: unknown): Delivery {
  if (error instanceof AddressRefused) {
    return failed('the address of the mail server is not allowed')
  }
  const { code = '', command = '', responseCode = 0, response = '' } = error as Partial<SmtpFailure>
  if (code === 'ETLS') return failed('the mail server did not offer TLS, which SMTPTransportSecurity requires')
  if (responseCode === 0) {
    const permanent = MESSAGE_FAULTS.includes(code)
    return { ok: false, permanent, problem: `no delivery: ${/^[A-Z_]{1,30}$/.test(code) ? code : 'unknown failure'}` }
  }
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  const said = enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`
  // A refused sign-in is a faulty setting: the mail waits for its correction.
  const permanent = responseCode >= 500 && code !== 'EAUTH'
  const at = /^[A-Z ]{1,20}/.exec(command)?.[0].trim() ?? ''
  return { ok: false, permanent, problem: `the mail server answered ${said}${at === '' ? '' : ` to ${at}`}` }
}
