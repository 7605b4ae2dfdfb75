import { updateUser } from '@sluice/contract/routes/users'
import type { User } from '@sluice/contract/user'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSession } from '~/lib/session/use-session.ts'
import { useSaved } from '~/ui/form/use-saved.ts'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { userQuery } from '../calls.ts'
import { formOfUser, updateBody, type UserFormValues } from '../model/user-form-values.ts'
import { userTexts } from '../texts/user-texts.ts'
import { UserForm } from './user-form.tsx'

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
 * The form compares with the user it began with, even if newer data is loaded meanwhile: otherwise a balance that has changed since
 * would look like an edit, and be restored.
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
