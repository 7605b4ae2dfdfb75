import { updateChannel } from '@sluice/contract/routes/channels'
import { useState } from 'react'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { Field } from '~/ui/field.tsx'
import { SecretBox } from '~/ui/form/secret-box.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useTellFailure } from '~/ui/toast/use-tell-failure.ts'
import { useRefreshKeys } from './use-refresh-keys.ts'

/** Adds what is typed to the keys of the channel. */
export function AddKeys({ id }: { id: number }) {
  const t = useTexts(keyTexts)
  const call = useCall()
  const toasts = useToasts()
  const tell = useTellFailure()
  const refresh = useRefreshKeys()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const add = async () => {
    setBusy(true)
    const reply = await call(updateChannel, { query: {}, body: { id, key: text, key_mode: 'append' } })
    setBusy(false)
    if (!reply.ok) return tell(t.addFailed, reply)
    const repeated = reply.extra.duplicate_keys
    toasts.show({
      tone: 'good',
      title: t.addedNow,
      ...(repeated > 0 && { text: t.repeated(formatCount(repeated)) }),
    })
    setText('')
    await refresh()
  }
  return (
    <form
      className="flex grow items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') void add()
      }}
    >
      <div className="grow">
        <Field label={t.addLabel}>
          {(ids) => <SecretBox {...ids} value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
      </div>
      <Button type="submit" busy={busy} disabled={text.trim() === ''}>
        {t.add}
      </Button>
    </form>
  )
}
