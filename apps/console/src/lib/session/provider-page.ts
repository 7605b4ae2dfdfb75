import { BASE_PATH } from '../navigation/base-path.ts'
import type { ConsoleStatus } from '../status/system-status.ts'

export type Provider = 'github' | 'lark' | 'oidc'

/** Undefined for anything but a web page, because a script must never become the address of this window. */
export function webPage(address: string | undefined): URL | undefined {
  const url = URL.parse(address ?? '')
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

/**
 * A provider's page at the address that the specification prescribes, with the published client and the return address. For servers
 * that name no page, and for GitHub's flow without a state, which never ends in a sign-in (class S34). `undefined` for providers
 * whose page the console cannot know.
 */
export function pageFromSettings(
  provider: Provider,
  { github_client_id, lark_client_id, server_address }: PageSettings,
  state: string,
  loadedFrom = window.location.origin + BASE_PATH,
): string | undefined {
  const base = (server_address === '' ? loadedFrom : server_address).replace(/(?<!\/)\/+$/, '')
  const pages = {
    github: ['https://github.com/login/oauth/authorize', { client_id: github_client_id, scope: 'user:email' }],
    lark: [
      'https://accounts.feishu.cn/open-apis/authen/v1/authorize',
      { client_id: lark_client_id, response_type: 'code' },
    ],
    oidc: undefined,
  } as const
  const [page, query] = pages[provider] ?? []
  if (page === undefined) return undefined
  return `${page}?${new URLSearchParams({ ...query, redirect_uri: `${base}/oauth/${provider}`, state }).toString()}`
}
type PageSettings = Pick<ConsoleStatus, 'github_client_id' | 'lark_client_id' | 'server_address'>
