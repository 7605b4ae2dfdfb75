import type { Options } from '@sluice/store/options'

/** How mail leaves, as the settings say. */
export type MailTransport =
  | {
      readonly by: 'smtp'
      readonly host: string
      readonly port: number
      /** Empty: the server wants no sign-in. */
      readonly account: string
      readonly secret: string
      readonly from: string
    }
  | { readonly by: 'resend'; readonly key: string; readonly from: string }

/**
 * The transport that option `EmailProvider` names, or for an empty one the first that is set up: SMTP, then Resend. Undefined
 * when that one is not set up.
 */
export function mailTransport(options: Options): MailTransport | undefined {
  const { EmailProvider: chosen, SMTPServer: host, SMTPAccount: account, ResendAPIKey: key } = options
  const from = options.SMTPFrom || account
  if (from === '') return undefined
  if (chosen !== 'resend' && host !== '') {
    return { by: 'smtp', host, port: options.SMTPPort, account, secret: options.SMTPToken, from }
  }
  return chosen !== 'smtp' && key !== '' ? { by: 'resend', key, from } : undefined
}
