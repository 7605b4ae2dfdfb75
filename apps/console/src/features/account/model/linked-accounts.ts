import type { User } from '@sluice/contract/user'
import type { ConsoleStatus } from '~/lib/status/system-status.ts'

export const LINK_PROVIDERS = ['github', 'lark', 'oidc', 'wechat'] as const
export type LinkProvider = (typeof LINK_PROVIDERS)[number]

export interface LinkedAccount {
  readonly provider: LinkProvider
  /** What the provider calls the person; empty when nothing is linked. */
  readonly name: string
  /** False for a provider that has since been switched off: it can only be unlinked. */
  readonly offered: boolean
}

type Offers = Pick<ConsoleStatus, 'github_oauth' | 'lark_client_id' | 'oidc' | 'wechat_login'>
type Names = Pick<User, 'github_id' | 'lark_id' | 'oidc_id' | 'wechat_id'>

/** The providers that are offered here or linked already. */
export function linkedAccounts(status: Offers, account: Names): readonly LinkedAccount[] {
  // Lark has no switch: it is on when it is set up.
  const offered = {
    github: status.github_oauth,
    lark: status.lark_client_id !== '',
    oidc: status.oidc,
    wechat: status.wechat_login,
  }
  return LINK_PROVIDERS.map((provider) => ({
    provider,
    name: account[`${provider}_id`],
    offered: offered[provider],
  })).filter((each) => each.offered || each.name !== '')
}
