import * as v from 'valibot'

/**
 * How a reader copes with replies from other servers and other versions. Servers ignore it: these schemas stay strict for what we
 * send ourselves. The reader is `read-reply.ts` of the console.
 */
export interface AbsenceRule {
  /** The value that an absent or unreadable field stands for. */
  readonly whenAbsent?: unknown
  /** Without this field the enclosing object is useless: no call can be made for such a row. */
  readonly essential?: true
  /** A plain list in place of the object is read as the object's list of this name. */
  readonly listAs?: string
}

/**
 * A field that other servers need not send, because the specification does not name it or names a default, and the value that its
 * absence stands for. Without this mark, an absent value is unknown: a number shows as a dash, a text as empty, a flag as off, a
 * list as empty.
 */
/* @__NO_SIDE_EFFECTS__ */
export function whenAbsent<const S extends v.GenericSchema>(schema: S, value: v.InferOutput<S>) {
  return v.pipe(schema, v.metadata({ whenAbsent: value } satisfies AbsenceRule))
}

/** A field without which its object is useless: the id by which a row is changed. */
/* @__NO_SIDE_EFFECTS__ */
export function essential<const S extends v.GenericSchema>(schema: S) {
  return v.pipe(schema, v.metadata({ essential: true } satisfies AbsenceRule))
}

/** An object that can also arrive as a plain list, which is then read as the list of this name. */
/* @__NO_SIDE_EFFECTS__ */
export function orList<const S extends v.GenericSchema>(schema: S, name: keyof v.InferOutput<S> & string) {
  return v.pipe(schema, v.metadata({ listAs: name } satisfies AbsenceRule))
}
