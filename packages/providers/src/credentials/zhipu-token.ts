import { hs256 } from './jwt.ts'

const LIFE_MS = 3 * 60_000

/**
 * A token that Zhipu accepts instead of the key, so that the secret half stays here: `api_key`, `exp` and `timestamp` in ms, signed
 * with the second half of a key written `id.secret`. `now` in unix ms.
 */
export function zhipuToken(key: string, now: number, life = LIFE_MS): string {
  const [id = '', secret = ''] = key.split('.')
  return hs256({ sign_type: 'SIGN' }, { api_key: id, exp: now + life, timestamp: now }, secret)
}
