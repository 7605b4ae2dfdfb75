import type { Budget } from '@sluice/contract/budget'
import { createToken, updateToken } from '@sluice/contract/routes/tokens'
import type { Token } from '@sluice/contract/token'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useLeaveGuard } from '~/lib/navigation/use-leave-guard.ts'
import { TextField } from '~/ui/form/form-fields.tsx'
import { FormSection, FormShell, LeaveDialog, useSaved } from '~/ui/form/form-shell.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { BudgetFields } from '~/ui/quota/budget-fields.tsx'
import { quotaTexts } from '~/ui/quota/texts/quota-texts.ts'
import { Skeleton } from '~/ui/skeleton.tsx'
import { usableGroupsQuery, tokenQuery } from '../calls.ts'
import {
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
import { AccessFields, ExpiryField, LimitFields, QuotaFields } from './token-fields.tsx'

interface TokenFormProps {
  readonly start: TokenFormInput
  readonly budgets?: readonly Budget[]
  readonly submitLabel: string
  readonly busyLabel: string
  /** Calls `release` before it navigates away. Returns what went wrong, or an empty text. */
  readonly onSave: (values: TokenFormValues, release: () => void) => Promise<string>
}

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
      // The gateway names the field, such as `groups[1]`, because the usable groups may have changed meanwhile.
      if (problem.startsWith('groups')) form.setError('groups', { message: problem })
      if (problem.startsWith('quiet_hours')) form.setError('quiet_hours', { message: problem })
      return problem
    },
  )
  const { control, formState } = form
  const guard = useLeaveGuard(formState.isDirty)
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
          <QuotaFields control={control} />
        </FormSection>
        <FormSection title={t.budgets} text={t.budgetsText}>
          <BudgetFields control={control} nameOf={(period) => `budgets.${period}` as const} stored={budgets} />
        </FormSection>
        <FormSection title={t.limits} text={t.limitsText}>
          <LimitFields control={control} />
        </FormSection>
        {usable !== undefined && isChoice(usable, start.groups) && (
          <FormSection title={t.groups} text={t.groupsText}>
            <GroupsField control={control} usable={usable} />
          </FormSection>
        )}
        <FormSection title={t.access} text={t.accessText}>
          <AccessFields control={control} />
        </FormSection>
      </FormShell>
      {guard.stopped !== undefined && <LeaveDialog onStay={guard.stopped.stay} onLeave={guard.stopped.leave} />}
    </>
  )
}

/** After saving, the list opens the panel that shows how to use the token, if the server says which token it is. */
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
