'use no memo' // Sign-in downloads this file, see README: memo code would cost more than it saves here.

import { Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useSystemStatus } from '../../../lib/status/system-status.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { VisitorPreferences } from './visitor-preferences.tsx'

interface HeaderProps {
  /** Stands before the name of the system. */
  readonly start?: ReactNode
  /** Who is signed in, or the ways to become it. */
  readonly end: ReactNode
}

/** Name of the system, the same for everybody. */
export function Header({ start, end }: HeaderProps) {
  const { system_name, logo } = useSystemStatus()
  return (
    <header className="border-line bg-surface flex h-12 shrink-0 items-center gap-1 border-b px-2 md:px-4">
      {start}
      <Link
        to="/"
        className="mr-auto flex min-w-0 items-center gap-2 rounded-md px-1 py-1 font-semibold tracking-tight"
      >
        <img
          src={logo.startsWith('/') || logo.startsWith('https://') ? logo : '/favicon.svg'}
          alt=""
          width={22}
          height={22}
        />
        <span className="truncate">{system_name}</span>
      </Link>
      {end}
    </header>
  )
}

/** Preferences, then Register and Login as far as their screens exist. */
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
