import { topUpUser } from '@sluice/contract/routes/users'
import { QUOTA_MAX } from '@sluice/contract/scalars'
import type { User } from '@sluice/contract/user'
import { useQueryClient } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import * as v from 'valibot'
import { formatCount, formatCurrency } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { NumberField, TextField } from '~/ui/form/form-fields.tsx'
import { useSubmitFailure, useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { QuotaEstimate } from '~/ui/quota/quota-amount.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { isUnlimited } from '../model/user-form-values.ts'
import { userTexts, type en } from '../texts/user-texts.ts'

export function TopUpDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useTexts(userTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  const display = useSystemStatus()
  const save = async ({ quota, remark }: TopUp) => {
    const reply = await call(topUpUser, { body: { user_id: user.id, quota, remark } })
    if (!reply.ok) return failed(reply)
    const text = t.toppedUpBy(user.username, formatCurrency(quota, display))
    toasts.show({ tone: 'good', title: t.toppedUp, text })
    onClose()
    await cache.invalidateQueries({ queryKey: ['users'] })
    return ''
  }
  const entry = useSchemaForm(topUpSchema(t), NO_TOP_UP, save)
  const { control, setValue, formState } = entry.form
  const quota = useWatch({ control, name: 'quota' })
  const enter = (amount: number) =>
    setValue('quota', Math.round(amount * display.quota_per_unit), { shouldValidate: formState.isSubmitted })
  return (
    <FormDialog
      title={t.topUpTitle(user.username)}
      form={entry}
      submit={t.topUp}
      busyLabel={t.toppingUp}
      onClose={onClose}
    >
      <NumberField
        control={control}
        name="quota"
        label={t.topUpQuota}
        hint={<QuotaEstimate control={control} name="quota" />}
        min={0}
        step={1}
        data-first-focus
      />
      <div role="group" aria-label={t.quickAmounts} className="flex flex-wrap gap-1">
        {QUICK_AMOUNTS.map((amount) => (
          <Button key={amount} size="small" onClick={() => enter(amount)}>
            ${amount}
          </Button>
        ))}
      </div>
      <TextField control={control} name="remark" label={t.remark} hint={t.remarkHint} autoComplete="off" />
      <Balance quota={user.quota} added={Number.isFinite(quota) ? quota : 0} />
    </FormDialog>
  )
}

function Balance({ quota, added }: { quota: number; added: number }) {
  const t = useTexts(userTexts)
  const display = useSystemStatus()
  const amount = (points: number) =>
    isUnlimited(points) ? t.unlimited : `${formatCurrency(points, display)} (${formatCount(points)})`
  return (
    <dl className="border-line grid grid-cols-2 gap-y-1 border-t pt-3 text-sm tabular-nums">
      <dt className="text-muted">{t.balance}</dt>
      <dd className="text-end">{amount(quota)}</dd>
      <dt className="text-muted">{t.balanceAfter}</dt>
      <dd className="text-end font-medium">{amount(isUnlimited(quota) ? quota : quota + added)}</dd>
    </dl>
  )
}

/** Longest remark that the gateway stores. */
const LONGEST_REMARK = 200

/** Amounts offered as buttons, in currency units. */
const QUICK_AMOUNTS = [1, 5, 10, 50, 100] as const

export interface TopUp {
  quota: number
  remark: string
}

export const NO_TOP_UP: TopUp = { quota: Number.NaN, remark: '' }

export function topUpSchema(t: Translation<typeof en>): v.GenericSchema<TopUp, TopUp> {
  return v.object({
    quota: v.pipe(
      v.number(t.quotaNoNumber),
      v.minValue(0, t.quotaNegative),
      v.integer(t.quotaWhole),
      v.maxValue(QUOTA_MAX, t.quotaTooLarge),
    ),
    remark: v.pipe(v.string(), v.trim(), v.maxLength(LONGEST_REMARK, t.remarkLong)),
  })
}
