import type { Options } from '@sluice/store/options/options'
import { insertMessage } from '@sluice/store/queries/outbox'
import type { Vault } from '@sluice/store/vault'
import { writeMail } from './mail-texts.ts'
import { isMailAddress, mailTransport } from './mail-transport.ts'
import type { EnqueueMail, MailContent } from './mail.ts'

/** How long a mail is retried if it has no deadline. */
const LIFETIME_MS = 24 * 3_600_000

export interface OutboxDeps {
  readonly vault: Vault
  readonly options: () => Options
  /** Unix milliseconds. */
  readonly now: () => number
  /** Notifies this process's sender of work that may not be committed yet. */
  readonly wake: () => void
}

/** The writing side of the outbox. Texts are written now, so that later changes do not alter a mail. */
export function createOutbox({ vault, options, now, wake }: OutboxDeps): EnqueueMail {
  return async (db, { to, language, ...content }) => {
    if (!isMailAddress(to)) return 'bad_address'
    const settings = options()
    if (mailTransport(settings) === undefined) return 'not_configured'
    const written = writeMail(content, settings.SystemName, language)
    const answer = await insertMessage(db, {
      kind: content.kind,
      recipient: to,
      contentSealed: vault.seal('message', JSON.stringify(written)),
      now: now(),
      expires: now() + lifetime(content),
    })
    if (answer === 'queued') wake()
    return answer
  }
}

function lifetime(content: MailContent): number {
  return 'minutes' in content ? content.minutes * 60_000 : LIFETIME_MS
}
