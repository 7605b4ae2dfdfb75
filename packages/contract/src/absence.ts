import * as v from 'valibot'

/** How the console (`read-reply.ts`) reads replies of other servers and versions. What we send is checked strictly. */
export interface AbsenceRule {
  readonly whenAbsent?: unknown
  /** Without this field, no call can be made for the enclosing object. */
  readonly essential?: true
  readonly listAs?: string
}

/**
 * Marks a field that other servers may omit because the specification does not name it, or names a default. Without this mark an
 * absent value is unknown: a number shows as a dash, a text as empty, a flag as off, a list as empty.
 */
/* @__NO_SIDE_EFFECTS__ */
export function whenAbsent<const S extends v.GenericSchema>(schema: S, value: v.InferOutput<S>) {
  return v.pipe(schema, v.metadata({ whenAbsent: value } satisfies AbsenceRule))
}

/** Marks a field without which its object is useless, such as the id by which a row is changed. */
/* @__NO_SIDE_EFFECTS__ */
export function essential<const S extends v.GenericSchema>(schema: S) {
  return v.pipe(schema, v.metadata({ essential: true } satisfies AbsenceRule))
}

/** Marks an object that may arrive as a plain list, which is then read as its list of this name. */
/* @__NO_SIDE_EFFECTS__ */
export function orList<const S extends v.GenericSchema>(schema: S, name: keyof v.InferOutput<S> & string) {
  return v.pipe(schema, v.metadata({ listAs: name } satisfies AbsenceRule))
}
