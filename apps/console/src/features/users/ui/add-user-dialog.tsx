import { createUser } from '@sluice/contract/routes/users'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/form/form-fields.tsx'
import { useSubmitFailure } from '../../../ui/form/submit-failure.ts'
import { useSchemaForm } from '../../../ui/form/use-schema-form.ts'
import { Notice } from '../../../ui/notice.tsx'
import { uiTexts } from '../../../ui/texts/ui-texts.ts'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { type NewUser, newUserSchema, NOBODY, SHORTEST_PASSWORD } from '../model/new-user.ts'
import { userTexts } from '../texts/user-texts.ts'
import { PasswordField } from './password-field.tsx'

/** The quick way to a new user: name and password; the page behind 'All fields' asks for the rest. */
export function AddUserDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(userTexts)
  const ui = useTexts(uiTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  const formId = useId()
  const save = async (body: NewUser) => {
    const reply = await call(createUser, { body })
    if (!reply.ok) return failed(reply)
    toasts.show({ tone: 'good', title: t.created, text: body.username })
    onClose()
    await cache.invalidateQueries({ queryKey: ['users'] })
    return ''
  }
  const { form, error, busy, onSubmit } = useSchemaForm(newUserSchema(t), NOBODY, save)
  const { control } = form
  return (
    <Dialog
      title={t.addUser}
      onClose={() => {
        if (!busy) onClose()
      }}
      footer={
        <>
          <Link to="/users/add" className={buttonClass('ghost')}>
            {t.allFields}
          </Link>
          <span className="grow" />
          <Button onClick={onClose} disabled={busy}>
            {ui.cancel}
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            {busy ? t.creating : t.create}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== '' && <Notice tone="bad">{error}</Notice>}
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
      </form>
    </Dialog>
  )
}
