import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { TestCertificate } from '../certificate.ts'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly isEncrypted: boolean
  /** Account that signed in; empty without a sign-in. */
  readonly account: string
  /** Header lines unfolded, and the body as sent. */
  readonly headers: string
  readonly body: string
}

export interface MailServerRules {
  readonly certificate?: TestCertificate
  /** TLS from the first byte; otherwise STARTTLS if there is a certificate. */
  readonly implicitTls?: boolean
  /** Only this account may send. */
  readonly login?: { readonly user: string; readonly password: string }
  /** Called at each RCPT; a result is the refusal, such as `{ code: 451, text: 'busy' }`. */
  readonly refuseRecipient?: (address: string) => { readonly code: number; readonly text: string } | undefined
}

export interface MailServer {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  readonly connections: () => number
  close(): Promise<void>
}

/** A real SMTP server on a free loopback port. */
export async function startMailServer(rules: MailServerRules = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let connections = 0
  const { certificate, login } = rules
  const options: SMTPServerOptions = {
    ...(certificate === undefined ? { disabledCommands: ['STARTTLS'] } : { ...certificate }),
    secure: rules.implicitTls === true,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    logger: false,
    onConnect: (_session, done) => {
      connections++
      done()
    },
    onAuth: (auth, _session, done) => {
      if (auth.username === login?.user && auth.password === login?.password) done(null, { user: auth.username })
      else done(Object.assign(new Error(`5.7.8 bad login ${auth.username}/${auth.password}`), { responseCode: 535 }))
    },
    onRcptTo: ({ address }, _session, done) => {
      const refusal = rules.refuseRecipient?.(address)
      if (refusal === undefined) done()
      else done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const [head = '', ...body] = Buffer.concat(chunks).toString().split('\r\n\r\n')
        received.push({
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          account: session.user ?? '',
          headers: head.replace(/\r\n[ \t]+/g, ' '),
          body: body.join('\r\n\r\n'),
        })
        done()
      })
    },
  }
  const server = new SMTPServer(options)
  // Some tests break off conversations.
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
