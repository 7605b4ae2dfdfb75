import { PLAIN_TOKEN } from '@sluice/contract/fields/token'
import type { NewToken } from '@sluice/store/queries/tokens/tokens'
import type { SharedPorts } from '../ports.ts'
import { keyHash, newTokenKey } from './token-key.ts'

/** The first token of every user, as in the family: unlimited, for every model, without expiry. */
export function newDefaultToken(deps: Pick<SharedPorts, 'vault' | 'randomBytes' | 'now'>): NewToken {
  const key = newTokenKey(deps.randomBytes)
  return {
    ...PLAIN_TOKEN,
    name: 'default',
    unlimited: true,
    keyHash: keyHash(key),
    keySealed: deps.vault.seal('token_key', key),
    createdTime: Math.floor(deps.now() / 1_000),
  }
}
