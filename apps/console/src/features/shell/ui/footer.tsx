import { lazy, Suspense } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { shellTexts } from '../texts/shell-texts.ts'

const SafeHtml = lazy(async () => ({ default: (await import('~/ui/rich-content/safe-html.tsx')).SafeHtml }))

/** Copyright, the operators' addition, and version; not on phones, and only below a page, which would push it down. */
export function Footer() {
  const t = useTexts(shellTexts)
  const { system_name, version, footer_html } = useSystemStatus()
  return (
    <footer className="text-muted mt-auto hidden items-center justify-between gap-4 px-6 pb-3 text-xs md:not-only:flex">
      <span>
        © {new Date().getFullYear()} {system_name}
      </span>
      {footer_html.trim() !== '' && (
        <Suspense>
          <SafeHtml html={footer_html} inline />
        </Suspense>
      )}
      <span>{t.version(version)}</span>
    </footer>
  )
}
