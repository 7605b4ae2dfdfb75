import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { TestCertificate } from '../certificate.ts'

/** A mail as the server received it. */
export interface ReceivedMail {
  /** Envelope addresses. */
  readonly from: string
  readonly to: readonly string[]
  readonly isEncrypted: boolean
  /** Name that signed in; empty without a sign-in. */
  readonly account: string
  /** Header lines unfolded, and the body as it was sent. */
  readonly headers: string
  readonly body: string
}

/** The server's settings for a test. */
export interface MailServerRules {
  readonly certificate?: TestCertificate
  /** TLS from the first byte; otherwise STARTTLS when there is a certificate. */
  readonly implicitTls?: boolean
  /** Only this name and password may send. */
  readonly login?: { readonly user: string; readonly password: string }
  /** Called at each RCPT; a result is the refusal, such as `{ code: 451, text: 'busy' }`. */
  readonly refuseRecipient?: (address: string) => { readonly code: number; readonly text: string } | undefined
}

export interface MailServer {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  /** Commands seen that opened a conversation. */
  readonly connections: () => number
  close(): Promise<void>
}

/** A real SMTP server on a free port of this machine. */
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
  // Some tests are about conversations that the client breaks off.
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
