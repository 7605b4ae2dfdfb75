import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRestingText } from '../../../ui/use-resting-text.ts'

/**
 * What the settings are searched for: at once as it is typed, and in the address a moment later, so that what is found can be
 * shown to others. Back, Forward and links change it as well.
 */
export function useFindText(): readonly [string, (text: string) => void] {
  const navigate = useNavigate({ from: '/settings' })
  const { find } = useSearch({ from: '/protected/settings' })
  const { text, setText } = useRestingText(
    find,
    (wanted) => void navigate({ search: (now) => ({ ...now, find: wanted }), replace: true, resetScroll: false }),
  )
  return [text, setText]
}
