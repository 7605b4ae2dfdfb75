import type { Found } from '@sluice/contract/findings/catalogue'
import type { Options } from '@sluice/store/options/options'
import type { Delivery } from '../../messages/delivery.ts'
import { mailTransport, type SmtpTransport } from '../../messages/mail-transport.ts'
import type { Check } from '../check.ts'

export interface MailFacts {
  readonly options: () => Options
  /** Connects and signs in, and sends nothing. */
  readonly tryServer: (transport: SmtpTransport, signal: AbortSignal) => Promise<Delivery>
  /** Number of mails abandoned in the last seven days, and the latest reason. */
  readonly givenUp: () => Promise<{ readonly count: number; readonly problem: string }>
}

/** Checks whether mail can be sent, and reports unsent mails. Resend is not asked: its key can only be tested by sending a mail. */
export function mailCheck({ options, tryServer, givenUp }: MailFacts): Check {
  return {
    name: 'mail',
    examine: async (signal) => {
      const [way, { count, problem }] = await Promise.all([wayOf(options(), tryServer, signal), givenUp()])
      return count === 0 ? way : [...way, { id: 'mail.dead', params: { count, reason: problem } }]
    },
  }
}

async function wayOf(
  options: Options,
  tryServer: MailFacts['tryServer'],
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const transport = mailTransport(options)
  if (transport === undefined) return withoutTransport(options)
  if (transport.by === 'resend') return [{ id: 'mail.resend' }]
  const subject = `${transport.host}:${transport.port}`
  const tried = await tryServer(transport, signal)
  return tried.ok ? [{ id: 'mail.ok', subject }] : [{ id: 'mail.refused', subject, params: { reason: tried.problem } }]
}

function withoutTransport(options: Options): readonly Found[] {
  const { EmailProvider: chosen, SMTPServer: server, ResendAPIKey: key, SMTPFrom, SMTPAccount } = options
  if (chosen === '' && server === '' && key === '') return [{ id: 'mail.none' }]
  const way = chosen === 'resend' || (chosen === '' && server === '') ? ['ResendAPIKey', key] : ['SMTPServer', server]
  const [name, value] = way
  const missing = [
    ...(value === '' ? [name] : []),
    ...(SMTPFrom === '' && !SMTPAccount.includes('@') ? ['SMTPFrom'] : []),
  ]
  return [{ id: 'mail.half', params: { missing: missing.join(', ') || 'SMTPFrom' } }]
}
