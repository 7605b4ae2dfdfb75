import * as v from 'valibot'

/** The `$id` of a path as a number. Anything else becomes 0, which no row has: the gateway then reports that it found none. */
export const rowIdParam = {
  parse: ({ id }: { id: string }) => ({ id: /^\d{1,15}$/.test(id) ? Number(id) : 0 }),
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
}

/** Search parameter that opens the panel of a row. */
export const optionalRowId = v.optional(
  v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined),
)
