import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Page } from '~/ui/page.tsx'
import { NEW_CODES } from '../model/redemption-form-values.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import { RedemptionForm } from './redemption-form.tsx'
import { useMakeCodes } from './use-make-codes.ts'

/** New codes; once generated, they are shown over the list. */
export function RedemptionCreatePage() {
  const t = useTexts(redemptionTexts)
  const navigate = useNavigate()
  const make = useMakeCodes()
  return (
    <Page title={t.createTitle} width="narrow">
      <RedemptionForm
        start={NEW_CODES}
        isNew
        onSave={async (values) => {
          const problem = await make(values)
          if (problem === '') await navigate({ to: '/redemptions' })
          return problem
        }}
      />
    </Page>
  )
}
