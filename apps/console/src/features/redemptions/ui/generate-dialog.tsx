import { useTexts } from '~/lib/i18n/i18n.ts'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { NEW_CODES, redemptionFormSchema } from '../model/redemption-form-values.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import { RedemptionFields } from './redemption-fields.tsx'
import { useMakeCodes } from './use-make-codes.ts'

/** Generates codes without leaving the list, which shows them when this closes. */
export function GenerateDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(redemptionTexts)
  const make = useMakeCodes()
  const entry = useSchemaForm(redemptionFormSchema(t), NEW_CODES, async (values) => {
    const problem = await make(values)
    if (problem === '') onClose()
    return problem
  })
  return (
    <FormDialog title={t.generate} form={entry} submit={t.create} busyLabel={t.creating} onClose={onClose}>
      <RedemptionFields control={entry.form.control} isNew inDialog />
    </FormDialog>
  )
}
