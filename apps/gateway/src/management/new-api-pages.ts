import { needsSession, type RouteSpec } from '@sluice/contract/route'
import type { Context } from 'hono'
import type { AnyAnswer } from './bind.ts'

/**
 * Whether the caller expects lists in New API's form: pages from 1, their size in `page_size`, an object around the rows. Such
 * programs send that parameter, or New API's user id header, which does not identify the caller: only the session or access token
 * does (class S11).
 */
export function wantsPages(spec: RouteSpec, { req }: Context): boolean {
  if (spec.paged !== true || !needsSession(spec.access)) return false
  return req.header('new-api-user') !== undefined || req.query('page_size') !== undefined
}

/** Translates such a program's query for the routes. A value that is not a number is left for the route to refuse. */
export function withPagesFromZero(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { p = '', page_size: size = query['size'], ...rest } = query
  const page = /^\d{1,15}$/.test(p) ? String(Math.max(0, Number(p) - 1)) : p
  return { ...rest, p: page, ...(size === undefined ? {} : { size }) }
}

/** A list in the form that such a program reads. `query` is that of the checked call. */
export function asPage({ total, data, ...rest }: AnyAnswer, query: unknown): AnyAnswer {
  const { p, size } = query as { readonly p: number; readonly size: number }
  return { ...rest, data: { items: data, total, page: p + 1, page_size: size } }
}
