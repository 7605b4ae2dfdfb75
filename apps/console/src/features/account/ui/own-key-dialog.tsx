import { type OwnKey, putOwnKey } from '@sluice/contract/routes/own-keys'
import * as v from 'valibot'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { CheckboxField, SelectField, TextField } from '../../../ui/form/form-fields.tsx'
import { useSchemaForm } from '../../../ui/form/use-schema-form.ts'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { ownKeyTexts } from '../texts/own-key-texts.ts'

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
  const asked = useSchemaForm(schema, { vendor, label, key: '', fallback }, async ({ key, ...settings }) => {
    const reply = await call(putOwnKey, { body: key === '' ? settings : { ...settings, key } })
    if (!reply.ok) return reply.message || t.saveFailed
    toasts.show({ tone: 'good', title: t.saved })
    await onSaved()
    onClose()
    return ''
  })
  const { control } = asked.form
  return (
    <FormDialog
      title={ownKey === undefined ? t.add : t.editOf(vendor)}
      form={asked}
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
