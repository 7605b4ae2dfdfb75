import type { Data } from '@sluice/contract/route'
import { renewRecoveryCodes, totpConfirm, totpDisable, type totpSetup } from '@sluice/contract/routes/totp'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Notice } from '~/ui/notice.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { appCode, disablingCode, grouped } from '../model/totp-form.ts'
import { signInTexts } from '../texts/sign-in-texts.ts'
import { AskDialog, type AskDialogProps } from './ask-dialog.tsx'
import { QrCode } from './qr-code.tsx'
import { SecretValue } from './secret-value.tsx'

export type TotpSetup = Data<typeof totpSetup>

/** Number of characters in an address beyond which the squares are too small for a phone to read from a screen. */
const LONGEST_QR_TEXT = 600

function AppCodeDialog(props: Omit<AskDialogProps, 'field' | 'rule' | 'input' | 'mono'>) {
  const t = useTexts(signInTexts)
  const input = { autoComplete: 'one-time-code', inputMode: 'numeric' } as const
  return <AskDialog {...props} field={t.code} rule={appCode(t)} input={input} mono />
}

interface CodesProps {
  /** Called with new recovery codes, which are shown only this once; with none if the server has no such codes. */
  readonly onCodes: (codes: readonly string[]) => Promise<void>
  readonly onClose: () => void
}

/** The secret, as a picture and as text, and the code that proves that the app has it. */
export function SetupTotpDialog({ setup, onCodes, onClose }: CodesProps & { readonly setup: TotpSetup }) {
  const t = useTexts(signInTexts)
  const call = useCall()
  const toasts = useToasts()
  const confirm = async (code: string) => {
    const reply = await call(totpConfirm, { body: { totp_code: code } })
    if (!reply.ok) return reply.message || t.confirmFailed
    toasts.show({ tone: 'good', title: t.enabled })
    await onCodes(reply.data?.recovery_codes ?? [])
    return ''
  }
  return (
    <AppCodeDialog
      title={t.setupTitle}
      text={t.scan}
      hint={t.codeHint}
      submit={t.confirm}
      busyLabel={t.confirming}
      onSubmit={confirm}
      onClose={onClose}
    >
      {setup.qr_code.length > LONGEST_QR_TEXT ? (
        <Notice tone="info">{t.tooLong}</Notice>
      ) : (
        <QrCode text={setup.qr_code} label={t.qrCode} />
      )}
      <SecretValue label={t.byHand} text={setup.secret} shown={grouped(setup.secret)} copyLabel={t.copySecret} />
    </AppCodeDialog>
  )
}

interface DisableProps {
  readonly onDisabled: () => Promise<void>
  readonly onClose: () => void
}

/** Asks for a code, so that someone who merely found the session open cannot switch two-factor sign-in off. */
export function DisableTotpDialog({ onDisabled, onClose }: DisableProps) {
  const t = useTexts(signInTexts)
  const call = useCall()
  const toasts = useToasts()
  const disable = async (code: string) => {
    const reply = await call(totpDisable, { body: { totp_code: code } })
    if (!reply.ok) return reply.message || t.disableFailed
    toasts.show({ tone: 'good', title: t.disabled })
    await onDisabled()
    onClose()
    return ''
  }
  return (
    <AskDialog
      title={t.disableTitle}
      text={t.disableText}
      field={t.anyCode}
      rule={disablingCode(t)}
      input={{ autoComplete: 'one-time-code' }}
      mono
      submit={t.disable}
      busyLabel={t.disabling}
      danger
      onSubmit={disable}
      onClose={onClose}
    />
  )
}

export function RenewCodesDialog({ onCodes, onClose }: CodesProps) {
  const t = useTexts(signInTexts)
  const call = useCall()
  const renew = async (code: string) => {
    const reply = await call(renewRecoveryCodes, { body: { totp_code: code } })
    if (!reply.ok) return reply.message || t.renewFailed
    await onCodes(reply.data.recovery_codes)
    return ''
  }
  return (
    <AppCodeDialog
      title={t.renewTitle}
      text={t.renewText}
      submit={t.renew}
      busyLabel={t.renewing}
      onSubmit={renew}
      onClose={onClose}
    />
  )
}
