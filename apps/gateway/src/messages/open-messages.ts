import { systemTimers } from '@sluice/ledger/timers'
import type { Database } from '@sluice/store/database'
import type { Options } from '@sluice/store/options/options'
import type { Vault } from '@sluice/store/vault'
import { type AddressGuard, isPrivateAddress } from '../outbound/address-guard.ts'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import type { Log } from '../process/logger.ts'
import { createResendDelivery } from './deliver-resend.ts'
import { createSmtpDelivery } from './deliver-smtp.ts'
import type { Deliver } from './delivery.ts'
import { openLedgerEvents } from './ledger-events.ts'
import type { EnqueueMail, Notify } from './mail.ts'
import { createNotify } from './notify.ts'
import { openOutboxSender } from './outbox-sender.ts'
import { createOutbox } from './outbox.ts'

export interface Messages {
  readonly enqueueMail: EnqueueMail
  readonly notify: Notify
  /** Gives mails that are being sent up to 5 s to arrive; the others stay in the database. */
  close(): Promise<void>
}

export interface MessageParts {
  readonly database: Database
  readonly vault: Vault
  readonly options: () => Options
  readonly fetchGuarded: FetchGuarded
  readonly guard: AddressGuard
  readonly verifyMailCertificate: boolean
  /** Unix milliseconds. */
  readonly now: () => number
  readonly random: () => number
  readonly newId: () => string
  readonly log: Log
}

const CLOSE_MS = 5_000
const NOTICES = 100

export function openMessages(parts: MessageParts): Messages {
  const { guard, fetchGuarded, verifyMailCertificate: verifyCertificate } = parts
  const smtp = createSmtpDelivery({ guard, isNearby: isPrivateAddress, verifyCertificate })
  const resend = createResendDelivery(fetchGuarded)
  const deliver: Deliver = (transport, mail, signal) =>
    transport.by === 'smtp' ? smtp(transport, mail, signal) : resend(transport, mail, signal)
  const sender = openOutboxSender({ ...parts, deliver, timers: systemTimers })
  const enqueueMail = createOutbox({ ...parts, wake: () => sender.wake() })
  const stopping = new AbortController()
  const tell = createNotify({ ...parts, enqueueMail, signal: stopping.signal })
  const notifying = new Set<Promise<void>>()
  const notify: Notify = async (notice) => {
    if (notifying.size >= NOTICES)
      return parts.log.warn({ notice: notice.kind }, 'too many notices at once; one was dropped')
    const task = tell(notice).finally(() => notifying.delete(task))
    notifying.add(task)
  }
  const events = openLedgerEvents({ ...parts, enqueueMail, notify, timers: systemTimers })
  return {
    enqueueMail,
    notify,
    close: async () => {
      stopping.abort()
      await Promise.all([...notifying, events.close(), sender.close(AbortSignal.timeout(CLOSE_MS))])
    },
  }
}
