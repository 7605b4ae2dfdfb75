import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { buttonClass } from '~/ui/button.tsx'
import { Page } from '~/ui/page.tsx'
import { sessionTexts } from '../texts/session-texts.ts'

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

export function BackToLogin() {
  const t = useTexts(sessionTexts)
  return (
    <Link to="/login" className={buttonClass()}>
      {t.backToLogin}
    </Link>
  )
}
