import type { WrittenMail } from './mail-texts.ts'
import type { MailTransport } from './mail-transport.ts'

/** A mail on its way to a mail server. */
export interface OutgoingMail extends WrittenMail {
  readonly to: string
  /** The same for every attempt, so that a server can recognise a mail that it has already accepted. */
  readonly deliveryId: string
}

/**
 * `permanent`: trying again cannot help. `problem` is for an operator: codes and plain words, nothing that the server said, because
 * servers repeat what they were sent.
 */
export type Delivery =
  | { readonly ok: true }
  | { readonly ok: false; readonly permanent: boolean; readonly problem: string }

/** One attempt over one kind of transport. Never rejects; ends early as `permanent: false` when `signal` aborts. */
export type Deliver<T extends MailTransport = MailTransport> = (
  transport: T,
  mail: OutgoingMail,
  signal: AbortSignal,
) => Promise<Delivery>
