import { updateToken } from '@sluice/contract/routes/tokens'
import type { Token } from '@sluice/contract/token'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSaved } from '~/ui/form/use-saved.ts'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { tokenQuery } from '../calls.ts'
import { formOfToken, type TokenFormValues, updateBody } from '../model/token-form-values.ts'
import { tokenTexts } from '../texts/token-texts.ts'
import { TokenForm } from './token-form.tsx'

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
