import * as v from 'valibot'
import { defineRoute } from '../route.ts'

const sixDigits = v.pipe(v.string(), v.trim(), v.regex(/^\d{6}$/, 'Enter a valid 6-digit code'))
/** Six digits or a recovery code. */
const anyCode = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'Please enter the TOTP code to disable'),
  v.maxLength(40, 'is too long for a code'),
)
/** Shown only once; each replaces a TOTP code once. */
const recoveryCodes = v.object({ recovery_codes: v.array(v.string()) })

export const totpStatus = defineRoute({
  method: 'GET',
  changes: false,
  path: '/api/user/totp/status',
  access: 'account.own',
  summary: 'Whether sign-in asks for a TOTP code',
  data: v.object({
    totp_enabled: v.boolean(),
    /** Absent on servers without recovery codes. */
    recovery_codes_left: v.optional(v.number()),
  }),
})
export const totpSetup = defineRoute({
  method: 'GET',
  changes: true,
  path: '/api/user/totp/setup',
  access: 'account.own',
  summary: 'Start the TOTP setup with a new secret, to be confirmed within ten minutes',
  /** `qr_code` is an `otpauth://totp/…` address, which the console draws. */
  data: v.object({ secret: v.string(), qr_code: v.string() }),
})
export const totpConfirm = defineRoute({
  method: 'POST',
  path: '/api/user/totp/confirm',
  access: 'account.own',
  summary: 'Enable TOTP with a code from the new secret; ends every other session',
  body: v.object({ totp_code: sixDigits }),
  data: recoveryCodes,
  confirmed: true,
})
export const totpDisable = defineRoute({
  method: 'POST',
  path: '/api/user/totp/disable',
  access: 'account.own',
  summary: 'Disable TOTP with a code or a recovery code; ends every other session',
  body: v.object({ totp_code: anyCode }),
})
export const renewRecoveryCodes = defineRoute({
  method: 'POST',
  path: '/api/user/totp/recovery',
  access: 'account.own',
  summary: 'Replace the recovery codes',
  body: v.object({ totp_code: sixDigits }),
  data: recoveryCodes,
})
export const disableTotpOf = defineRoute({
  method: 'POST',
  path: '/api/user/totp/disable/:id',
  access: 'users.manage',
  summary: 'Disable TOTP for a user who has lost their device',
})
