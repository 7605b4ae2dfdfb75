import type { Budget } from '@sluice/contract/budget'
import { createToken, updateToken } from '@sluice/contract/routes/tokens'
import type { Token } from '@sluice/contract/token'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useWatch, type Control, useController } from 'react-hook-form'
import { localZone, toDateTimeInput } from '~/lib/format/date.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useLeaveGuard } from '~/lib/navigation/use-leave-guard.ts'
import { Button } from '~/ui/button.tsx'
import { DateTimeField, OptionalNumberField } from '~/ui/form/date-time-field.tsx'
import { CheckboxField, NumberField, TextField } from '~/ui/form/form-fields.tsx'
import { FormSection, FormShell, LeaveDialog, useSaved } from '~/ui/form/form-shell.tsx'
import { MultiSelectField } from '~/ui/form/multi-select-field.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { BudgetFields } from '~/ui/quota/budget-fields.tsx'
import { QuotaEstimate } from '~/ui/quota/quota-amount.tsx'
import { quotaTexts } from '~/ui/quota/texts/quota-texts.ts'
import { Skeleton } from '~/ui/skeleton.tsx'
import { availableModelsQuery, usableGroupsQuery, tokenQuery } from '../calls.ts'
import {
  REQUEST_LIMITS,
  type TokenFormInput,
  tokenFormSchema,
  type TokenFormValues,
  createBody,
  NEW_TOKEN,
  formOfToken,
  updateBody,
} from '../model/token-form-values.ts'
import { tokenTexts } from '../texts/token-texts.ts'
import { isChoice, GroupsField } from './groups-field.tsx'

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
function TokenForm({ start, budgets = [], submitLabel, busyLabel, onSave }: TokenFormProps) {
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

/** A new token; once saved, the list opens the panel that shows how to use it, if the server says which token it is. */
export function TokenCreatePage() {
  const t = useTexts(tokenTexts)
  const call = useCall()
  const navigate = useNavigate()
  const saved = useSaved('tokens')
  const save = async (values: TokenFormValues, release: () => void) => {
    const reply = await call(createToken, { body: createBody(values) })
    return saved(reply, { title: t.created }, ({ data }) => {
      release()
      return navigate({ to: '/tokens', ...(data !== undefined && { search: { use: data.id } }) })
    })
  }
  return (
    <Page title={t.createTitle} width="narrow">
      <TokenForm start={NEW_TOKEN} submitLabel={t.create} busyLabel={t.creating} onSave={save} />
    </Page>
  )
}

export function TokenEditPage() {
  const t = useTexts(tokenTexts)
  const { id } = useParams({ from: '/protected/tokens/edit/$id' })
  const query = useQuery(tokenQuery(useCall(), id))
  return (
    <Page title={t.editTitle} width="narrow">
      <LoadFailure query={query} text={t.loadFailed} />
      {query.isPending && <Skeleton className="h-[36rem] w-full rounded-lg" />}
      {query.data !== undefined && <EditForm key={id} token={query.data} />}
    </Page>
  )
}

function EditForm({ token }: { token: Token }) {
  const t = useTexts(tokenTexts)
  const call = useCall()
  const navigate = useNavigate()
  const saved = useSaved('tokens')
  // The initial values of the fields; the token itself is refetched while they are edited.
  const [start] = useState(() => formOfToken(token))
  const save = async (values: TokenFormValues, release: () => void) => {
    const body = updateBody(token, values, Math.floor(Date.now() / 1_000), start)
    const reply = await call(updateToken, { query: {}, body })
    return saved(reply, { title: t.updated }, () => {
      release()
      return navigate({ to: '/tokens' })
    })
  }
  return <TokenForm start={start} budgets={token.budgets} submitLabel={t.update} busyLabel={t.updating} onSave={save} />
}

interface ExpiryFieldProps {
  readonly control: Control<TokenFormInput, unknown, TokenFormValues>
}

/** When the token stops working, with buttons for common periods from now. */
function ExpiryField({ control }: ExpiryFieldProps) {
  const t = useTexts(tokenTexts)
  const { field } = useController({ control, name: 'expired_time' })
  const quick: ReadonlyArray<readonly [string, ExpiryStep]> = [
    [t.neverExpire, {}],
    [t.month, { months: 1 }],
    [t.day, { days: 1 }],
    [t.hour, { hours: 1 }],
    [t.minute, { minutes: 1 }],
  ]
  return (
    <div className="flex flex-col gap-2">
      <DateTimeField control={control} name="expired_time" label={t.expiration} hint={t.expirationHint(localZone())} />
      <div role="group" aria-label={t.quickExpiry} className="flex flex-wrap gap-1.5">
        {quick.map(([label, step]) => (
          <Button key={label} size="small" onClick={() => field.onChange(expiryAfter(step, Date.now()))}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** Time to add to now; a month counts 30 days. */
interface ExpiryStep {
  readonly months?: number
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH_MS = 30 * DAY_MS

/** Text for the date-time input at that distance from now (unix ms); all zero clears it. */
export function expiryAfter({ months = 0, days = 0, hours = 0, minutes = 0 }: ExpiryStep, now: number): string {
  const distance = months * MONTH_MS + days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS
  return distance === 0 ? '' : toDateTimeInput(new Date(now + distance))
}
