import type { Options } from '@sluice/store/options/options'

export type MailTransport = SmtpTransport | ResendTransport

export interface SmtpTransport {
  readonly by: 'smtp'
  readonly host: string
  readonly port: number
  /** TLS from the first byte, whatever `security` says; otherwise STARTTLS as `security` requires. */
  readonly implicitTls: boolean
  readonly security: Options['SMTPTransportSecurity']
  /** Empty if the server wants no sign-in. */
  readonly account: string
  readonly password: string
  readonly from: Sender
}

export interface ResendTransport {
  readonly by: 'resend'
  readonly key: string
  readonly from: Sender
}

export interface Sender {
  readonly name: string
  readonly address: string
}

/** Ports with TLS from the start. For any other, write `smtps://` before the server's name. */
const IMPLICIT_TLS_PORTS: readonly number[] = [465, 994, 2465]

/** The transport of option `EmailProvider`, otherwise SMTP before Resend. Undefined if not configured, or without a sender. */
export function mailTransport(options: Options): MailTransport | undefined {
  const { EmailProvider: chosen, SMTPServer: server, SMTPAccount: account, ResendAPIKey: key } = options
  const from = readSender(options.SMTPFrom || account, options.SystemName)
  if (from === undefined) return undefined
  if (chosen !== 'resend' && server !== '') {
    const [, scheme, host = ''] = /^(smtps:\/\/)?(.*)$/.exec(server) ?? []
    const implicitTls = scheme !== undefined || IMPLICIT_TLS_PORTS.includes(options.SMTPPort)
    const { SMTPPort: port, SMTPTransportSecurity: security, SMTPToken: password } = options
    return { by: 'smtp', host, port, implicitTls, security, account, password, from }
  }
  return chosen !== 'smtp' && key !== '' ? { by: 'resend', key, from } : undefined
}

/** `a@b.c`, which is sent under the system's name, or `Name <a@b.c>`. */
function readSender(text: string, systemName: string): Sender | undefined {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  if (!isMailAddress(address.trim())) return undefined
  return { name: oneLine(name) || oneLine(systemName), address: address.trim() }
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}"<>]+/gu, ' ').trim()
}

const ADDRESS_MAX = 254

/**
 * Accepts one plain address in the form that mail servers accept: `local@domain`, printable ASCII (the domain can be Unicode), no
 * comment, no list, no display name. Such an address can neither end a header or an SMTP command nor name a second recipient.
 */
export function isMailAddress(text: string): boolean {
  if (text.length > ADDRESS_MAX) return false
  return /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(text)
}
