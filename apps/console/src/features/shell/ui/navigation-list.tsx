import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { icon, InfoIcon } from '~/ui/icon.tsx'
import { type NavigationEntry, type NavigationGroup, visibleNavigation } from '../model/navigation.ts'
import { shellTexts } from '../texts/shell-texts.ts'

export const MenuIcon = icon('M2.5 4.5h11M2.5 8h11M2.5 11.5h11')
export const SignOutIcon = icon('M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6')
const GaugeIcon = icon('M2.5 11.5a5.8 5.8 0 1 1 11 0M8 9.5l2.5-3')
const KeyIcon = icon('M10.5 8.5a3 3 0 1 0-2.8-2L2.5 11.7v1.8h2v-1.5H6v-1.5h1.4l1.1-1.2M11 4.9h.01')
const ListIcon = icon('M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01')
const WalletIcon = icon('M2.5 4.5h11v8h-11zM2.5 4.5 10 2.5v2M10.5 8.5h3')
const CubeIcon = icon('m8 1.8 5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.5 4.8 8 8l5.5-3.2M8 8v6.2')
const PulseIcon = icon('M1.5 8.5h3l2-5 3 9 2-4h3')
const ChatIcon = icon('M2.5 3h11v8h-6l-3 2.5V11h-2z')
const ChannelIcon = icon('M2.5 5.5c2-2 3.5 2 5.5 0s3.5 2 5.5 0M2.5 10.5c2-2 3.5 2 5.5 0s3.5 2 5.5 0')
const UsersIcon = icon(
  'M6 8a2.4 2.4 0 1 0 0-4.8A2.4 2.4 0 0 0 6 8ZM1.5 13c.5-2.2 2.3-3.3 4.5-3.3s4 1.1 4.5 3.3M10.5 3.4a2.4 2.4 0 0 1 0 4.4M12 9.9c1.3.4 2.2 1.5 2.5 3.1',
)
const TicketIcon = icon('M2 4h12v2.6a1.5 1.5 0 0 0 0 2.8V12H2V9.4a1.5 1.5 0 0 0 0-2.8zM9.5 4v8')
export const SettingsIcon = icon(
  'M2.5 4.5h5M11 4.5h2.5M2.5 11.5H5M8.5 11.5h5M9.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM6.7 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z',
)

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

export function useNavigation(): NavigationEntry[] {
  const router = useRouter()
  return visibleNavigation(useUser()?.role, (path) => path in router.routesByPath)
}

interface NavigationListProps {
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
