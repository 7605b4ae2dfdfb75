import type { Failure } from '~/lib/http/call.ts'

/** Field of a call with which users prove that the account is theirs. */
export type StepUpField = 'current_password' | 'totp_code'

const FLAGS: readonly (readonly [flag: string, field: StepUpField])[] = [
  ['password_required', 'current_password'],
  ['totp_required', 'totp_code'],
]

/** The field that a refused change requires; undefined when it was refused for another reason, or requires a new sign-in. */
export function stepUpOf({ code, data }: Failure): StepUpField | undefined {
  if (code !== 'step_up_required' || typeof data !== 'object' || data === null) return undefined
  return FLAGS.find(([flag]) => flag in data)?.[1]
}
