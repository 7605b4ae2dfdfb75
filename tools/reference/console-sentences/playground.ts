/** Sentences about the playground, the one screen of the specification that does not exist yet. They leave with its tests. */
export const PLAYGROUND: readonly string[] = []
