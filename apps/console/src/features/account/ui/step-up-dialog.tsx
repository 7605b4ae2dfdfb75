import * as v from 'valibot'
import type { Failure } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { accountTexts } from '../texts/account-texts.ts'
import { AskDialog } from './ask-dialog.tsx'

interface StepUpDialogProps {
  readonly asked: StepUpField
  /** Why it is asked. */
  readonly text: string
  /** Sends the change again with the proof; returns what went wrong, or an empty text. */
  readonly onSubmit: (given: Readonly<Partial<Record<StepUpField, string>>>) => Promise<string>
  readonly onClose: () => void
}

/** Asks for the password or a one-time code before a change that would open the account to others. */
export function StepUpDialog({ asked, text, onSubmit, onClose }: StepUpDialogProps) {
  const t = useTexts(accountTexts)
  const isPassword = asked === 'current_password'
  return (
    <AskDialog
      title={t.stepUpTitle}
      text={text}
      field={isPassword ? t.stepUpPassword : t.stepUpCode}
      rule={v.pipe(v.string(), v.trim(), v.minLength(1, isPassword ? t.stepUpPasswordMissing : t.stepUpCodeMissing))}
      input={isPassword ? { type: 'password', autoComplete: 'current-password' } : { autoComplete: 'one-time-code' }}
      mono={!isPassword}
      submit={t.stepUpConfirm}
      busyLabel={t.saving}
      onSubmit={(value) => onSubmit({ [asked]: value })}
      onClose={onClose}
    />
  )
}

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
