import { shortened } from '../canon/digest.ts'
import type { Losses } from '../canon/losses.ts'
import type { CanonRequest } from '../canon/request.ts'

/** OpenAI refuses longer names of the end user; vendors end at 128. Claude Code's have 150 characters and more. */
const USER_LIMIT = 64

/** `user`, cut to what is taken: still one name for one user. Who speaks OpenAI's own dialects is taken at his word. */
export function encodeUser({ user, extra }: CanonRequest, losses: Losses): string | undefined {
  if (user === undefined || user.length <= USER_LIMIT || extra.dialect.startsWith('openai-')) return user
  losses.changed('user')
  return shortened(user, USER_LIMIT)
}
