import type { ReactNode } from 'react'
import { Page } from '~/ui/page.tsx'

/** Frame of the screens about access: a card that keeps its position while its content grows. */
export function AccessCard({
  title,
  subtitle,
  children,
}: {
  title: string
  subtitle?: string | undefined
  children: ReactNode
}) {
  return (
    <div className="mx-auto w-full max-w-md grow p-4 pb-16 md:pt-20">
      <div className="border-line bg-surface rounded-xl border sm:px-2 sm:py-1">
        <Page title={title} width="narrow" {...(subtitle !== undefined && { subtitle })}>
          {children}
        </Page>
      </div>
    </div>
  )
}
