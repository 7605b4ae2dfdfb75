import { expect, it } from 'vitest'
import { stepUpOf } from './ask-dialog.tsx'

const refused = (code: string, data: unknown) =>
  stepUpOf({ ok: false, kind: 'refused', status: 200, message: 'no', code, data })

it('reads from a refusal which proof of identity is required', () => {
  expect(refused('step_up_required', { password_required: true })).toBe('current_password')
  expect(refused('step_up_required', { totp_required: true })).toBe('totp_code')
  expect(refused('step_up_required', { sign_in_required: true })).toBeUndefined()
  expect(refused('step_up_required', undefined)).toBeUndefined()
  expect(refused('email_taken', { totp_required: true })).toBeUndefined()
})
