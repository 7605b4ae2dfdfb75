import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Page } from '~/ui/page.tsx'
import { contentKind } from '~/ui/rich-content/content-kind.ts'
import { RichContent } from '~/ui/rich-content/rich-content.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { homeContentQuery, storedHomeContent } from '../calls.ts'
import { contentTexts } from '../texts/content-texts.ts'
import { Welcome } from './welcome.tsx'

/** The operators' content, first as it was last time and then as it is now; a welcome page while there is none. */
export function HomePage() {
  const t = useTexts(contentTexts)
  const [stored] = useState(() => storedHomeContent().read())
  const query = useQuery(homeContentQuery(useCall()))
  const text = query.data ?? stored
  if (text === undefined && query.isPending) {
    return (
      <Page title={t.home} width="wide">
        <Skeleton className="h-64 w-full" />
      </Page>
    )
  }
  if (text === undefined || contentKind(text) === 'empty') return <Welcome />
  return (
    <Page title={t.home} width={contentKind(text) === 'page' ? 'full' : 'wide'}>
      <RichContent text={text} />
    </Page>
  )
}
