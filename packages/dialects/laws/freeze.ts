/** Freezes the value deeply, so that code that changes an input throws. */
export function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) freeze(member)
  }
  return value
}
