import { createRedemptions } from '@sluice/contract/routes/redemptions'
import { useQueryClient } from '@tanstack/react-query'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSubmitFailure } from '~/ui/form/submit-failure.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { MADE_CODES, type MadeCodes } from '../model/made-codes.ts'
import type { RedemptionFormValues } from '../model/redemption-form-values.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'

/** Generates codes and leaves them for the list, which shows them once. Returns what went wrong, or an empty text. */
export function useMakeCodes(): (values: RedemptionFormValues) => Promise<string> {
  const t = useTexts(redemptionTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  return async ({ name, quota, count }) => {
    const reply = await call(createRedemptions, { body: { name, quota, count } })
    if (!reply.ok) return failed(reply)
    cache.setQueryData<MadeCodes>(MADE_CODES, { name, codes: reply.data })
    await cache.invalidateQueries({ queryKey: ['redemptions'] })
    toasts.show({ tone: 'good', title: t.created })
    return ''
  }
}
