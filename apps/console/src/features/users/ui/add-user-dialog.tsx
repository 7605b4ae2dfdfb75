import { createUser } from '@sluice/contract/routes/users'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import * as v from 'valibot'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { buttonClass } from '~/ui/button.tsx'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { useSubmitFailure, useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { userTexts, type en } from '../texts/user-texts.ts'
import { PasswordField } from './password-field.tsx'

/** Asks only for name and password; the page behind 'All fields' has the rest. */
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

const SHORTEST_PASSWORD = 6
const LONGEST_PASSWORD_BYTES = 72

export interface NewUser {
  username: string
  password: string
  display_name: string
}

const NOBODY: NewUser = { username: '', password: '', display_name: '' }

/** The username replaces a missing display name. */
export function newUserSchema(t: Translation<typeof en>): v.GenericSchema<NewUser, NewUser> {
  const username = v.pipe(v.string(), v.trim(), v.minLength(1, t.usernameRequired), v.maxLength(30, t.usernameLong))
  return v.pipe(
    v.object({
      username,
      password: v.pipe(
        v.string(),
        v.minLength(SHORTEST_PASSWORD, t.passwordShort(String(SHORTEST_PASSWORD))),
        v.maxBytes(LONGEST_PASSWORD_BYTES, t.passwordLong),
      ),
      display_name: v.pipe(v.string(), v.trim(), v.maxLength(20, t.displayNameLong)),
    }),
    v.transform((user) => ({ ...user, display_name: user.display_name || user.username.slice(0, 20) })),
  )
}
