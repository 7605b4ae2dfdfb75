/** Sentences about the playground, the one screen of the specification that does not exist yet. They leave with its tests. */
export const PLAYGROUND: readonly string[] = [
  'C1.11',
  'C2.50',
  'C2.55',
  'C3.22',
  'C3.23',
  'C3.31',
  'C4.25',
  'C5.3',
  'C5.4',
  'C8.4',
  'C9.10',
]
