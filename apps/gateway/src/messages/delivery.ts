import type { WrittenMail } from './mail-texts.ts'
import type { MailTransport } from './mail-transport.ts'

export interface OutgoingMail extends WrittenMail {
  readonly to: string
  /** The same for every attempt, so that a server can recognise a mail that it has already accepted. */
  readonly deliveryId: string
}

/** `permanent`: a retry cannot help. `problem`: for an operator, not in the server's words, because servers repeat their input. */
export type Delivery =
  | { readonly ok: true }
  | { readonly ok: false; readonly permanent: boolean; readonly problem: string }

/** One attempt over one kind of transport. Never rejects; ends early as `permanent: false` when `signal` aborts. */
export type Deliver<T extends MailTransport = MailTransport> = (
  transport: T,
  mail: OutgoingMail,
  signal: AbortSignal,
) => Promise<Delivery>
