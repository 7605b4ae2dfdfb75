import { totpSetup } from '@sluice/contract/routes/totp'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { saveFile } from '~/lib/dom/save-file.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button } from '~/ui/button.tsx'
import { CopyButton } from '~/ui/copy-button.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { useChange } from '~/ui/use-change.ts'
import { totpStatusQuery } from '../calls.ts'
import { signInTexts } from '../texts/sign-in-texts.ts'
import { COPIED_MS, SectionCard } from './section-card.tsx'
import { DisableTotpDialog, RenewCodesDialog, SetupTotpDialog, type TotpSetup } from './totp-dialogs.tsx'

type Open =
  | { readonly dialog: 'setup'; readonly setup: TotpSetup }
  | { readonly dialog: 'codes'; readonly codes: readonly string[] }
  | { readonly dialog: 'disable' | 'renew' }

export function TotpSection() {
  const t = useTexts(signInTexts)
  const call = useCall()
  const cache = useQueryClient()
  const query = useQuery(totpStatusQuery(call))
  const [open, setOpen] = useState<Open>()
  const begin = useChange({
    send: () => call(totpSetup, {}),
    failed: t.setupFailed,
    onDone: ({ data }) => setOpen({ dialog: 'setup', setup: data }),
  })
  const close = () => setOpen(undefined)
  /** Switching two-factor sign-in on or off also ends sessions. */
  const refresh = () => cache.invalidateQueries({ queryKey: ['account'] })
  const showCodes = async (codes: readonly string[]) => {
    setOpen(codes.length === 0 ? undefined : { dialog: 'codes', codes })
    await refresh()
  }
  return (
    <SectionCard id="totp" title={t.title} text={t.text}>
      <LoadFailure query={query} text={t.loadFailed} />
      {query.isPending && <Skeleton className="h-8 w-64" />}
      {query.data?.totp_enabled === false && (
        <div className="flex flex-wrap items-center gap-3">
          <Badge tone="neutral">{t.off}</Badge>
          <Button busy={begin.busy} onClick={() => void begin.run()}>
            {t.setUp}
          </Button>
        </div>
      )}
      {query.data?.totp_enabled === true && (
        <>
          <div className="flex flex-wrap items-center gap-3">
            <Badge tone="good">{t.on}</Badge>
            <Button onClick={() => setOpen({ dialog: 'disable' })}>{t.disable}</Button>
            <Button onClick={() => setOpen({ dialog: 'renew' })}>{t.renewCodes}</Button>
          </div>
          {query.data.recovery_codes_left !== undefined && <CodesLeft count={query.data.recovery_codes_left} />}
        </>
      )}
      {open?.dialog === 'setup' && <SetupTotpDialog setup={open.setup} onCodes={showCodes} onClose={close} />}
      {open?.dialog === 'codes' && <RecoveryCodesDialog codes={open.codes} onClose={close} />}
      {open?.dialog === 'disable' && <DisableTotpDialog onDisabled={refresh} onClose={close} />}
      {open?.dialog === 'renew' && <RenewCodesDialog onCodes={showCodes} onClose={close} />}
    </SectionCard>
  )
}

function CodesLeft({ count }: { count: number }) {
  const t = useTexts(signInTexts)
  if (count === 0) return <Notice tone="bad">{t.noCodesLeft}</Notice>
  return <p className="text-muted text-sm">{count === 1 ? t.oneCodeLeft : t.codesLeft(String(count))}</p>
}

function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTexts(signInTexts)
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog
      title={t.recoveryTitle}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t.saved}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-muted text-sm">{t.recoveryText}</p>
        <ul
          aria-label={t.recoveryTitle}
          className="border-line bg-subtle grid gap-x-4 gap-y-1 rounded-md border p-3 font-mono text-sm select-all sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Notice tone="info">{t.recoveryOnce}</Notice>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={text} label={t.copyCodes} shownFor={COPIED_MS} wide />
          <Button size="small" onClick={() => saveFile(t.fileName, text, 'text/plain')}>
            {t.downloadCodes}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
