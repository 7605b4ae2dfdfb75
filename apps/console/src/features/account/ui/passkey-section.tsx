import { deletePasskey, renamePasskey } from '@sluice/contract/routes/passkeys'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { isWorthTelling, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, IconButton } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { EditIcon, TrashIcon } from '~/ui/icons.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { Time } from '~/ui/time.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useChange } from '~/ui/use-change.ts'
import { addPasskey, canMakePasskeys, type Passkey, passkeyListQuery, PASSKEYS } from '../calls.ts'
import { deviceOf } from '../model/user-agent.ts'
import { signInTexts } from '../texts/sign-in-texts.ts'
import { AskDialog } from './ask-dialog.tsx'
import { SectionCard } from './section-card.tsx'

export function PasskeySection() {
  const t = useTexts(signInTexts)
  const query = useQuery(passkeyListQuery(useCall()))
  const [adding, setAdding] = useState(false)
  return (
    <SectionCard id="passkeys" title={t.passkeys} text={t.passkeysText}>
      <LoadFailure query={query} text={t.passkeysFailed} />
      {query.isPending && <Skeleton className="h-5 w-64" />}
      {query.data?.length === 0 && <p className="text-muted text-sm">{t.noPasskeys}</p>}
      {query.data !== undefined && query.data.length > 0 && (
        <ul aria-label={t.passkeys} className="divide-line -my-2 divide-y">
          {query.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {canMakePasskeys() ? (
        <div>
          <Button onClick={() => setAdding(true)}>{t.addPasskey}</Button>
        </div>
      ) : (
        <p className="text-muted text-xs">{t.passkeysUnsupported}</p>
      )}
      {adding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
    </SectionCard>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const t = useTexts(signInTexts)
  const [renaming, setRenaming] = useState(false)
  const { credential_name: name } = passkey
  const remove = useRemoval(passkey)
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 grow">
        <p className="text-sm font-medium wrap-anywhere">{name}</p>
        <p className="text-muted text-xs">
          {t.created} <Time at={passkey.created_at} />
          {' · '}
          {passkey.last_used_at === 0 ? (
            t.neverUsed
          ) : (
            <>
              {t.lastUsed} <Time at={passkey.last_used_at} />
            </>
          )}
        </p>
      </div>
      <IconButton label={t.renameOf(name)} onClick={() => setRenaming(true)}>
        <EditIcon />
      </IconButton>
      <IconButton label={t.removeOf(name)} onClick={remove}>
        <TrashIcon />
      </IconButton>
      {renaming && <RenameDialog passkey={passkey} onClose={() => setRenaming(false)} />}
    </li>
  )
}

function useRemoval({ id, credential_name: name }: Passkey): () => void {
  const t = useTexts(signInTexts)
  const call = useCall()
  const confirm = useConfirm()
  const removal = useChange({
    send: () => call(deletePasskey, { params: { id } }),
    failed: t.removeFailed,
    done: t.removed,
    // Removing a passkey also ends sessions.
    stale: [['account']],
  })
  return () =>
    confirm({
      title: t.removeTitle,
      text: t.removeText(name),
      confirm: t.remove,
      busy: t.removing,
      danger: true,
      run: removal.run,
    })
}

function RenameDialog({ passkey: { id, credential_name: name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useTexts(signInTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const rename = async (credential_name: string) => {
    const reply = await call(renamePasskey, { params: { id }, body: { credential_name } })
    if (!reply.ok) return reply.message || t.renameFailed
    toasts.show({ tone: 'good', title: t.renamed })
    await cache.invalidateQueries({ queryKey: PASSKEYS })
    onClose()
    return ''
  }
  return (
    <AskDialog
      title={t.renameTitle}
      field={t.passkeyName}
      start={name}
      rule={nameRule(t)}
      submit={t.save}
      busyLabel={t.saving}
      onSubmit={rename}
      onClose={onClose}
    />
  )
}

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(signInTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const { browser, system } = deviceOf(navigator.userAgent)
  const add = async (name: string) => {
    const outcome = await addPasskey(call, name)
    if (outcome === 'cancelled') return t.passkeyCancelled
    if (outcome === 'known') return t.passkeyKnown
    if (outcome === 'failed') return t.passkeyFailed
    if (outcome !== 'added') return isWorthTelling(outcome) ? outcome.message || t.passkeyFailed : ''
    toasts.show({ tone: 'good', title: t.passkeyAdded })
    await cache.invalidateQueries({ queryKey: ['account'] })
    onClose()
    return ''
  }
  return (
    <AskDialog
      title={t.addTitle}
      text={t.addText}
      field={t.passkeyName}
      hint={t.passkeyNameHint}
      start={browser !== '' && system !== '' ? t.device(browser, system) : t.thisDevice}
      rule={nameRule(t)}
      submit={t.continue}
      busyLabel={t.waiting}
      onSubmit={add}
      onClose={onClose}
    />
  )
}

function nameRule(t: { readonly passkeyNameRequired: string; readonly passkeyNameLong: string }) {
  return v.pipe(v.string(), v.trim(), v.minLength(1, t.passkeyNameRequired), v.maxLength(128, t.passkeyNameLong))
}
