import { ROLE } from '@sluice/contract/capability'
import { deleteSelf } from '@sluice/contract/routes/account'
import type { User } from '@sluice/contract/user'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSession } from '~/lib/session/use-session.ts'
import { Button } from '~/ui/button.tsx'
import { accountTexts } from '../texts/account-texts.ts'
import { AskDialog } from './ask-dialog.tsx'
import { SectionCard } from './section-card.tsx'

/** Deletes the user's own account. Typing one's own name guards against deleting it by mistake. */
export function DeleteAccount({ account }: { account: User | undefined }) {
  const t = useTexts(accountTexts)
  const [open, setOpen] = useState(false)
  return (
    <SectionCard id="delete" title={t.deletion} text={t.deletionText}>
      {account !== undefined && account.role >= ROLE.root ? (
        <p className="text-muted text-sm">{t.deletionRoot}</p>
      ) : (
        <div>
          <Button disabled={account === undefined} onClick={() => setOpen(true)}>
            {t.deleteAccount}
          </Button>
        </div>
      )}
      {open && account !== undefined && <DeleteDialog username={account.username} onClose={() => setOpen(false)} />}
    </SectionCard>
  )
}

function DeleteDialog({ username, onClose }: { username: string; onClose: () => void }) {
  const t = useTexts(accountTexts)
  const call = useCall()
  const session = useSession()
  const navigate = useNavigate()
  const remove = async () => {
    const reply = await call(deleteSelf, {})
    if (!reply.ok) return reply.message || t.deleteFailed
    session.signOut()
    await navigate({ to: '/login', replace: true, state: { notice: t.deleted } })
    return ''
  }
  return (
    <AskDialog
      title={t.deleteTitle}
      text={t.deleteText}
      field={t.deleteName(username)}
      rule={v.pipe(v.string(), v.trim(), v.literal(username, t.deleteMismatch))}
      submit={t.deleteConfirm}
      busyLabel={t.deleteBusy}
      danger
      onSubmit={remove}
      onClose={onClose}
    />
  )
}
