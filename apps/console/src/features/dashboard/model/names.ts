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

/** The server names the users and tokens with the most usage and adds up the others under the user 0. */
const ADDED_UP = 0

export function userName(row: Pick<UserDay, 'Username' | 'UserId'>, fallbacks: NameFallbacks): string | undefined {
  return row.UserId === ADDED_UP ? undefined : row.Username.trim() || fallbacks.unknownUser
}

/** `ci (alice)`: the token and, in parentheses, who owns it. */
export function tokenName(
  row: Pick<TokenDay, 'TokenName' | 'Username' | 'UserId'>,
  fallbacks: NameFallbacks,
): string | undefined {
  if (row.UserId === ADDED_UP) return undefined
  return `${row.TokenName.trim() || fallbacks.unnamedToken} (${row.Username.trim() || fallbacks.unknownOwner})`
}
