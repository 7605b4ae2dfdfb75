import { useId } from 'react'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useSchemaForm } from '../../../ui/form/use-schema-form.ts'
import { Notice } from '../../../ui/notice.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { NEW_CODES, redemptionFormSchema } from '../model/redemption-form.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import { RedemptionFields } from './redemption-fields.tsx'
import { useMakeCodes } from './use-make-codes.ts'

/** Makes codes without leaving the list, which shows them when this closes. */
export function GenerateDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(redemptionTexts)
  const ui = useTexts(uiTexts)
  const make = useMakeCodes()
  const formId = useId()
  const { form, error, busy, onSubmit } = useSchemaForm(redemptionFormSchema(t), NEW_CODES, async (values) => {
    const problem = await make(values)
    if (problem === '') onClose()
    return problem
  })
  return (
    <Dialog
      title={t.generate}
      onClose={() => {
        if (!busy) onClose()
      }}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {ui.cancel}
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            {busy ? t.creating : t.create}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== '' && <Notice tone="bad">{error}</Notice>}
        <RedemptionFields control={form.control} isNew inDialog />
      </form>
    </Dialog>
  )
}
