import { timingSafeEqual } from 'node:crypto'
import type { Refusal } from '@sluice/contract/errors'
import type { Options } from '@sluice/store/options'
import { type EmailProof, putEmailCode, takeEmailCodeAttempt } from '@sluice/store/queries/email-codes'
import { invalidField } from '../issue-text.ts'
import type { ManagementDeps } from '../ports.ts'

/** Nothing that looks like something else; 32 characters, so every byte's five low bits choose one fairly. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 6
const LIFETIME_MINUTES = 10
/** Tries per code. Afterwards a new one must be sent. */
const ATTEMPTS = 5

/** Codes that prove that somebody reads the mail of an address: six characters, ten minutes, five tries, one use. */
export interface EmailCodes {
  /** Mails a new code, which replaces an earlier one. Undefined when it is on its way. */
  readonly send: (address: string) => Promise<Refusal | undefined>
  /**
   * Takes one try. The proof of a right code; whoever acts on it uses it up in the same transaction, so that it works once.
   * Undefined for a wrong code, none, or one too late.
   */
  readonly check: (address: string, code: string) => Promise<EmailProof | undefined>
}

export function createEmailCodes(
  deps: Pick<ManagementDeps, 'database' | 'vault' | 'now' | 'randomBytes' | 'enqueueMail'>,
): EmailCodes {
  const db = deps.database.kysely
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)

  return {
    send: async (address) => {
      const code = [...deps.randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte & 31)).join('')
      const now = nowSeconds()
      const answer = await db.transaction().execute(async (trx) => {
        const mail = { kind: 'verification_code', to: address, code, minutes: LIFETIME_MINUTES } as const
        const queued = await deps.enqueueMail(trx, mail)
        if (queued !== 'queued') return queued
        await putEmailCode(trx, {
          email: address.toLowerCase(),
          codeSealed: deps.vault.seal('email_code', code),
          attempts: ATTEMPTS,
          now,
          expires: now + LIFETIME_MINUTES * 60,
        })
        return queued
      })
      return mailRefusal(answer)
    },
    check: async (address, code) => {
      const proof = await takeEmailCodeAttempt(db, address.toLowerCase(), nowSeconds())
      if (proof === undefined) return undefined
      const expected = deps.vault.open('email_code', proof.codeSealed)
      return expected.ok && isSame(expected.text, code.trim().toUpperCase()) ? proof : undefined
    },
  }
}

/** Why an address may not be used here; undefined when it may. */
export function domainRefusal(options: Options, address: string): Refusal | undefined {
  if (!options.EmailDomainRestrictionEnabled) return undefined
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const allowed = options.EmailDomainWhitelist.map((each) => each.toLowerCase())
  if (allowed.includes(domain)) return undefined
  return { code: 'email_domain_not_allowed', params: { domains: allowed.join(', ') }, field: 'email' }
}

function mailRefusal(answer: Awaited<ReturnType<ManagementDeps['enqueueMail']>>): Refusal | undefined {
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
