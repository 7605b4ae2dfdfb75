import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { Page } from '~/ui/page.tsx'
import { contentTexts } from '../texts/content-texts.ts'

const COUNTDOWN_S = 5

export function NotFoundPage() {
  const t = useTexts(contentTexts)
  const navigate = useNavigate()
  const router = useRouter()
  const [left, setLeft] = useState(COUNTDOWN_S)
  useEffect(() => {
    if (left === 0) {
      void navigate({ to: '/', replace: true })
      return
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left, navigate])
  return (
    <Page title={t.notFound} width="narrow">
      <p className="text-muted" role="timer">
        {t.notFoundCountdown(left)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => void navigate({ to: '/', replace: true })}>
          {t.goHome}
        </Button>
        <Button onClick={() => router.history.back()}>{t.goBack}</Button>
      </div>
    </Page>
  )
}
