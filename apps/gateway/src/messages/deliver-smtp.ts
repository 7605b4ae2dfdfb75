import { connect, isIP, type Socket } from 'node:net'
import { type AddressGuard, AddressRefused } from '../outbound/address-guard.ts'
import type { Deliver, Delivery } from './delivery.ts'
import type { SmtpTransport } from './mail-transport.ts'

const CONNECT_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000

export interface SmtpDeps {
  /** Mail servers are asked for by name like every other address of a setting. */
  readonly guard: AddressGuard
  /** False accepts any certificate: for servers with one of their own making. */
  readonly verifyCertificate: boolean
}

/**
 * One mail in one SMTP conversation. Credentials are only ever sent inside TLS: a server that wants them and offers no
 * STARTTLS is refused. Without credentials STARTTLS is used when offered, else the mail goes in the clear, as between servers.
 */
export function createSmtpDelivery({ guard, verifyCertificate }: SmtpDeps): Deliver<SmtpTransport> {
  return async (transport, mail, signal) => {
    const { host, port, account, password, implicitTls, from } = transport
    // Read with the first mail: many gateways never send one.
    const { createTransport } = await import('nodemailer')
    const sender = createTransport({
      host,
      port,
      secure: implicitTls,
      requireTLS: !implicitTls && account !== '',
      ...(account === '' ? {} : { auth: { user: account, pass: password } }),
      tls: { rejectUnauthorized: verifyCertificate, minVersion: 'TLSv1.2' },
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: GREETING_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      getSocket: (_options: unknown, done: SocketAnswer) => openSocket({ guard, host, port, signal }, done),
    })
    try {
      await sender.sendMail({
        from,
        // An object is taken as one address and never parsed as a list.
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId: `<${mail.deliveryId}@${from.address.split('@').at(-1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      })
      return { ok: true }
    } catch (error) {
      return failureOf(error)
    } finally {
      sender.close()
    }
  }
}

interface Destination {
  readonly guard: AddressGuard
  readonly host: string
  readonly port: number
  readonly signal: AbortSignal
}

type SocketAnswer = (error: Error | null, socket?: { readonly connection: Socket }) => void

/** A connection to a checked address; the conversation on it is the library's. */
function openSocket({ guard, host, port, signal }: Destination, done: SocketAnswer): void {
  // A literal address never reaches `lookup`.
  if (isIP(host) !== 0 && !guard.allows(host)) return done(new AddressRefused())
  const socket = connect({ host, port, lookup: guard.lookup, timeout: CONNECT_TIMEOUT_MS, signal })
  const fail = (error: Error): void => done(error)
  socket.once('error', fail)
  // Whoever listens next may have stopped by the time that the signal ends the socket.
  socket.on('error', () => {})
  socket.once('timeout', () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })))
  socket.once('connect', () => {
    socket.off('error', fail).removeAllListeners('timeout').setTimeout(0)
    done(null, { connection: socket })
  })
}

/** What the library puts on its errors. */
interface SmtpFailure {
  readonly code: string
  readonly command: string
  readonly responseCode: number
  readonly response: string
}

/** Codes of what is wrong with the message itself, which no repetition mends. */
const MESSAGE_FAULTS: readonly string[] = ['EENVELOPE', 'EMESSAGE']

function failureOf(error: unknown): Delivery {
  if (error instanceof AddressRefused) {
    return { ok: false, permanent: false, problem: 'the address of the mail server is not allowed' }
  }
  const { code = '', command = '', responseCode = 0, response = '' } = error as Partial<SmtpFailure>
  if (responseCode === 0) {
    const permanent = MESSAGE_FAULTS.includes(code)
    return { ok: false, permanent, problem: `no delivery: ${/^[A-Z_]{1,30}$/.test(code) ? code : 'unknown failure'}` }
  }
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  const said = enhanced === undefined ? String(responseCode) : `${responseCode} ${enhanced}`
  // A refused sign-in is a wrong setting: the mail waits for it to be corrected.
  const permanent = responseCode >= 500 && code !== 'EAUTH'
  const at = /^[A-Z ]{1,20}/.exec(command)?.[0].trim() ?? ''
  return { ok: false, permanent, problem: `the mail server answered ${said}${at === '' ? '' : ` to ${at}`}` }
}
