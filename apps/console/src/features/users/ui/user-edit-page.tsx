import { updateUser } from '@sluice/contract/routes/users'
import type { User } from '@sluice/contract/user'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSession } from '../../../lib/session/use-session.ts'
import { useSubmitFailure } from '../../../ui/form/submit-failure.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { userQuery } from '../api/user-by-id.ts'
import { formOfUser, updateBody, type UserFormValues } from '../model/user-form.ts'
import { userTexts } from '../texts/user-texts.ts'
import { UserForm } from './user-form.tsx'

/** A stored user, prefilled. */
export function UserEditPage() {
  const t = useTexts(userTexts)
  const { id } = useParams({ from: '/protected/users/edit/$id' })
  const query = useQuery(userQuery(useCall(), id))
  return (
    <Page title={t.editTitle} {...(query.data && { subtitle: query.data.username })} width="narrow">
      <LoadFailure error={query.error} text={t.loadFailed} />
      {query.isPending && <Skeleton className="h-[48rem] w-full rounded-lg" />}
      {query.data !== undefined && <EditForm key={id} user={query.data} />}
    </Page>
  )
}

/**
 * The form compares with the user it began with, whatever is loaded meanwhile: otherwise a balance that moved on would look
 * like an edit, and be put back.
 */
function EditForm({ user: loaded }: { user: User }) {
  const [user] = useState(loaded)
  const t = useTexts(userTexts)
  const call = useCall()
  const cache = useQueryClient()
  const session = useSession()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  const save = async (values: UserFormValues) => {
    const reply = await call(updateUser, { query: {}, body: updateBody(user.id, formOfUser(user), values) })
    if (!reply.ok) return failed(reply)
    const me = session.get()
    const { username, display_name } = values
    if (me?.id === user.id) session.signIn({ ...me, username, display_name })
    await cache.invalidateQueries({ queryKey: ['users'] })
    toasts.show({ tone: 'good', title: t.updated })
    return ''
  }
  return <UserForm stored={user} onSave={save} />
}
