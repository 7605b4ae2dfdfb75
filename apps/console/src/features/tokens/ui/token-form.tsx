import type { Budget } from '@sluice/contract/budget'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useWatch } from 'react-hook-form'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useLeaveGuard } from '~/lib/navigation/use-leave-guard.ts'
import { CheckboxField, NumberField, TextField } from '~/ui/form/form-fields.tsx'
import { FormSection, FormShell } from '~/ui/form/form-shell.tsx'
import { LeaveDialog } from '~/ui/form/leave-dialog.tsx'
import { MultiSelectField } from '~/ui/form/multi-select-field.tsx'
import { OptionalNumberField } from '~/ui/form/optional-number-field.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { BudgetFields } from '~/ui/quota/budget-fields.tsx'
import { QuotaEstimate } from '~/ui/quota/quota-estimate.tsx'
import { quotaTexts } from '~/ui/quota/texts/quota-texts.ts'
import { availableModelsQuery, usableGroupsQuery } from '../calls.ts'
import { isChoice } from '../model/group-choices.ts'
import { REQUEST_LIMITS } from '../model/request-limits.ts'
import { type TokenFormInput, tokenFormSchema, type TokenFormValues } from '../model/token-form-values.ts'
import { tokenTexts } from '../texts/token-texts.ts'
import { ExpiryField } from './expiry-field.tsx'
import { GroupsField } from './groups-field.tsx'

interface TokenFormProps {
  readonly start: TokenFormInput
  /** Budgets of the stored token, with how much of them is used. */
  readonly budgets?: readonly Budget[]
  readonly submitLabel: string
  readonly busyLabel: string
  /** Saves, calls `release` before it navigates away, and returns what went wrong, or an empty text. */
  readonly onSave: (values: TokenFormValues, release: () => void) => Promise<string>
}

/** The fields of a token, the same for a new and a stored one. */
export function TokenForm({ start, budgets = [], submitLabel, busyLabel, onSave }: TokenFormProps) {
  const t = useTexts(tokenTexts)
  const quotaTerms = useTexts(quotaTexts)
  const navigate = useNavigate()
  const call = useCall()
  const usable = useQuery(usableGroupsQuery(call)).data
  const { form, error, busy, onSubmit } = useSchemaForm(
    tokenFormSchema(t, quotaTerms, usable),
    start,
    async (values) => {
      const problem = await onSave(values, () => guard.release())
      // The gateway names the field, such as `groups[1]`: which groups are usable can have changed meanwhile.
      if (problem.startsWith('groups')) form.setError('groups', { message: problem })
      if (problem.startsWith('quiet_hours')) form.setError('quiet_hours', { message: problem })
      return problem
    },
  )
  const { control, formState } = form
  const guard = useLeaveGuard(formState.isDirty)
  const unlimited = useWatch({ control, name: 'unlimited_quota' })
  const groups = useWatch({ control, name: 'groups' })
  const { data: models = [] } = useQuery({ ...availableModelsQuery(call, groups), placeholderData: keepPreviousData })
  return (
    <>
      <FormShell
        onSubmit={onSubmit}
        error={error}
        busy={busy}
        submitLabel={busy ? busyLabel : submitLabel}
        onCancel={() => {
          guard.release()
          void navigate({ to: '/tokens' })
        }}
      >
        <FormSection title={t.basics} text={t.basicsText}>
          <TextField control={control} name="name" label={t.name} autoComplete="off" maxLength={30} />
          <ExpiryField control={control} />
        </FormSection>
        <FormSection title={t.quota} text={t.quotaText}>
          <CheckboxField control={control} name="unlimited_quota" label={t.unlimitedQuota} hint={t.unlimitedHint} />
          <NumberField
            control={control}
            name="remain_quota"
            label={t.remainQuota}
            hint={<QuotaEstimate control={control} name="remain_quota" />}
            min={0}
            step={1}
            disabled={unlimited}
          />
        </FormSection>
        <FormSection title={t.budgets} text={t.budgetsText}>
          <BudgetFields control={control} nameOf={(period) => `budgets.${period}` as const} stored={budgets} />
        </FormSection>
        <FormSection title={t.limits} text={t.limitsText}>
          {REQUEST_LIMITS.map((limit) => (
            <OptionalNumberField
              key={limit}
              control={control}
              name={`limits.${limit}`}
              label={t.limit[limit]}
              placeholder={quotaTerms.noBudget}
              hint={t.limitHint[limit]}
            />
          ))}
          <TextField
            control={control}
            name="quiet_hours"
            label={t.quietHours}
            hint={t.quietHoursHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
            autoComplete="off"
            spellCheck={false}
          />
        </FormSection>
        {usable !== undefined && isChoice(usable, start.groups) && (
          <FormSection title={t.groups} text={t.groupsText}>
            <GroupsField control={control} usable={usable} />
          </FormSection>
        )}
        <FormSection title={t.access} text={t.accessText}>
          <MultiSelectField
            control={control}
            name="models"
            label={t.models}
            placeholder={t.modelsPlaceholder}
            hint={t.modelsHint(String(models.length))}
            options={models}
          />
          <TextField
            control={control}
            name="subnet"
            label={t.subnet}
            hint={t.subnetHint}
            mono
            autoComplete="off"
            spellCheck={false}
          />
        </FormSection>
      </FormShell>
      {guard.stopped !== undefined && <LeaveDialog onStay={guard.stopped.stay} onLeave={guard.stopped.leave} />}
    </>
  )
}
