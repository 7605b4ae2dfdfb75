import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Turns of phrase that are nearly always translated idiom, each with what to write instead. Comments, titles, texts and documents
 * are searched line by line; turns that are sometimes right are not listed.
 */
const FORBIDDEN: readonly (readonly [turn: RegExp, instead: string])[] = [
  [
    /\banew\b/,
    'again; “reset” for “set anew”, “reload” for “loaded anew”, “start over” for “begin anew”, “recreate” for “made anew”',
  ],
  [
    /(?<!there )\b(?:is|are|be|was|were) no (?:JSON|number|object|list|array|text|string|picture|image|frame|filter|charge|finding|mistake|part|effect|answer|dialect)\b/,
    'is not (a/an) …; “not JSON”',
  ],
  [
    /\bWhoever\b|\b(?:to|by|for|of|that|and|with) whoever\b|\bwhomever\b/,
    'the actor: “a waiting caller”, “the client”, “the operator”, “any visitor”',
  ],
  [
    /\b(?:the|its|whose|empty|these|those|keep|keeps|kept|of) books\b(?! are closed)/i,
    'the ledger; “the ledger balances”, “an empty ledger”',
  ],
  [/\banswers? whether\b(?! or not)/i, 'returns whether, or start with “Whether …”'],
  [
    /(?:\/\*\*|^ *\*|\/\/|[;,]| and) *[Aa]nswers (?:how (?:many|to)|(?:the|its|their) (?:new |old )?(?:ids?|keys?|numbers?|rows?|count|paths?|name|bound|tokens|address|cookie|quota|events|exit|rest|result)\b)/,
    'returns …; for a route summary also “returns”',
  ],
  [/\bfor so long\b/i, 'for this long'],
  [/\b(?:after|of|until|about|lets|by|in|up to|keeps?) so (?:many|much)\b/, 'this many, this much, “about this many”'],
  [
    /(?:['"`]|^#+ )[Ww]ho (?!am|is|are|was|were|can|may|has|had|did|does|will)[a-z]+s (?:[^?'"`]+)(?:['"`],|$)/,
    'a noun or the actor: “the operator has …”, “a client that leaves early …”',
  ],
  [/\bthat (?:is|are) none\b/, 'invalid, “not one”, “that is not an X”'],
  [
    /\b(?:lest|thus|whereof|thereof|whereby|thereby|wherein|therein|hereby|whence|hence)\b/i,
    'so that … not; so; of which; by which',
  ],
  [/[a-z,] upon (?!a\b|the gauge)/, 'on, after, when; “after which”'],
  [/(?<!I )\b[Ss]hall\b(?! be included)/, 'must, should, will; “budgets to set” for “budgets there shall be”'],
  [/, be it\b/, 'even if, whether … or'],
  [/\b(?:to|can|cannot|could|may|might) be had\b/, 'is available, can be loaded, can be obtained'],
  [/\bbut for (?:the|its|their|those|an?|what|some|one|`)/, 'except, except for'],
  [/(?<!are )(?<!is )(?<!were )(?<!be )\ball the same\b/, 'anyway, still, nevertheless'],
  [/\bfor ever\b/i, 'forever, indefinitely, without end'],
  [/\bas ever\b/i, 'as before, as always, still'],
  [/\b(?:inside|outside) of\b/i, 'inside, outside'],
  [/\bbeside each other\b/, 'next to each other, side by side'],
  [
    /\bstands? (?:beside|in the (?:column|field|row|cell|place|path)|under (?:its|their|another) )/,
    'is next to, is in, is listed under',
  ],
  [
    /\b(?:is|are|was|were) told (?:as|at|in|on|whole|under|without)\b/,
    'is reported, translated, sent, shown (by meaning)',
  ],
  [/\b(?:is|are|was) said (?:with|at once|so\b|in `|and|as)/, 'is reported, shown, listed'],
  [/\bunless (?:said|told)\b(?! otherwise)/, 'unless given, unless set'],
  [
    /\b(?:comes?|came|ends?|is over|looks again|goes away|leaves|refreshes|starts?) by (?:itself|themselves)\b/,
    'on its own, on their own',
  ],
  [/\bwith a way back\b/, 'which can be undone; with Undo'],
  [/\b(?:is|are|was|were) no more\b(?! than)/, 'no longer exist(s)'],
  [/(?:[/*] Else[ ,])|[,;:] else (?:the|it|they|wherever|every|what|an?) /, 'otherwise'],
  [/\bbegin of (?:the|an?|each|every)\b/i, 'start of'],
  [/\bthe own [a-z]+/, 'their own, its own'],
  [/\banother (?:one )?than\b/, 'different from, other than'],
  [/\bsome (?:hundred|thousand)\b(?!s)/, 'about a hundred, about a thousand'],
  [/\bin good order\b/, 'cleanly'],
  [/\bwithout a word\b/i, 'silently; without a message; without text'],
  [/\b(?:says?|said) back\b/i, 'repeats, echoes'],
  [/\bdrawn (?:near|anew)\b|\bas they come near\b/, 'redrawn; as they are scrolled near'],
]

/** Words of others: recorded replies, licences. */
const QUOTED = /^(?:NOTICE\.md|tests\/recorded\/|tools\/english\.test\.ts|tools\/reference\/console-sentences\.txt)/
const ROOT = join(import.meta.dirname, '..')

test('no file uses a turn that a native reader stumbles over', () => {
  const files = globSync(['{apps,packages,tools,bench,tests,docs,deploy}/**/*.{ts,tsx,mjs,css,md}', '*.{ts,md}'], {
    cwd: ROOT,
    exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
  })
  expect(files.length).toBeGreaterThan(1_000)
  const found = files
    .filter((file) => !QUOTED.test(file))
    .flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => turnsOf(line, file, at + 1)),
    )
  expect(found).toEqual([])
})

function turnsOf(line: string, file: string, at: number): readonly string[] {
  return FORBIDDEN.filter(([turn]) => turn.test(line)).map(
    ([turn, instead]) => `${file}:${at} “${turn.exec(line)?.[0].trim()}”: write ${instead}`,
  )
}
