/**
 * Sentences without a browser test or a test of the console's own, and why: proved elsewhere, a heading of others that are, or a
 * remark about the specification itself. An entry goes when a test comes.
 */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'A1.1': 'Says who the product is for.',
}
