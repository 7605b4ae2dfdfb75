import { createUser } from '@sluice/contract/routes/users'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { buttonClass } from '~/ui/button.tsx'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { useSubmitFailure } from '~/ui/form/submit-failure.ts'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { type NewUser, newUserSchema, NOBODY, SHORTEST_PASSWORD } from '../model/new-user.ts'
import { userTexts } from '../texts/user-texts.ts'
import { PasswordField } from './password-field.tsx'

/** The quick way to add a user: name and password; the page behind 'All fields' has the rest. */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(userTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  const save = async (body: NewUser) => {
    const reply = await call(createUser, { body })
    if (!reply.ok) return failed(reply)
    toasts.show({ tone: 'good', title: t.created, text: body.username })
    onClose()
    await cache.invalidateQueries({ queryKey: ['users'] })
    return ''
  }
  const entry = useSchemaForm(newUserSchema(t), NOBODY, save)
  const { control } = entry.form
  return (
    <FormDialog
      title={t.addUser}
      form={entry}
      submit={t.create}
      busyLabel={t.creating}
      aside={
        <Link to="/users/add" className={buttonClass('ghost')}>
          {t.allFields}
        </Link>
      }
      onClose={onClose}
    >
      <TextField
        control={control}
        name="username"
        label={t.username}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={30}
        data-first-focus
      />
      <PasswordField
        control={control}
        name="password"
        label={t.password}
        hint={t.passwordHint(String(SHORTEST_PASSWORD))}
      />
      <TextField
        control={control}
        name="display_name"
        label={t.displayName}
        hint={t.displayNameHint}
        autoComplete="off"
        maxLength={20}
      />
    </FormDialog>
  )
}
