import type { Failure } from '../../../lib/http/call.ts'

/** Field of a call by which somebody shows that they are the person of the account. */
export type StepUpField = 'current_password' | 'totp_code'

const FLAGS: readonly (readonly [flag: string, field: StepUpField])[] = [
  ['password_required', 'current_password'],
  ['totp_required', 'totp_code'],
]

/** What a refused change asks for; undefined when it was refused for another reason, or takes a new sign-in. */
export function stepUpOf({ code, data }: Failure): StepUpField | undefined {
  if (code !== 'step_up_required' || typeof data !== 'object' || data === null) return undefined
  return FLAGS.find(([flag]) => flag in data)?.[1]
}
