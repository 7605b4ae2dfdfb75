import { createRedemptions } from '@sluice/contract/routes/redemptions'
import { useQueryClient } from '@tanstack/react-query'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSubmitFailure } from '~/ui/form/use-schema-form.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import type { RedemptionFormValues } from '../model/redemption-form-values.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'

/** The reply of the generate call, passed from the form to the dialog that shows it; in memory only, because codes are money. */
export interface MadeCodes {
  readonly name: string
  readonly codes: readonly string[]
}

/** Key of `MadeCodes` in the query cache. */
export const MADE_CODES = ['redemptions-made'] as const

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
