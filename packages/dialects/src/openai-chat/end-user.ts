import { shortened } from '../canon/digest.ts'
import type { Losses } from '../canon/losses.ts'
import type { CanonRequest } from '../canon/request.ts'

/** OpenAI refuses longer end user names; vendors end at 128. Claude Code's have 150 characters and more. */
const USER_LIMIT = 64

/** `user`, cut to the length that is taken: still one name for one user. Clients of OpenAI's own dialects are trusted. */
export function encodeUser({ user, extra }: CanonRequest, losses: Losses): string | undefined {
  if (user === undefined || user.length <= USER_LIMIT || extra.dialect.startsWith('openai-')) return user
  losses.changed('user')
  return shortened(user, USER_LIMIT)
}
