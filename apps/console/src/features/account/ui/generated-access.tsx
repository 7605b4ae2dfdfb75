import { invitationCode, renewAccessToken } from '@sluice/contract/routes/account'
import { useState } from 'react'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { publicAddressOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { Notice } from '~/ui/notice.tsx'
import { useChange } from '~/ui/use-change.ts'
import { accountTexts } from '../texts/account-texts.ts'
import { SecretValue } from './secret-value.tsx'
import { SectionCard } from './section-card.tsx'

/** What was generated last: one at a time, so that a token does not stay visible while a link is copied for someone else. */
type Generated = { readonly kind: 'token' | 'invitation'; readonly text: string }

/** The access token for the management API and the invitation link, which replace each other's display. */
export function GeneratedAccess() {
  const t = useTexts(accountTexts)
  const call = useCall()
  const confirm = useConfirm()
  const { server_address } = useSystemStatus()
  const [generated, setGenerated] = useState<Generated>()
  const token = useChange({
    send: () => call(renewAccessToken, {}),
    failed: t.tokenFailed,
    onDone: ({ data }) => setGenerated({ kind: 'token', text: data }),
  })
  const invitation = useChange({
    send: () => call(invitationCode, {}),
    failed: t.invitationFailed,
    onDone: ({ data }) => setGenerated({ kind: 'invitation', text: invitationLink(server_address, data) }),
  })
  const askForToken = () =>
    confirm({
      title: t.tokenTitle,
      text: t.tokenText,
      confirm: t.tokenConfirm,
      busy: t.tokenBusy,
      run: token.run,
    })
  useCommand({ id: 'account.token', label: t.generateToken, group: t.commands, run: askForToken })
  useCommand({
    id: 'account.invitation',
    label: t.generateInvitation,
    group: t.commands,
    run: () => void invitation.run(),
  })
  return (
    <SectionCard id="access" title={t.access} text={t.accessText}>
      <div className="flex flex-wrap gap-2">
        <Button onClick={askForToken}>{t.generateToken}</Button>
        <Button busy={invitation.busy} onClick={() => void invitation.run()}>
          {t.generateInvitation}
        </Button>
      </div>
      <div aria-live="polite" className="flex flex-col gap-3 empty:hidden">
        {generated?.kind === 'token' && (
          <>
            <SecretValue label={t.accessToken} text={generated.text} copyLabel={t.copyToken} />
            <Notice tone="info">{t.tokenWarning}</Notice>
          </>
        )}
        {generated?.kind === 'invitation' && (
          <>
            <SecretValue label={t.invitationLink} text={generated.text} copyLabel={t.copyInvitation} />
            <p className="text-muted text-xs">{t.invitationHint}</p>
          </>
        )}
      </div>
    </SectionCard>
  )
}

/** The link that carries an invitation code to the registration form. */
export function invitationLink(serverAddress: string, code: string, loadedFrom?: string): string {
  return `${publicAddressOf(serverAddress, loadedFrom)}/register?aff=${encodeURIComponent(code)}`
}
