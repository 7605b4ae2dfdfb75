import { createUser, updateUser } from '@sluice/contract/routes/users'
import type { User } from '@sluice/contract/user'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Control } from 'react-hook-form'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useLeaveGuard } from '~/lib/navigation/use-leave-guard.ts'
import { useSession } from '~/lib/session/session.ts'
import { OptionalNumberField } from '~/ui/form/date-time-field.tsx'
import { NumberField, SelectField, TextField } from '~/ui/form/form-fields.tsx'
import { FormSection, FormShell, LeaveDialog, useSaved } from '~/ui/form/form-shell.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { BudgetFields } from '~/ui/quota/budget-fields.tsx'
import { QuotaEstimate } from '~/ui/quota/quota-amount.tsx'
import { quotaTexts } from '~/ui/quota/texts/quota-texts.ts'
import { Skeleton } from '~/ui/skeleton.tsx'
import { groupNamesQuery, userQuery } from '../calls.ts'
import {
  isUnlimited,
  formOfUser,
  NEW_USER,
  ROLES,
  SHORTEST_PASSWORD,
  type UserFormInput,
  userFormSchema,
  type UserFormValues,
  createBody,
  updateBody,
  roleName,
} from '../model/user-form-values.ts'
import { userTexts } from '../texts/user-texts.ts'
import { PasswordField } from './password-field.tsx'
import { useAuthority } from './user-row-actions.tsx'

interface UserFormProps {
  readonly stored?: User
  /** Returns what went wrong; or, after navigating to the list, an empty text. */
  readonly onSave: (values: UserFormValues) => Promise<string>
}

type UserControl = Control<UserFormInput, unknown, UserFormValues>

function UserForm({ stored, onSave }: UserFormProps) {
  const t = useTexts(userTexts)
  const quotaTerms = useTexts(quotaTexts)
  const navigate = useNavigate()
  const isNew = stored === undefined
  const start = isNew ? NEW_USER : formOfUser(stored)
  const schema = userFormSchema(t, quotaTerms, stored)
  const { form, error, busy, onSubmit } = useSchemaForm(schema, start, async (values) => {
    const problem = await onSave(values)
    if (problem === '') {
      guard.release()
      await navigate({ to: '/users' })
    }
    return problem
  })
  const { control, formState } = form
  const guard = useLeaveGuard(formState.isDirty)
  const saving = isNew ? t.creating : t.updating
  return (
    <>
      <FormShell
        onSubmit={onSubmit}
        error={error}
        busy={busy}
        submitLabel={busy ? saving : isNew ? t.create : t.update}
        onCancel={() => void navigate({ to: '/users' })}
      >
        <FormSection title={t.profile} text={t.profileText}>
          <ProfileFields control={control} isNew={isNew} />
        </FormSection>
        <FormSection title={t.passwordSection} text={t.passwordText}>
          <PasswordField
            control={control}
            name="password"
            label={isNew ? t.password : t.newPassword}
            hint={`${isNew ? '' : `${t.passwordKept} `}${t.passwordHint(String(SHORTEST_PASSWORD))}`}
          />
        </FormSection>
        <FormSection title={t.quotaSection} text={isNew ? t.newQuotaText : t.quotaText}>
          <QuotaField control={control} stored={stored} />
        </FormSection>
        <FormSection title={t.budgets} text={t.budgetsText}>
          <BudgetFields
            control={control}
            nameOf={(period) => `budgets.${period}` as const}
            stored={stored?.budgets ?? []}
          />
        </FormSection>
        <FormSection title={t.access} text={t.accessText}>
          <GroupField control={control} stored={start.group} />
          {stored !== undefined && <RoleField control={control} stored={stored} />}
        </FormSection>
      </FormShell>
      {guard.stopped !== undefined && <LeaveDialog onStay={guard.stopped.stay} onLeave={guard.stopped.leave} />}
    </>
  )
}

function ProfileFields({ control, isNew }: { control: UserControl; isNew: boolean }) {
  const t = useTexts(userTexts)
  const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const
  return (
    <>
      <TextField control={control} name="username" label={t.username} maxLength={30} {...plain} />
      <TextField
        control={control}
        name="display_name"
        label={t.displayName}
        hint={isNew ? t.displayNameHint : undefined}
        maxLength={20}
        autoComplete="off"
      />
      <TextField control={control} name="email" label={t.email} inputMode="email" {...plain} />
    </>
  )
}

function QuotaField({ control, stored }: { control: UserControl; stored: User | undefined }) {
  const t = useTexts(userTexts)
  if (stored === undefined) {
    const hint = t.quotaGiftHint
    return <OptionalNumberField control={control} name="quota" label={t.quota} placeholder={t.quotaGift} hint={hint} />
  }
  const hint = isUnlimited(stored.quota) ? t.quotaUnlimited : <QuotaEstimate control={control} name="quota" />
  return <NumberField control={control} name="quota" label={t.quota} hint={hint} step={1} />
}

function GroupField({ control, stored }: { control: UserControl; stored: string }) {
  const t = useTexts(userTexts)
  const known = useQuery(groupNamesQuery(useCall())).data ?? []
  // A group without a ratio in the settings is still the user's group.
  const groups = [...new Set([stored, ...known])].toSorted()
  const options = groups.map((name) => ({ value: name, label: name }))
  return <SelectField control={control} name="group" label={t.groupLabel} options={options} />
}

function RoleField({ control, stored }: { control: UserControl; stored: User }) {
  const t = useTexts(userTexts)
  const { role: bar } = useAuthority(stored)
  const roles = [...new Set([...ROLES, stored.role])].toSorted((a, b) => a - b)
  return (
    <SelectField
      control={control}
      name="role"
      label={t.roleLabel}
      hint={bar && t.roleBarred[bar]}
      disabled={bar !== undefined}
      options={roles.map((role) => ({ value: String(role), label: t.role[roleName(role)] }))}
    />
  )
}

export function UserCreatePage() {
  const t = useTexts(userTexts)
  const call = useCall()
  const saved = useSaved('users')
  const save = async (values: UserFormValues) => {
    const reply = await call(createUser, { body: createBody(values) })
    return saved(reply, { title: t.created })
  }
  return (
    <Page title={t.createTitle} width="narrow">
      <UserForm onSave={save} />
    </Page>
  )
}

export function UserEditPage() {
  const t = useTexts(userTexts)
  const { id } = useParams({ from: '/protected/users/edit/$id' })
  const query = useQuery(userQuery(useCall(), id))
  return (
    <Page title={t.editTitle} {...(query.data && { subtitle: query.data.username })} width="narrow">
      <LoadFailure query={query} text={t.loadFailed} />
      {query.isPending && <Skeleton className="h-[48rem] w-full rounded-lg" />}
      {query.data !== undefined && <EditForm key={id} user={query.data} />}
    </Page>
  )
}

/**
 * Compares with the user that it began with, even if newer data is loaded meanwhile. Otherwise a changed balance would look like an
 * edit, and saving would restore the old balance.
 */
function EditForm({ user: loaded }: { user: User }) {
  const [user] = useState(loaded)
  const t = useTexts(userTexts)
  const call = useCall()
  const session = useSession()
  const saved = useSaved('users')
  const save = async (values: UserFormValues) => {
    const reply = await call(updateUser, { query: {}, body: updateBody(user.id, formOfUser(user), values) })
    const me = session.get()
    const { username, display_name } = values
    if (reply.ok && me?.id === user.id) session.signIn({ ...me, username, display_name })
    return saved(reply, { title: t.updated })
  }
  return <UserForm stored={user} onSave={save} />
}
