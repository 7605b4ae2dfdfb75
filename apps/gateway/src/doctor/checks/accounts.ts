import type { Found } from '@sluice/contract/findings/catalogue'
import type { PowerfulUser } from '@sluice/store/queries/doctor/overview'
import { type Check, orWell } from '../check.ts'
import { namesText } from '../in-words.ts'
import { isAnywhere } from './address.ts'

export interface AccountFacts {
  readonly powerfulUsers: () => Promise<readonly PowerfulUser[]>
  /** Whether this is a hash of every new installation's password. */
  readonly isDefaultPassword: (passwordHash: string) => Promise<boolean>
  /** SLUICE_HOST. */
  readonly host: string
}

const ROOT = 'root'

/** Checks root's initial password, and finds administrators who could be impersonated with only a stolen password. */
export function accountCheck({ powerfulUsers, isDefaultPassword, host }: AccountFacts): Check {
  return {
    name: 'accounts',
    examine: async () => {
      const users = await powerfulUsers()
      const root = users.find(({ username }) => username === ROOT)
      const isDefault = root !== undefined && (await isDefaultPassword(root.passwordHash))
      const names = users.filter(({ hasSecondStep }) => !hasSecondStep).map(({ username }) => username)
      const found: readonly Found[] = [
        ...(isDefault ? [defaultPassword(host)] : []),
        ...(names.length === 0
          ? []
          : [{ id: 'accounts.one_step', params: { count: names.length, names: namesText(names) } } as const]),
      ]
      return orWell(found, { id: 'accounts.ok' })
    },
  }
}

function defaultPassword(host: string): Found {
  return isAnywhere(host)
    ? { id: 'accounts.default_password', subject: ROOT, params: { host } }
    : { id: 'accounts.default_password_local', subject: ROOT }
}
