import type { Data } from '@sluice/contract/route'
import { renewRecoveryCodes, totpConfirm, totpDisable, type totpSetup } from '@sluice/contract/routes/totp'
import { encode } from 'uqr'
import * as v from 'valibot'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { Notice } from '~/ui/notice.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { signInTexts, type en } from '../texts/sign-in-texts.ts'
import { AskDialog, type AskDialogProps } from './ask-dialog.tsx'
import { SecretValue } from './section-card.tsx'

export type TotpSetup = Data<typeof totpSetup>

/** In characters. The squares of a longer address are too small for a phone to read from a screen. */
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

type Texts = Pick<Translation<typeof en>, 'badCode' | 'codeRequired'>

/** Exactly six digits. Spaces, which some apps show, are removed. */
export function appCode(t: Texts) {
  return v.pipe(
    v.string(),
    v.transform((text) => text.replaceAll(/\s/g, '')),
    v.regex(/^\d{6}$/, t.badCode),
  )
}

export function disablingCode(t: Texts) {
  return v.pipe(v.string(), v.trim(), v.minLength(1, t.codeRequired), v.maxLength(40, t.badCode))
}

/** In groups of four, as people type it. */
export function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}

/** Margin that scanners need, in squares. */
const MARGIN = 4

/** A QR code, dark on white in both themes: many scanners read nothing else. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: MARGIN })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 self-center rounded-md bg-white forced-color-adjust-none"
    >
      <path d={darkSquares(data)} fill="black" />
    </svg>
  )
}

/** Path of an SVG whose unit is one square. */
function darkSquares(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
}
