import type { BodyInput } from '@sluice/contract/route'
import { type OwnKey, putOwnKey } from '@sluice/contract/routes/own-keys'
import { useState } from 'react'
import * as v from 'valibot'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { CheckboxField, SelectField, TextField } from '~/ui/form/form-fields.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { type StepUpField, stepUpOf } from '../model/step-up.ts'
import { ownKeyTexts } from '../texts/own-key-texts.ts'
import { StepUpDialog } from './step-up-dialog.tsx'

type PutBody = BodyInput<typeof putOwnKey>

interface OwnKeyDialogProps {
  /** The key that is changed; undefined adds one. */
  readonly ownKey: OwnKey | undefined
  /** Those that a key can be added for. */
  readonly vendors: readonly string[]
  readonly onSaved: () => Promise<void>
  readonly onClose: () => void
}

export function OwnKeyDialog({ ownKey, vendors, onSaved, onClose }: OwnKeyDialogProps) {
  const t = useTexts(ownKeyTexts)
  const call = useCall()
  const toasts = useToasts()
  const trimmed = v.pipe(v.string(), v.trim())
  const schema = v.object({
    vendor: v.string(),
    label: v.pipe(trimmed, v.maxLength(64, t.labelLong)),
    key: v.pipe(
      trimmed,
      v.check((key) => key.length >= 8 || (key === '' && ownKey !== undefined), t.keyShort),
    ),
    fallback: v.boolean(),
  })
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
  const form = useSchemaForm(schema, { vendor, label, key: '', fallback }, ({ key, ...settings }) =>
    put(key === '' ? settings : { ...settings, key }),
  )
  const { control } = form.form
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
      {ownKey === undefined && (
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
        hint={ownKey === undefined ? t.keyHint : t.keepHint}
        type="password"
        autoComplete="off"
        mono
        data-first-focus
      />
      <TextField control={control} name="label" label={t.label} hint={t.labelHint} />
      <CheckboxField control={control} name="fallback" label={t.fallback} hint={t.fallbackHint} />
    </FormDialog>
  )
}
