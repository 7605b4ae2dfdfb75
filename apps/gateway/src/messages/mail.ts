import type { Schema } from '@sluice/store/schema/schema'
import type { Kysely } from 'kysely'

export type Language = 'en' | 'zh'

/** The content of a mail; its text comes from `english-mails.ts` or `chinese-mails.ts`. */
export type MailContent =
  /** `minutes`: lifetime of the code; the mail is not sent after that. */
  | { readonly kind: 'verification_code'; readonly code: string; readonly minutes: number }
  /** Several accounts can share an address, so each link names its account. */
  | { readonly kind: 'password_reset'; readonly username: string; readonly link: string; readonly minutes: number }
  /** Goes to the account's previous address. */
  | { readonly kind: 'email_changed'; readonly username: string }
  /** Amounts in whole quota points; `link` can be empty. */
  | { readonly kind: 'quota_low'; readonly username: string; readonly quota: number; readonly link: string }
  /** `token` is empty for a budget of the account itself; `quota` is the budget, in whole points. */
  | {
      readonly kind: 'budget_low'
      readonly username: string
      readonly token: string
      readonly period: 'day' | 'week' | 'month'
      readonly quota: number
    }
  /** Charges that a late settlement has changed: their number, and one of them. */
  | { readonly kind: 'charges_corrected'; readonly count: number; readonly requestId: string }
  | { readonly kind: 'channel_disabled'; readonly channel: string; readonly id: number; readonly reason: string }
  | { readonly kind: 'channel_enabled'; readonly channel: string; readonly id: number }
  /** `key`: its position in the channel, from 1. */
  | {
      readonly kind: 'channel_key_disabled'
      readonly channel: string
      readonly id: number
      readonly key: number
      readonly reason: string
    }
  | { readonly kind: 'channel_keys_enabled'; readonly channel: string; readonly id: number }
  | { readonly kind: 'channels_tested'; readonly tested: number; readonly failed: number }
  /** `I1`, `I2` …: the invariants that a verification of the ledger found violated. */
  | { readonly kind: 'books_wrong'; readonly invariants: readonly string[] }
  /** A file of the SQLite database is no longer the one that the gateway opened. */
  | { readonly kind: 'database_replaced'; readonly path: string }
  /** A scheduled backup. `latest`: time of the latest successful backup, ISO 8601; empty for never. */
  | { readonly kind: 'backup_failed'; readonly place: string; readonly problem: string; readonly latest: string }
  | { readonly kind: 'plain'; readonly subject: string; readonly text: string }

export type MailContents = { readonly [Content in MailContent as Content['kind']]: Content }

/** One mail in one language: paragraphs, with `strong` ones standing out (a code, a link). */
export interface MailText {
  readonly subject: string
  readonly paragraphs: readonly (string | { readonly strong: string })[]
}

/** The texts of every kind of mail in one language; `system` is the name of the installation. */
export type MailTexts = {
  readonly [Kind in keyof MailContents]: (content: MailContents[Kind], system: string) => MailText
}

export type Mail = MailContent & {
  readonly to: string
  /** If absent, the mail contains both languages. */
  readonly language?: Language
}

/** `not_configured`: no mail server. `full`: too much mail is waiting. `bad_address`: not one plain address. Nothing was stored. */
export type EnqueueAnswer = 'queued' | 'not_configured' | 'full' | 'bad_address'

/** Queues a mail and retries it for a while. Pass the reported change's transaction, so that both are stored or neither. */
export type EnqueueMail = (db: Kysely<Schema>, mail: Mail) => Promise<EnqueueAnswer>

/** A notice to administrators: through the message pusher if one is set, otherwise by mail to root. */
export type Notice = Extract<
  MailContent,
  {
    kind:
      | 'charges_corrected'
      | 'channel_disabled'
      | 'channel_enabled'
      | 'channel_key_disabled'
      | 'channel_keys_enabled'
      | 'channels_tested'
      | 'books_wrong'
      | 'database_replaced'
      | 'backup_failed'
      | 'plain'
  }
>

/** Never rejects; in the running gateway it does not wait for a pusher. A notice that reaches no one is only logged. */
export type Notify = (notice: Notice) => Promise<void>
