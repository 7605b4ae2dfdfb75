import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { buttonClass } from '~/ui/button.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { VisitorPreferences } from './visitor-preferences.tsx'

interface HeaderProps {
  readonly start?: ReactNode
  readonly end: ReactNode
}

export function Header({ start, end }: HeaderProps) {
  const { system_name, logo } = useSystemStatus()
  return (
    <header className="border-line bg-surface flex h-12 shrink-0 items-center gap-1 border-b px-2 md:px-4">
      {start}
      <Link
        to="/"
        className="mr-auto flex min-w-0 items-center gap-2 rounded-md px-1 py-1 font-semibold tracking-tight"
      >
        <Logo address={logo} />
        <span className="truncate">{system_name}</span>
      </Link>
      {end}
    </header>
  )
}

/** The configured logo if it loads, otherwise the picture of public/favicon.svg, drawn here to save a request. */
function Logo({ address }: { address: string }) {
  const [failed, setFailed] = useState('')
  if (address !== failed && (address.startsWith('/') || address.startsWith('https://')))
    return <img src={address} alt="" width={22} height={22} onError={() => setFailed(address)} />
  return (
    <svg aria-hidden="true" width={22} height={22} viewBox="0 0 32 32" fill="none" strokeLinecap="round">
      <rect width="32" height="32" rx="7" fill="#0f6e8c" />
      <path d="M8 9v14M24 9v14" stroke="#fff" strokeWidth="3" />
      <path d="M12 13c2.7-2 5.3 2 8 0M12 18.5c2.7-2 5.3 2 8 0" stroke="#9fe3f5" strokeWidth="2.4" />
    </svg>
  )
}

export function VisitorLinks() {
  const t = useTexts(shellTexts)
  const { register_enabled } = useSystemStatus()
  const canRegister = register_enabled && '/register' in useRouter().routesByPath
  const register: string = '/register'
  return (
    <>
      <VisitorPreferences />
      <nav aria-label={t.navigation} className="flex items-center gap-1">
        {canRegister && (
          <Link to={register} className={buttonClass('ghost', 'small')}>
            {t.nav.register}
          </Link>
        )}
        <Link to="/login" className={buttonClass('secondary', 'small')}>
          {t.nav.login}
        </Link>
      </nav>
    </>
  )
}
