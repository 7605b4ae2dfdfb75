import type { TokenDay, UserDay } from './usage.ts'

/** Names for rows that carry none. */
export interface NameFallbacks {
  readonly unknownModel: string
  readonly unknownUser: string
  readonly unnamedToken: string
  readonly unknownOwner: string
}

export function modelName(row: { readonly ModelName: string }, fallbacks: NameFallbacks): string {
  return row.ModelName.trim() || fallbacks.unknownModel
}

/** The server names the largest consumers and adds up the others under this name and the user 0. */
const ADDED_UP = { name: 'Others', userId: 0 }

/** Without a name, user 0 is a user that the server does not know. */
function isAddedUp({ Username, UserId }: Pick<UserDay, 'Username' | 'UserId'>): boolean {
  return UserId === ADDED_UP.userId && Username === ADDED_UP.name
}

export function userName(row: Pick<UserDay, 'Username' | 'UserId'>, fallbacks: NameFallbacks): string | undefined {
  return isAddedUp(row) ? undefined : row.Username.trim() || fallbacks.unknownUser
}

/** `ci (alice)`: the token and, in parentheses, its owner. */
export function tokenName(
  row: Pick<TokenDay, 'TokenName' | 'Username' | 'UserId'>,
  fallbacks: NameFallbacks,
): string | undefined {
  if (isAddedUp(row)) return undefined
  return `${row.TokenName.trim() || fallbacks.unnamedToken} (${row.Username.trim() || fallbacks.unknownOwner})`
}
