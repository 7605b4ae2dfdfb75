import { createHash, timingSafeEqual } from 'node:crypto'
import type { Refusal } from '@sluice/contract/errors'
import type { Options } from '@sluice/store/options/options'
import { type EmailProof, putEmailCode, takeEmailCodeAttempt } from '@sluice/store/queries/accounts/email-codes'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'

/** 32 characters that are easy to tell apart; the five low bits of a byte choose each with equal probability. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 6
const LIFETIME_MINUTES = 10
const ATTEMPTS = 5

/**
 * The use of a code. One for `register` opens an account and changes none; it is not bound to a browser, because a stranger who
 * requests codes in another's name would otherwise use up the mailbox's share with codes that its reader cannot use. One for
 * `change_address` belongs to the session or access token that requested it.
 */
export type CodeUse =
  | { readonly action: 'register' }
  | { readonly action: 'change_address'; readonly caller: Pick<Caller, 'proof'> }

/** Codes that prove that a person reads the mail of an address: six characters, valid for ten minutes, five tries, one use. */
export interface EmailCodes {
  /** Mails a new code, which replaces an earlier one for the same use. Undefined when the mail is queued. */
  readonly send: (address: string, use: CodeUse) => Promise<Refusal | undefined>
  /**
   * Uses one try. Returns the proof if the code is right; the caller uses up the proof in the transaction that acts on it, so that
   * it works once. Undefined if the code is wrong, missing, expired, or for another use.
   */
  readonly check: (address: string, code: string, use: CodeUse) => Promise<EmailProof | undefined>
}

export function createEmailCodes(
  deps: Pick<SharedPorts, 'database' | 'vault' | 'now' | 'randomBytes' | 'enqueueMail'>,
): EmailCodes {
  const db = deps.database.kysely
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)

  return {
    send: async (address, use) => {
      const code = [...deps.randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte & 31)).join('')
      const now = nowSeconds()
      const answer = await db.transaction().execute(async (trx) => {
        const mail = { kind: 'verification_code', to: address, code, minutes: LIFETIME_MINUTES } as const
        const queued = await deps.enqueueMail(trx, mail)
        if (queued !== 'queued') return queued
        await putEmailCode(trx, {
          holder: holderOf(address, use),
          codeSealed: deps.vault.seal('email_code', code),
          attempts: ATTEMPTS,
          now,
          expires: now + LIFETIME_MINUTES * 60,
        })
        return queued
      })
      return mailRefusal(answer)
    },
    check: async (address, code, use) => {
      const proof = await takeEmailCodeAttempt(db, holderOf(address, use), nowSeconds())
      if (proof === undefined) return undefined
      const expected = deps.vault.open('email_code', proof.codeSealed)
      return expected.ok && isSame(expected.text, code.trim().toUpperCase()) ? proof : undefined
    },
  }
}

/** The reason why an address is not allowed here; undefined if it is. */
export function domainRefusal(options: Options, address: string): Refusal | undefined {
  if (!options.EmailDomainRestrictionEnabled) return undefined
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const allowed = options.EmailDomainWhitelist.map((each) => each.toLowerCase())
  if (allowed.includes(domain)) return undefined
  return { code: 'email_domain_not_allowed', params: { domains: allowed.join(', ') }, field: 'email' }
}

function holderOf(address: string, use: CodeUse): string {
  const asker = use.action === 'change_address' ? use.caller.proof : ''
  return createHash('sha256').update(`${use.action}\n${asker}\n${address.toLowerCase()}`).digest('hex')
}

function mailRefusal(answer: Awaited<ReturnType<SharedPorts['enqueueMail']>>): Refusal | undefined {
  switch (answer) {
    case 'queued':
      return undefined
    case 'not_configured':
      return { code: 'mail_not_configured' }
    case 'full':
      return { code: 'overloaded', params: { limit: 'waiting mail' }, retryAfter: 60 }
    case 'bad_address':
      return invalidField('email', 'Valid email is required')
  }
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
