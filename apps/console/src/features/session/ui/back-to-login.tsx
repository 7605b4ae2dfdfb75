import { Link } from '@tanstack/react-router'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { buttonClass } from '~/ui/button.tsx'
import { sessionTexts } from '../texts/session-texts.ts'

export function BackToLogin() {
  const t = useTexts(sessionTexts)
  return (
    <Link to="/login" className={buttonClass()}>
      {t.backToLogin}
    </Link>
  )
}
