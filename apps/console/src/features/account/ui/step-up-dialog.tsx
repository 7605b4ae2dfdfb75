import * as v from 'valibot'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { StepUpField } from '../model/step-up.ts'
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
