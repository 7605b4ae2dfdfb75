import * as v from 'valibot'
import type { RouteSpec } from './route.ts'

/** Names of fields in a successful reply that do not match its route; always empty for our own gateway. */
export function replyProblems({ data, extra }: Pick<RouteSpec, 'data' | 'extra'>, envelope: object): readonly string[] {
  const parts = [
    [data, 'data' in envelope ? envelope.data : undefined],
    [extra, envelope],
  ] as const
  return parts.flatMap(([schema, sent]) => {
    const issues = schema === undefined ? [] : (v.safeParse(schema, sent).issues ?? [])
    return issues.map((issue) => v.getDotPath(issue) ?? 'data')
  })
}
