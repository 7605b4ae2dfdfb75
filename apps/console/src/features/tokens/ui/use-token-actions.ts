import type { Token } from '@sluice/contract/token'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type RowChanges, useRowChanges } from '~/ui/table/use-row-changes.ts'
import { tokenChanges } from '../calls.ts'
import { tokenTexts } from '../texts/token-texts.ts'

/** Name of a token in a sentence; its id where it has no name. */
export function useTokenLabel(): (token: Pick<Token, 'id' | 'name'>) => string {
  const t = useTexts(tokenTexts)
  return ({ id, name }) => (name === '' ? t.nameOrId(String(id)) : name)
}

export type TokenActions = Pick<RowChanges<Token>, 'toggle' | 'remove'>

export function useTokenActions(): TokenActions {
  const texts = useTexts(tokenTexts)
  const calls = tokenChanges(useCall())
  return useRowChanges({ area: 'tokens', calls, nameOf: useTokenLabel(), texts })
}
