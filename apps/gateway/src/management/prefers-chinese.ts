import type { Context } from 'hono'

/** True when the language that the caller names first is Chinese; all others read English. */
export function prefersChinese(context: Context): boolean {
  return /^\s*zh\b/i.test(context.req.header('Accept-Language') ?? '')
}
