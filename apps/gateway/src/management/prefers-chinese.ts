import { wantsChinese } from '@sluice/contract/refusal-in-chinese'
import type { Context } from 'hono'

export function prefersChinese(context: Context): boolean {
  return wantsChinese(context.req.header('Accept-Language'))
}
