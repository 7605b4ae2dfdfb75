import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { FormSection, FormShell } from '~/ui/form/form-shell.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import {
  type RedemptionFormInput,
  redemptionFormSchema,
  type RedemptionFormValues,
} from '../model/redemption-form-values.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import { RedemptionFields } from './redemption-fields.tsx'

interface RedemptionFormProps {
  readonly start: RedemptionFormInput
  readonly isNew: boolean
  /** It is a code that expires. */
  readonly hasExpiry?: boolean
  /** Saves; returns what went wrong, or an empty text. */
  readonly onSave: (values: RedemptionFormValues) => Promise<string>
}

export function RedemptionForm({ start, isNew, hasExpiry = false, onSave }: RedemptionFormProps) {
  const t = useTexts(redemptionTexts)
  const navigate = useNavigate()
  const { form, error, busy, onSubmit } = useSchemaForm(redemptionFormSchema(t), start, onSave)
  const saving = isNew ? t.creating : t.updating
  return (
    <FormShell
      onSubmit={onSubmit}
      error={error}
      busy={busy}
      submitLabel={busy ? saving : isNew ? t.create : t.update}
      onCancel={() => void navigate({ to: '/redemptions' })}
    >
      <FormSection title={t.about} text={isNew ? t.aboutNew : t.aboutStored}>
        <RedemptionFields control={form.control} isNew={isNew} hasExpiry={hasExpiry} />
      </FormSection>
    </FormShell>
  )
}
