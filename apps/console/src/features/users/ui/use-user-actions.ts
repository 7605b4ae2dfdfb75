import type { User } from '@sluice/contract/user'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type RowChanges, useRowChanges } from '~/ui/table/use-row-changes.ts'
import { userChanges } from '../calls.ts'
import { userTexts } from '../texts/user-texts.ts'

export type UserActions = Pick<RowChanges<User>, 'toggle' | 'remove'>

export function useUserActions(): UserActions {
  const texts = useTexts(userTexts)
  const calls = userChanges(useCall())
  return useRowChanges({ area: 'users', calls, nameOf: ({ username }) => username, texts })
}
