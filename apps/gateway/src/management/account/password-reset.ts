import { createHash } from 'node:crypto'
import type { Refusal } from '@sluice/contract/errors'
import {
  findByEmail,
  putPasswordReset,
  type ResetRecipient,
  resetPassword,
} from '@sluice/store/queries/accounts/password-resets'
import type { SharedPorts } from '../ports.ts'
import type { Passwords } from '../sessions/passwords.ts'
import { busy } from '../sessions/sign-in.ts'

const TOKEN_BYTES = 32
/** 16 base64url characters. */
const PASSWORD_BYTES = 12
const LIFETIME_MINUTES = 10
/** The family lets several accounts share an address; at most this many of them get a link. */
const ACCOUNTS_PER_ADDRESS = 5
/** Concurrent requests; each runs two short statements and queues a mail. */
const AT_WORK = 100

/** Reset of a forgotten password. The link holds 256 random bits, the database their SHA-256; it works once, for ten minutes. */
export interface PasswordReset {
  /** Mails a link to every enabled account of an address, after the answer, which therefore reveals no account (class S31). */
  readonly request: (address: string) => Refusal | undefined
  /** Returns the user whose password was set. `password` is the generated one if none was given, otherwise empty. */
  readonly complete: (reset: {
    readonly email: string
    readonly token: string
    readonly password: string
  }) => Promise<{ readonly username: string; readonly password: string } | Refusal>
}

export function createPasswordReset(
  deps: Pick<SharedPorts, 'database' | 'options' | 'now' | 'randomBytes' | 'enqueueMail' | 'inBackground'>,
  passwords: Passwords,
): PasswordReset {
  const db = deps.database.kysely
  let atWork = 0
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)
  const random = (size: number): string => Buffer.from(deps.randomBytes(size)).toString('base64url')

  /** The link goes to the stored address and names the configured server: the visitor chooses neither. */
  const sendLink = async ({ id, username, email }: ResetRecipient): Promise<void> => {
    const token = random(TOKEN_BYTES)
    const address = deps.options().ServerAddress.replace(/(?<!\/)\/+$/, '')
    const link = `${address}/user/reset?${new URLSearchParams({ email, token }).toString()}`
    await db.transaction().execute(async (trx) => {
      const mail = { kind: 'password_reset', to: email, username, link, minutes: LIFETIME_MINUTES } as const
      if ((await deps.enqueueMail(trx, mail)) !== 'queued') return
      const expires = nowSeconds() + LIFETIME_MINUTES * 60
      await putPasswordReset(trx, { userId: id, tokenHash: hashOf(token), expires })
    })
  }

  return {
    request: (address) => {
      if (atWork >= AT_WORK) return { code: 'overloaded', params: { limit: 'reset requests' }, retryAfter: 5 }
      atWork += 1
      deps.inBackground(async () => {
        try {
          for (const user of await findByEmail(db, address, ACCOUNTS_PER_ADDRESS)) await sendLink(user)
        } finally {
          atWork -= 1
        }
      })
      return undefined
    },
    complete: async ({ email, token, password }) => {
      const madeUp = password === '' ? random(PASSWORD_BYTES) : ''
      const hashed = await passwords.hash(password || madeUp)
      if (hashed === 'busy') return busy()
      const reset = { tokenHash: hashOf(token), email, passwordHash: hashed.hash, now: nowSeconds() }
      const user = await resetPassword(db, reset)
      return user === undefined ? { code: 'reset_link_invalid' } : { username: user.username, password: madeUp }
    },
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
