import type { BodyInput } from '@sluice/contract/route'
import { deleteOwnKey, listOwnKeys, type OwnKey, putOwnKey } from '@sluice/contract/routes/own-keys'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Control } from 'react-hook-form'
import * as v from 'valibot'
import { successOf, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button, IconButton } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { CheckboxField, SelectField, TextField } from '~/ui/form/form-fields.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { EditIcon, TrashIcon } from '~/ui/icons.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { Time } from '~/ui/time.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useChange } from '~/ui/use-change.ts'
import { ownKeyTexts } from '../texts/own-key-texts.ts'
import { type StepUpField, stepUpOf, StepUpDialog } from './ask-dialog.tsx'
import { SectionCard } from './section-card.tsx'

const OWN_KEYS = ['account', 'own-keys'] as const

export function OwnKeySection() {
  const t = useTexts(ownKeyTexts)
  const call = useCall()
  const cache = useQueryClient()
  const [edited, setEdited] = useState<OwnKey | 'new'>()
  const query = useQuery({
    queryKey: OWN_KEYS,
    queryFn: async ({ signal }) => successOf(await call(listOwnKeys, { signal })).data,
  })
  const { keys = [], vendors = [] } = query.data ?? {}
  const free = vendors.filter((vendor) => !keys.some((key) => key.vendor === vendor))
  const refresh = () => cache.invalidateQueries({ queryKey: OWN_KEYS })
  return (
    <SectionCard id="own-keys" title={t.title} text={t.text}>
      <LoadFailure query={query} text={t.failed} />
      {query.isPending && <Skeleton className="h-5 w-64" />}
      {query.data !== undefined && keys.length === 0 && (
        <p className="text-muted text-sm">{vendors.length === 0 ? t.unused : t.none}</p>
      )}
      {keys.length > 0 && (
        <ul aria-label={t.title} className="divide-line -my-2 divide-y">
          {keys.map((key) => (
            <OwnKeyRow key={key.id} ownKey={key} onEdit={() => setEdited(key)} />
          ))}
        </ul>
      )}
      {free.length > 0 && (
        <div>
          <Button onClick={() => setEdited('new')}>{t.add}</Button>
        </div>
      )}
      {edited !== undefined && (
        <OwnKeyDialog
          ownKey={edited === 'new' ? undefined : edited}
          vendors={free}
          onSaved={refresh}
          onClose={() => setEdited(undefined)}
        />
      )}
    </SectionCard>
  )
}

interface OwnKeyRowProps {
  readonly ownKey: OwnKey
  readonly onEdit: () => void
}

function OwnKeyRow({ ownKey, onEdit }: OwnKeyRowProps) {
  const t = useTexts(ownKeyTexts)
  const call = useCall()
  const confirm = useConfirm()
  const { id, vendor, label, fingerprint, fallback, created_at: created } = ownKey
  const removal = useChange({
    send: () => call(deleteOwnKey, { params: { id } }),
    failed: t.removeFailed,
    done: t.removed,
    stale: [OWN_KEYS],
  })
  const askToRemove = () =>
    confirm({
      title: t.removeTitle,
      text: t.removeText(vendor),
      confirm: t.remove,
      busy: t.removing,
      danger: true,
      run: removal.run,
    })
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 grow">
        <p className="text-sm font-medium wrap-anywhere">{label === '' ? vendor : `${vendor} · ${label}`}</p>
        <p className="text-muted text-xs">
          <code>{fingerprint}</code>
          {' · '}
          {t.added} <Time at={created} />
        </p>
        <p className="text-muted text-xs">{fallback ? t.fallsBack : t.ownOnly}</p>
      </div>
      <IconButton label={t.editOf(vendor)} onClick={onEdit}>
        <EditIcon />
      </IconButton>
      <IconButton label={t.removeOf(vendor)} onClick={askToRemove}>
        <TrashIcon />
      </IconButton>
    </li>
  )
}

type PutBody = BodyInput<typeof putOwnKey>

interface OwnKeyDialogProps {
  /** Undefined for a new key. */
  readonly ownKey: OwnKey | undefined
  readonly vendors: readonly string[]
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

function OwnKeyDialog({ ownKey, vendors, onSaved, onClose }: OwnKeyDialogProps) {
  const t = useTexts(ownKeyTexts)
  const call = useCall()
  const toasts = useToasts()
  const { vendor = vendors[0] ?? '', label = '', fallback = false } = ownKey ?? {}
  const [stepUp, setStepUp] = useState<{ readonly asked: StepUpField; readonly body: PutBody }>()
  const put = async (body: PutBody): Promise<string> => {
    const reply = await call(putOwnKey, { body })
    if (!reply.ok) {
      const asked = stepUpOf(reply)
      if (asked === undefined) return reply.message || t.saveFailed
      setStepUp({ asked, body })
      return ''
    }
    toasts.show({ tone: 'good', title: t.saved })
    await onSaved()
    onClose()
    return ''
  }
  const start = { vendor, label, key: '', fallback }
  const form = useSchemaForm(ownKeySchema(t, ownKey === undefined), start, ({ key, ...settings }) =>
    put(key === '' ? settings : { ...settings, key }),
  )
  if (stepUp !== undefined) {
    return (
      <StepUpDialog
        asked={stepUp.asked}
        text={t.stepUpText}
        onSubmit={(given) => put({ ...stepUp.body, ...given })}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={ownKey === undefined ? t.add : t.editOf(vendor)}
      form={form}
      submit={t.save}
      busyLabel={t.saving}
      onClose={onClose}
    >
      <OwnKeyFields control={form.form.control} vendors={ownKey === undefined ? vendors : undefined} />
    </FormDialog>
  )
}

type OwnKeyValues = v.InferOutput<ReturnType<typeof ownKeySchema>>

/** A stored key stays when none is entered. */
function ownKeySchema(t: typeof ownKeyTexts.en, isNew: boolean) {
  const trimmed = v.pipe(v.string(), v.trim())
  return v.object({
    vendor: v.string(),
    label: v.pipe(trimmed, v.maxLength(64, t.labelLong)),
    key: v.pipe(
      trimmed,
      v.check((key) => key.length >= 8 || (key === '' && !isNew), t.keyShort),
    ),
    fallback: v.boolean(),
  })
}

interface OwnKeyFieldsProps {
  readonly control: Control<OwnKeyValues, unknown, OwnKeyValues>
  /** Undefined for a stored key. */
  readonly vendors: readonly string[] | undefined
}

function OwnKeyFields({ control, vendors }: OwnKeyFieldsProps) {
  const t = useTexts(ownKeyTexts)
  return (
    <>
      {vendors !== undefined && (
        <SelectField
          control={control}
          name="vendor"
          label={t.vendor}
          options={vendors.map((name) => ({ value: name, label: name }))}
        />
      )}
      <TextField
        control={control}
        name="key"
        label={t.key}
        hint={vendors === undefined ? t.keepHint : t.keyHint}
        type="password"
        autoComplete="off"
        mono
        data-first-focus
      />
      <TextField control={control} name="label" label={t.label} hint={t.labelHint} />
      <CheckboxField control={control} name="fallback" label={t.fallback} hint={t.fallbackHint} />
    </>
  )
}
