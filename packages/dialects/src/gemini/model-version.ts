/** Generation of a Gemini model: 2.5 of `gemini-2.5-flash`; names without a number are taken for the latest. */
export function generationOf(model: string): number {
  const found = /gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1]
  return found === undefined ? Number.POSITIVE_INFINITY : Number(found)
}

/**
 * Since its third generation Gemini refuses a call of the running turn without its signature, takes pictures inside of tool
 * results, and takes its own tools beside functions.
 */
export function isThirdGeneration(model: string): boolean {
  return generationOf(model) >= 3
}

/** Models without a place for system instructions: they are told in the first turn of the user. */
export function hasSystemInstruction(model: string): boolean {
  return !/^(?:models\/)?gemma-|-image\b/.test(model)
}
