import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/use-session.ts'
import { InfoIcon } from '~/ui/sign-icons.tsx'
import { type NavigationEntry, type NavigationGroup, visibleNavigation } from '../model/navigation.ts'
import { shellTexts } from '../texts/shell-texts.ts'
import {
  ChannelIcon,
  ChatIcon,
  CubeIcon,
  GaugeIcon,
  KeyIcon,
  ListIcon,
  PulseIcon,
  SettingsIcon,
  TicketIcon,
  UsersIcon,
  WalletIcon,
} from './navigation-icons.tsx'

const PICTURES: Readonly<Record<NavigationEntry['id'], () => ReactNode>> = {
  dashboard: GaugeIcon,
  tokens: KeyIcon,
  logs: ListIcon,
  topup: WalletIcon,
  models: CubeIcon,
  status: PulseIcon,
  chat: ChatIcon,
  about: InfoIcon,
  channels: ChannelIcon,
  users: UsersIcon,
  redemptions: TicketIcon,
  settings: SettingsIcon,
}

const GROUPS: readonly NavigationGroup[] = ['use', 'account', 'operate']

/** The rows of the registry that this visitor may see and whose screens exist. */
export function useNavigation(): NavigationEntry[] {
  const router = useRouter()
  return visibleNavigation(useUser()?.role, (path) => path in router.routesByPath)
}

interface NavigationListProps {
  /** Shows icons with tooltips instead of texts. */
  readonly collapsed?: boolean
  readonly onFollow?: () => void
}

export function NavigationList({ collapsed = false, onFollow }: NavigationListProps) {
  const t = useTexts(shellTexts)
  const entries = useNavigation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return GROUPS.map((group) => {
    const rows = entries.filter((entry) => entry.group === group)
    if (rows.length === 0) return null
    return (
      <div key={group} className="mb-3">
        <p className={clsx('text-muted px-2 pb-1 text-xs font-medium', collapsed && 'sr-only')}>{t.groups[group]}</p>
        <ul className="flex flex-col gap-0.5">
          {rows.map(({ id, to, holds }) => {
            const Picture = PICTURES[id]
            return (
              <li key={id}>
                <Link
                  to={to}
                  onClick={onFollow}
                  aria-label={t.nav[id]}
                  {...(holds?.includes(path) && { 'aria-current': 'page' })}
                  data-tip={collapsed ? t.nav[id] : undefined}
                  className="text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent flex h-8 items-center gap-2.5 rounded-md px-2 text-sm font-medium max-md:h-10"
                >
                  <Picture />
                  {!collapsed && t.nav[id]}
                </Link>
              </li>
            )
          })}
        </ul>
      </div>
    )
  })
}
